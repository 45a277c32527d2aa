"""A change that names both sides and says nothing else: "bye Disney+, hello Netflix", "the keys in Bristol are given
back, Tampere is home now".

Which of two names is the old one, and what it was, only memory knows. So both ways are offered, with the attribute left
open, and whoever knows one of the names places the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, permutations

from recollect.domain.statements import UNRESOLVED
from recollect.remember.extraction import tags
from recollect.remember.extraction.english import changes, standings
from recollect.remember.extraction.phrases import Phrase
from recollect.remember.extraction.quoting import said
from recollect.remember.extraction.scene import Finding, Scene
from recollect.remember.extraction.sentences import Sentence
from recollect.remember.extraction.who import user
from recollect.remember.extraction.words import Word

SURELY, BARELY = 0.6, 0.5  # a word of change beside two names, and a mere "now"

_CHANGED = re.compile(changes.CHANGED, re.IGNORECASE)
_BY_NOW = re.compile(changes.BY_NOW, re.IGNORECASE)
_OVER = re.compile(changes.OVER, re.IGNORECASE)
_NOTHING_INSTEAD = re.compile(changes.NOTHING_INSTEAD, re.IGNORECASE)
_BESIDE = re.compile(changes.BESIDE, re.IGNORECASE)
_OTHERS = frozenset(standings.OTHERS.split())
_DAYS = frozenset("mondays tuesdays wednesdays thursdays fridays saturdays sundays".split())
_GOES_ON = re.compile(r"\S+ | ?\S+ & |(?:Dr|Mr|Mrs|Ms|Prof|St)\. ?")  # from one word of a name to its next
_MOST = 3  # names: who tells of more tells of something else
_LISTED = re.compile(r"\s*(?:,|&|\+|and|or|/)\s*(?:the |an? |my |our )?", re.IGNORECASE)


def read_change(sentence: Sentence, scene: Scene) -> list[Finding]:
    """What may have taken the place of what, in a sentence of which nothing else was read."""
    text = scene.text[sentence.start : sentence.end]
    names = _names(sentence.words, scene.text)
    values = list(dict.fromkeys(said(name, scene.text) for name in names))
    if not 0 < len(values) <= _MOST or _BESIDE.search(text) or any(word.low in _OTHERS for word in sentence.words):
        return []
    if _OVER.search(text) and (len(values) == 1 or _NOTHING_INSTEAD.search(text)):
        return [_open(value, scene, effect="ended") for value in values]
    changed = _CHANGED.search(text) is not None
    if not (changed or _BY_NOW.search(text)) or any(_are_listed(*each, scene.text) for each in pairwise(names)):
        return []
    sure = SURELY if changed else BARELY
    return [_open(new, scene, old=old, sure=sure) for old, new in permutations(values, 2)]


def _are_listed(one: Phrase, other: Phrase, text: str) -> bool:
    return _LISTED.fullmatch(text, one.end, other.start) is not None


def _open(value: str, scene: Scene, *, old: str = "", effect: str = "", sure: float = SURELY) -> Finding:
    return Finding(user(scene.company), UNRESOLVED, value, old=old, effect=effect, confidence=sure)


def _names(words: Sequence[Word], text: str) -> list[Phrase]:
    """What is written like a name, as far as it goes: "Dr. Obi", "Cut & Co", "Room 4.12"."""
    found: list[list[Word]] = []
    for word in words:
        is_name = bool(word.tag & tags.NAME) and not word.tag & (tags.TIME | tags.PUNCT) and word.low not in _DAYS
        if found and (is_name or word.tag & tags.NUM) and _GOES_ON.fullmatch(text, found[-1][-1].start, word.start):
            found[-1].append(word)
        elif is_name:
            found.append([word])
    return [Phrase(name) for name in found]
