"""How good a ranking is: what one answer scores, and what many do together, with how sure that is.

A score is from 0 to 1; only tokens are counted. Right items count once, wherever they are found again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from random import Random

from recollect.domain.dataclass import dataclass

DRAWS = 1_000  # questions are drawn anew this often for an interval
TOP = 10  # places that count for the strict scores and for tokens
DEPTHS = (1, 5, 10, 20)

_TOKEN = re.compile(r"\w+|[^\w\s]")


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


def judged(found: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    """The scores of one ranking. `gold` must not be empty."""
    right = set(gold)
    places = [place for place, name in enumerate(dict.fromkeys(found), start=1) if name in right]
    within = {depth: sum(place <= depth for place in places) for depth in (*DEPTHS, TOP)}
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(right), TOP) + 1))
    gained = sum(1 / math.log2(place + 1) for place in places if place <= TOP)
    return {
        **{f"recall@{depth}": within[depth] / len(right) for depth in DEPTHS},
        f"all@{TOP}": float(within[TOP] == len(right)),
        f"any@{TOP}": float(within[TOP] > 0),
        "mrr": 1 / places[0] if places else 0.0,
        f"ndcg@{TOP}": gained / ideal,
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
        intervals[name] = interval(values, Random(f"{seed}/{name}"), draws=draws)  # noqa: S311 - a sample
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


def tokens(texts: Sequence[str]) -> int:
    """About how many tokens a reader would be charged for: words and marks."""
    return sum(len(_TOKEN.findall(text)) for text in texts)
