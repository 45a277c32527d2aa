"""Pure: BM25, over the candidates that are at hand.

How rare a word is, is measured among the candidates too. Rarity in the whole store was measured against it and gave the
same order of answers; it would have to be counted for each word and each space, and differently by each database.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from recollect.language.english.word_forms import SHORTEST_STEM
from recollect.language.world.words import folded_ascii
from recollect.recall.surroundings import Window
from recollect.recall.weights import MatchWeights
from recollect.recall.words import Stem, beginnings_of, stem, words_of

_OTHER = -1  # number of a word that nobody looks for


class WordCounts(NamedTuple):
    """How often a text has each of the wanted words, and how long it is. A tuple: a search has hundreds."""

    times: tuple[int, ...]
    length: int


class Wanted(dict[str, int]):
    """The words that are looked for, by their stems: of any word the number of its stem among them, or `_OTHER`.

    A word is looked at once, however many texts of a search have it.
    """

    def __init__(self, stems: Iterable[str], stem: Stem = stem) -> None:
        super().__init__()
        self._numbers = {root: number for number, root in enumerate(stems)}
        self._stem = stem
        begun = beginnings_of(self._numbers, stem)
        # Between spaces: a stem that is shorter than others can be is a whole word.
        self.beginnings = [f" {each}" if len(each) == SHORTEST_STEM else f" {each} " for each in begun]
        self.none = (0,) * len(self._numbers)

    def __missing__(self, word: str) -> int:
        number = self[word] = self._numbers.get(self._stem(word), _OTHER)
        return number


def counted(texts: Sequence[str], wanted: Wanted) -> list[WordCounts]:
    """Count each of some texts. Those in ASCII, which are most, are looked through as one: that takes half the time."""
    plain = {number: text for number, text in enumerate(texts) if wanted.beginnings and text.isascii()}
    counts = dict(zip(plain, _counted_as_one(list(plain.values()), wanted), strict=True))
    return [counts.get(number) or _counted_by_words(text, wanted) for number, text in enumerate(texts)]


def _counted_as_one(texts: Sequence[str], wanted: Wanted) -> list[WordCounts]:
    """Count texts in ASCII: only those words are cut out that begin as a wanted one does, which are few."""
    folded = folded_ascii(f" {' '.join(texts)} ")
    ends = list(accumulate(len(text) + 1 for text in texts))  # of each text, where the space behind it stands
    times = [list(wanted.none) for _ in texts]
    for beginning in wanted.beginnings:
        start = folded.find(beginning)
        while start >= 0:
            end = folded.index(" ", start + 1)
            _add(times[bisect_right(ends, start)], wanted[folded[start + 1 : end]])
            start = folded.find(beginning, end)
    lengths = [len(folded[begin:end].split()) or 1 for begin, end in pairwise((0, *ends))]
    return list(map(WordCounts, map(tuple, times), lengths))


def _counted_by_words(text: str, wanted: Wanted) -> WordCounts:
    """Count a text that may have letters of any script."""
    times, words = list(wanted.none), words_of(text)
    for word in words:
        _add(times, wanted[word])
    return WordCounts(tuple(times), max(1, len(words)))


def _add(times: list[int], number: int) -> None:
    if number != _OTHER:
        times[number] += 1


def together(documents: Sequence[WordCounts], window: Window) -> WordCounts:
    """The texts of a window as one."""
    if len(window.members) == 1:
        return documents[window.members[0]]
    members = [documents[number] for number in window.members]
    return WordCounts(
        tuple(sum(times) for times in zip(*(member.times for member in members), strict=True)),
        sum(member.length for member in members),
    )


def rarities(documents: Sequence[WordCounts], among: int) -> list[float]:
    """How much each wanted word says, when that many texts could have had it."""
    holders = [sum(1 for times in column if times) for column in zip(*(each.times for each in documents), strict=True)]
    return [math.log(1 + (max(among, held) - held + 0.5) / (held + 0.5)) for held in holders]


def scores(documents: Sequence[WordCounts], rarity: Sequence[float], weights: MatchWeights) -> list[float]:
    """How well each text has the wanted words."""
    average = sum(document.length for document in documents) / max(1, len(documents))
    return [
        _score(document, rarity, average, weights.k1, weights.b) if any(document.times) else 0.0
        for document in documents
    ]


def _score(document: WordCounts, rarity: Sequence[float], average: float, k1: float, b: float) -> float:
    damping = k1 * (1 - b + b * document.length / average)
    return sum(
        [
            weight * times * (k1 + 1) / (times + damping)
            for weight, times in zip(rarity, document.times, strict=True)
            if times
        ]
    )
