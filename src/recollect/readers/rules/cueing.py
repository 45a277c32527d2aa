"""The cues of the language data, ready to be searched for: compiled when they are first needed, once for all."""

from __future__ import annotations

import re
from functools import cache

from recollect.readers.rules.english.cues import CUES

Cue = tuple[str, str, re.Pattern[str]]  # the attribute, where its value stands, and what gives it away


@cache
def cues() -> tuple[Cue, ...]:
    return tuple((attribute, place, re.compile(rf"\b(?:{cue})s?(?:\b|$)")) for attribute, place, cue in CUES)
