"""Pure: BM25, over the candidates that are at hand.

How rare a word is, is measured among the candidates too. Rarity in the whole store was measured against it and gave the
same order of answers; it would have to be counted for each word and each space, and differently by each database.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.recall.windows import Window
from recollect.recall.words import stem

_K1 = 1.2  # how soon a repeated word stops counting
_B = 0.75  # how much a long text is held against it


@dataclass(frozen=True, slots=True)
class Counted:
    """How often a text has each of the wanted words, and how long it is."""

    times: tuple[int, ...]
    length: int


class Wanted(dict[str, int]):
    """The numbers of words, by their stems: from 1 on for those that are looked for, 0 for all others.

    Each word is stemmed when it is met first; the texts of one question share most of their words.
    """

    def __init__(self, stems: Iterable[str]) -> None:
        self._numbers = {root: number for number, root in enumerate(stems, start=1)}
        self.size = len(self._numbers)

    def __missing__(self, word: str) -> int:
        number = self[word] = self._numbers.get(stem(word), 0)
        return number


def counted(words: Sequence[str], wanted: Wanted) -> Counted:
    """Count a text."""
    times = [0] * wanted.size
    for number in filter(None, map(wanted.__getitem__, words)):
        times[number - 1] += 1
    return Counted(tuple(times), max(1, len(words)))


def together(documents: Sequence[Counted], window: Window) -> Counted:
    """The texts of a window as one."""
    if len(window.members) == 1:
        return documents[window.members[0]]
    members = [documents[number] for number in window.members]
    return Counted(
        tuple(sum(times) for times in zip(*(member.times for member in members), strict=True)),
        sum(member.length for member in members),
    )


def rarities(documents: Sequence[Counted], among: int) -> list[float]:
    """How much each wanted word says, when that many texts could have had it."""
    holders = [sum(1 for times in column if times) for column in zip(*(each.times for each in documents), strict=True)]
    return [math.log(1 + (max(among, held) - held + 0.5) / (held + 0.5)) for held in holders]


def scores(documents: Sequence[Counted], rarity: Sequence[float]) -> list[float]:
    """How well each text has the wanted words."""
    average = sum(document.length for document in documents) / max(1, len(documents))
    return [_score(document, rarity, average) for document in documents]


def _score(document: Counted, rarity: Sequence[float], average: float) -> float:
    damping = _K1 * (1 - _B + _B * document.length / average)
    return sum(
        weight * times * (_K1 + 1) / (times + damping)
        for weight, times in zip(rarity, document.times, strict=True)
        if times
    )
