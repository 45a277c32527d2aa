"""The texts that sound alike, by the encoder as it was before training: those that a memory would look at.

Questions get their hardest wrong answers here, and the judge its hardest pairs, labelled or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from training.data import Bank, Pair, Question, chain_of, spoken, told_of

_NEAREST_TO_A_QUESTION = 40  # texts among which its wrong ones are chosen
_NEAREST_TO_A_MESSAGE = 8


class Likeness:
    """Cosine over vectors of length one; `vectors` makes one row of them for each text."""

    def __init__(self, vectors: Callable[[Sequence[str]], Any]) -> None:
        self._vectors = vectors

    def ordered(self, asked: Sequence[Question]) -> list[Question]:
        """The questions with the nearest of their texts."""
        if not asked:
            return []
        texts = list(dict.fromkeys(text for each in asked for text in (each.ask, *each.texts)))
        vectors = dict(zip(texts, self._vectors(texts), strict=True))
        worlds = {each.texts: np.stack([vectors[text] for text in each.texts]) for each in asked}
        return [
            replace(each, near=tuple(_highest(worlds[each.texts] @ vectors[each.ask], _NEAREST_TO_A_QUESTION)))
            for each in asked
        ]

    def strangers(self, material: Sequence[Bank], draw: Random, each: int, swapped: float) -> list[Pair]:
        """Pairs of messages that sound alike and are about different things: `each` for every message."""
        found = []
        for bank in material:
            told = told_of(bank, draw, swapped=swapped)
            if not told:
                continue
            scores = self._between([text for _, text in told])
            numbers = np.array([number for number, _ in told])
            scores[numbers[:, None] == numbers[None, :]] = -1.0
            for (_, text), row in zip(told, scores, strict=True):
                places = _highest(row, _NEAREST_TO_A_MESSAGE)
                for place in draw.sample(places, min(each, len(places))):
                    sides = [text, told[place][1]]
                    draw.shuffle(sides)
                    found.append(Pair(sides[0], sides[1], "unrelated", "stranger"))
        return found

    def beside_changes(self, talk: Mapping[str, Any], draw: Random, each: int) -> list[Pair]:
        """Pairs of messages of one conversation that sound alike and do not change each other: `each` for every
        message, with earlier ones. Messages of one chain of changes are left out, whether somebody wrote the pair
        down or not.
        """
        told, chains = spoken(talk), chain_of(talk)
        scores = self._between(told)
        found = []
        for at in range(1, len(told)):
            places = _highest(scores[at, :at], _NEAREST_TO_A_MESSAGE)
            apart = [place for place in places if chains[place] != chains[at]]
            drawn = draw.sample(apart, min(each, len(apart)))
            found += [Pair(told[place], told[at], "unrelated", "talk stranger") for place in drawn]
        return found

    def earlier(self, told: Sequence[str], draw: Random, each: int) -> list[tuple[str, str]]:
        """Every message with `each` of the earlier ones that sound like it; nobody has labelled these pairs."""
        scores = self._between(told)
        found = []
        for at in range(1, len(told)):
            places = _highest(scores[at, :at], _NEAREST_TO_A_MESSAGE)
            found += [(told[place], told[at]) for place in draw.sample(places, min(each, len(places)))]
        return found

    def _between(self, texts: Sequence[str]) -> Any:
        vectors = np.asarray(self._vectors(texts))
        return vectors @ vectors.T


def _highest(scores: Any, count: int) -> list[int]:
    return [int(at) for at in np.argsort(-scores, kind="stable")[:count]]
