"""Pure: the sum of all signs that something answers a question.

Signs are scaled to 0..1 and added: on every set measured that beat reciprocal ranks. Products of signs and a second
round of search were tried and gave nothing. Their worth is in `weights`.
"""

from __future__ import annotations

from typing import NamedTuple

from recollect.recall.weights import SignWeights


class Signs(NamedTuple):
    """The signs that speak for a candidate, each from 0 to 1. A tuple, since each candidate of a search has one."""

    words: float = 0.0
    words_around: float = 0.0
    meaning: float = 0.0
    meaning_around: float = 0.0
    in_time: float = 0.0
    standing: float = 0.0
    answers: float = 0.0
    fits: float = 0.0
    tells: float = 0.0
    speaker: float = 0.0
    of_oneself: float = 0.0
    recent: float = 0.0
    asks: float = 0.0


def fused(signs: Signs, weights: SignWeights, *, measured: bool) -> float:
    """One score. Where no meaning is `measured` the words have its share too."""
    by_itself, around = (weights.meaning, weights.meaning_around) if measured else (0.0, 0.0)
    matched = (
        (weights.words + weights.meaning - by_itself) * signs.words
        + (weights.words_around + weights.meaning_around - around) * signs.words_around
        + by_itself * signs.meaning
        + around * signs.meaning_around
    )
    return matched + (
        weights.in_time * signs.in_time
        + weights.standing * signs.standing
        + weights.answers * signs.answers
        + weights.fits * signs.fits
        + weights.tells * signs.tells
        + weights.speaker * signs.speaker
        + weights.of_oneself * signs.of_oneself
        + weights.recent * signs.recent
        + weights.asks * signs.asks
    )
