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
from recollect.language import tags
from recollect.language.changes import OWN_ACT, TAKEN_OVER
from recollect.language.english import changes
from recollect.readers.rules.english import standings
from recollect.readers.rules.phrases import Phrase
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.sentences import Sentence
from recollect.readers.rules.who import user
from recollect.readers.rules.words import Word

_TAKEN_OVER = re.compile(changes.TAKEN_OVER, re.IGNORECASE)
_OWN_ACT = re.compile(changes.OWN_ACT, re.IGNORECASE)
_NONE_LEFT = re.compile(changes.NONE_LEFT, re.IGNORECASE)
_OVER_BEFORE = re.compile(changes.OVER_BEFORE, re.IGNORECASE)
_OVER_AFTER = re.compile(changes.OVER_AFTER, re.IGNORECASE)
_NOTHING_INSTEAD = re.compile(changes.NOTHING_INSTEAD, re.IGNORECASE)
_BESIDE = re.compile(changes.BESIDE, re.IGNORECASE)
_OTHERS = frozenset(standings.OTHERS.split())
_DAYS = frozenset("mondays tuesdays wednesdays thursdays fridays saturdays sundays".split())
_GOES_ON = re.compile(r"\S+ | ?\S+ & |(?:Dr|Mr|Mrs|Ms|Prof|St)\. ?")  # from one word of a name to its next
_SPEAKING = frozenset(("i", "we"))
_MOST = 3  # names: who tells of more tells of something else
_LISTED = re.compile(r"\s*(?:,|&|\+|and|or|/)\s*(?:the |an? |my |our )?", re.IGNORECASE)


def read_change(sentence: Sentence, scene: Scene) -> list[Finding]:
    """What may have taken the place of what, in a sentence of which nothing else was read."""
    text = scene.text[sentence.start : sentence.end]
    every = _names(sentence.words, scene.text)
    named = {said(name, scene.text): name for name in reversed(every)}  # each where it stands first
    values, names = list(named), sorted(named.values(), key=lambda name: name.start)
    if len(values) > _MOST or _BESIDE.search(text) or any(word.low in _OTHERS for word in sentence.words):
        return []
    none_left = _none_left(text)
    if len(values) < 2 or none_left or _NOTHING_INSTEAD.search(text):
        over = [said(name, scene.text) for name in names if _is_over(name, sentence, scene.text)]
        return [_open(value, scene, OWN_ACT, effect="ended") for value in dict.fromkeys((*over, *none_left))]
    sure = TAKEN_OVER if _TAKEN_OVER.search(text) else OWN_ACT if _is_own_act(sentence, text) else 0.0
    if not sure or any(_are_listed(*each, scene.text) for each in pairwise(names)):
        return []
    return [_open(new, scene, sure, old=old) for old, new in permutations(values, 2)]


def _is_own_act(sentence: Sentence, text: str) -> bool:
    """Whether the speaker tells of it: who stopped what is news only from them. "Stopped lessons" leaves the I out."""
    found = _OWN_ACT.search(text)
    return found is not None and (found.start() == 0 or any(word.low in _SPEAKING for word in sentence.words))


def _none_left(text: str) -> list[str]:
    """ "I have no hairdresser any more": what is over, by what it is called."""
    found = _NONE_LEFT.search(text)
    return [next(filter(None, found.groups())).lower()] if found else []


def _is_over(name: Phrase, sentence: Sentence, text: str) -> bool:
    before, after = text[sentence.start : name.start], text[name.end : sentence.end]
    return bool(_OVER_BEFORE.search(before) or _OVER_AFTER.search(after))


def _are_listed(one: Phrase, other: Phrase, text: str) -> bool:
    return _LISTED.fullmatch(text, one.end, other.start) is not None


def _open(value: str, scene: Scene, sure: float, *, old: str = "", effect: str = "") -> Finding:
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
