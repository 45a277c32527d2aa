"""Languages as data: the small words by which each is known, its letters, and the endings that its words take.

They are read from `profiles.txt` when they are first needed. A language has its ISO 639 code; a script that has one
profile for all its languages has its ISO 15924 code. A language that is missing is no mistake: its words are found as
they are written.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

from recollect.domain.dataclass import dataclass

ENGLISH = "en"
# Scripts with a profile: from which letter to which.
SCRIPTS = {
    "Grek": ("\u0370", "\u03ff"),
    "Cyrl": ("\u0400", "\u052f"),
    "Hebr": ("\u0590", "\u05ff"),
    "Arab": ("\u0600", "\u06ff"),
    "Deva": ("\u0900", "\u097f"),
}


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """A language or a script; see the head of `profiles.txt` for the fields."""

    words: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    passes: int = 1
    shortest: int = 1


@cache
def profiles() -> dict[str, LanguageProfile]:
    """All profiles by their codes."""
    lists: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in (Path(__file__).parent / "profiles.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            code, field, *members = line.split()
            lists[code][field] += members
    return {code: _profile(fields) for code, fields in lists.items()}


@cache
def latin_languages() -> frozenset[str]:
    """The languages in Latin letters that have a profile, without English."""
    return frozenset(profiles()) - SCRIPTS.keys() - {ENGLISH}


def _profile(fields: defaultdict[str, list[str]]) -> LanguageProfile:
    words, letters, cues, endings = (tuple(fields[name]) for name in ("words", "letters", "cues", "endings"))
    passes, shortest = (int(fields[name][0]) if fields[name] else 1 for name in ("passes", "shortest"))
    return LanguageProfile(words, letters, cues, endings, passes, shortest)
