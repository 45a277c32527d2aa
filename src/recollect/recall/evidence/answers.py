"""The best hits are read beside the question, and those that answer it come first.

Vectors are made of each text by itself, long before anybody asks. A model that reads the question and a text together
sees what they have to do with each other. It costs a run for each pair, so only the first few hits are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.meanings import Relevance
from recollect.recall.weights import RelevanceWeights

NAME = "answers it"


def answers_first(
    ranked: Sequence[Hit], question: str, relevance: Relevance, weights: RelevanceWeights
) -> tuple[list[Hit], float | None, dict[str, float]]:
    """The hits, the best of them by how likely they answer as well; how likely the likeliest does, unless some of them
    could not be read; and how likely each does that was. A hit that is too long to be read keeps its place among those
    that are neither likely nor unlikely.
    """
    likely = _read(ranked[: weights.compared], question, relevance, weights)
    known = [each for each in likely if each is not None]
    if not known:
        return list(ranked), None, {}
    best, rest = ranked[: len(likely)], ranked[len(likely) :]
    middle = sum(_worth(each, weights) for each in known) / len(known)
    moved = [
        replace(
            hit,
            score=round(hit.score + weights.worth * (middle if each is None else _worth(each, weights)), 6),
            why=hit.why if each is None else (*hit.why, f"{NAME}: {each:.2f}"),
        )
        for hit, each in zip(best, likely, strict=True)
    ]
    lift = weights.worth * middle  # nobody further down was read: they stay where they were
    kept = [replace(hit, score=round(hit.score + lift, 6)) for hit in rest]
    # Where some could not be read, none of them need be known to answer.
    most = max(known) if len(known) == len(likely) else None
    read = {hit.id: each for hit, each in zip(best, likely, strict=True) if each is not None}
    return sorted([*moved, *kept], key=lambda hit: -hit.score), most, read


def _read(hits: Sequence[Hit], question: str, relevance: Relevance, weights: RelevanceWeights) -> list[float | None]:
    """How likely each of the hits answers, as far down as it was read: a few at a time, until one surely answers."""
    likely: list[float | None] = []
    while len(likely) < len(hits) and max((each or 0.0 for each in likely), default=0.0) < weights.enough:
        some = hits[len(likely) : len(likely) + weights.at_once]
        likely += relevance.answers(question, [told_text(hit) for hit in some])
    return likely


def _worth(likely: float, weights: RelevanceWeights) -> float:
    """From 0 to 1, by odds: between one in a hundred and one in ten there is as much as between that and a half."""
    lowest = _odds(weights.never)
    return max(0.0, min(1.0, (_odds(likely) - lowest) / (_odds(1 - weights.never / 2) - lowest)))


def _odds(likely: float) -> float:
    bounded = min(max(likely, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def told_text(hit: Hit) -> str:
    """A text as the model was taught to read it: with the name of whoever said it, unless that is the user."""
    said = hit.observation
    if said is not None and (speaker := said.speaker or (said.role if said.role != "user" else None)):
        return f"{speaker}: {said.text}"
    return hit.text
