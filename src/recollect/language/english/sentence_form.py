"""Pure: sentences of one form, that is of the same words but for a name or a value.

"The capital of Italy is Rome" and "The capital of Norway is Oslo" sound alike and are about two countries, while "Anna
lives in Porto" and "Anna lives in Lisbon" are about one person. Where two sentences have one form, what differs tells
which of the two it is; where they have not, nothing is told.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from recollect.language.english.closed_words import MONTHS, WEEKDAYS
from recollect.language.english.relations import TITLES

_WORD = re.compile(r"\w+(?:['\N{RIGHT SINGLE QUOTATION MARK}.-]\w+){0,5}")
_MOST = 40  # words; a longer text is of no form
_SHARED = 0.6  # of the words of the longer sentence
_FORM = 0.8  # of the words that are no names, for sentences about different things
_OWN = frozenset("i my me mine we our us ours i'm i've we're we've".split())
_IS = frozenset("is are was were".split())
_OF = frozenset("of for in at from on".split())
_WHOSE = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}]s?$")
_JOINED = re.compile("[-.]")
_DATES = frozenset((*MONTHS.split(), *WEEKDAYS.split()))
_NO_NAMES = _DATES.union(_OWN, TITLES.split())
_NAMED = re.compile(rf"(?<=[\w,;] )(?=[A-Z]\w){_WORD.pattern}")  # a capital inside a sentence


def tells_another_value(older: str, newer: str) -> bool:
    """Whether two sentences of one form say the same of one thing, with another value where they differ."""
    if not _begin_alike(older, newer):
        return False
    one, other = _words(older), _words(newer)
    before, after = _alike(one, other)
    if before < 2 or before + after < _SHARED * max(len(one), len(other)):
        return False
    ours, theirs = one[before : len(one) - after], other[before : len(other) - after]
    if not ours or not theirs or not {word.casefold() for word in ours}.isdisjoint(word.casefold() for word in theirs):
        return False
    return not after or _says_whose(one[:before])


def are_of_different_things(older: str, newer: str) -> bool:
    """Whether two sentences of one form differ in what they are about, and not in its value alone.

    They do if they begin with the same words, go on with another name, and are mostly of the same words besides, among
    which is no name and no speaker that both could be about; or if each is said of something with a name of its own.
    """
    one, other = _words(older), _words(newer)
    if _are_said_of_others(one, other):
        return True
    before, after = _alike(one, other)
    ours, theirs = one[before : len(one) - after], other[before : len(other) - after]
    if before < 2 or not ours or not theirs or not (_is_name(ours[0]) and _is_name(theirs[0])):
        return False
    told = {word.casefold() for word in theirs}
    between = [word for word in ours if word.casefold() in told]
    shared = [*one[:before], *between, *one[len(one) - after :]]
    if not between or _says_whose(shared):  # where they differ in one place alone, that may be the value
        return False
    return len(shared) >= _FORM * max(sum(not _is_name(word) for word in each) for each in (one, other))


def name_other_things(older: str, newer: str) -> bool:
    """Whether each of two texts names something, and neither has a word of what the other names.

    "Dr Bauer isn't my dentist any more" ends nothing that was said of Dr Lee.
    """
    ours, theirs = _named(older), _named(newer)
    return bool(
        ours
        and theirs
        and ours.isdisjoint(_all_parts(_WORD.findall(newer)))
        and theirs.isdisjoint(_all_parts(_WORD.findall(older)))
    )


def _named(text: str) -> frozenset[str]:
    """The names inside the sentences of a text, without dates and titles."""
    return _all_parts(_NAMED.findall(text)) - _NO_NAMES


def _are_said_of_others(one: list[str], other: list[str]) -> bool:
    """Whether two sentences say what something is, and each names something else before that: the head of the city of
    Ghent, the head of Norway's parliament. They share no name then, no speaker, and no word of what it is.
    """
    ours, theirs = _parted(one), _parted(other)
    if ours is None or theirs is None or _OWN & (ours.words | theirs.words):
        return False
    return bool(
        ours.names and theirs.names and ours.names.isdisjoint(theirs.words) and theirs.names.isdisjoint(ours.words)
    ) and ours.said.isdisjoint(theirs.said)


class _Parted(NamedTuple):
    """A sentence of what something is: the names of which it is said, the words of what is said, and all words."""

    names: frozenset[str]
    said: frozenset[str]
    words: frozenset[str]


def _parted(words: list[str]) -> _Parted | None:
    at = next((place for place, word in enumerate(words) if word.casefold() in _IS), 0)
    behind = next((place for place, word in enumerate(words[:at]) if word.casefold() in _OF), at)
    # A name right behind its noun may be the value itself: "the editor Zed is what we use".
    names = frozenset(part for word in words[behind:at] if _is_name(word) for part in _parts(word))
    return _Parted(names, _all_parts(words[at + 1 :]), _all_parts(words)) if at else None


def _all_parts(words: list[str]) -> frozenset[str]:
    return frozenset(part for word in words for part in _parts(word))


def _parts(word: str) -> list[str]:
    """A word as it is compared: "Falcon's" is Falcon, and "Pixel-8" a Pixel 8."""
    return [part for part in _JOINED.split(_WHOSE.sub("", word.casefold())) if part]


def _words(text: str) -> list[str]:
    """The words of a text; none of a long one, which has no form."""
    found = _WORD.findall(text[: 20 * _MOST])
    return found if len(found) <= _MOST and len(text) <= 20 * _MOST else []


def _begin_alike(one: str, other: str) -> bool:
    """Whether two texts have the same first word, which most have not: no other is cut out then."""
    first, second = _WORD.search(one), _WORD.search(other)
    return first is not None and second is not None and first[0].casefold() == second[0].casefold()


def _alike(one: list[str], other: list[str]) -> tuple[int, int]:
    """How many words two sentences share at their beginning, and how many of the rest at their end."""
    most = min(len(one), len(other))
    before = 0
    while before < most and one[before].casefold() == other[before].casefold():
        before += 1
    after = 0
    while after < most - before and one[-1 - after].casefold() == other[-1 - after].casefold():
        after += 1
    return before, after


def _says_whose(words: list[str]) -> bool:
    """Whether the words that two sentences share say what both are about: the speaker, or somebody by name."""
    return any(word.casefold() in _OWN for word in words) or any(map(_is_name, words[1:]))


def _is_name(word: str) -> bool:
    """Whether a word inside a sentence is a name."""
    return word[:1].isupper() and word.casefold() not in _DATES
