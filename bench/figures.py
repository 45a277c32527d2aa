"""Scores of many answers together, with how sure they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from recollect.domain.dataclass import dataclass

DRAWS = 1_000  # questions are drawn anew this often for an interval


@dataclass(frozen=True, slots=True)
class Figures:
    """Scores over questions, and where each lies with 95 % certainty."""

    questions: int
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]

    def as_plain(self) -> dict[str, object]:
        return {
            "questions": self.questions,
            **{name: round(value, 4) for name, value in self.scores.items()},
            "intervals": {name: [round(low, 4), round(high, 4)] for name, (low, high) in self.intervals.items()},
        }


def is_above(newer: Sequence[str], older: Sequence[str], found: Sequence[str]) -> bool:
    """Whether something newer stands above everything older. If neither was found, it does not."""
    first = next((name for name in found if name in newer or name in older), None)
    return first is not None and first in newer


def together(scores: Sequence[Mapping[str, float]], *, seed: int, draws: int = DRAWS) -> Figures:
    """The means over questions, with intervals from drawing the questions anew that often."""
    names = list(dict.fromkeys(name for each in scores for name in each))
    means: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}
    for name in names:
        values = [each[name] for each in scores if name in each]
        means[name] = sum(values) / len(values)
        intervals[name] = interval(values, Random(f"{seed}/{name}"), draws=draws)
    return Figures(len(scores), means, intervals)


def interval(values: Sequence[float], rng: Random, *, draws: int = DRAWS) -> tuple[float, float]:
    """Where the mean lies in 95 of 100 draws of as many values."""
    if min(values) == max(values):
        return values[0], values[0]
    means = [sum(rng.choices(values, k=len(values))) / len(values) for _ in range(draws)]
    return percentile(means, 0.025), percentile(means, 0.975)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of them do not exceed: one that was measured, never one between two."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
