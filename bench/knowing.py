"""How well memory says that it knows nothing: what questions with and without an answer are told of its coverage.

A question with an answer should never be told `none`. One without should not be told `full`: those that a set marks
as never answered, and those that belong to another conversation of the set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from bench.card import Row, Table
from bench.material import DataSet
from bench.retelling import ALONE, OURS, Retold
from recollect.domain.answers.recollections import Coverage

ANSWERABLE = "with an answer"


def figures(given: DataSet, retold: Retold) -> dict[str, dict[str, float]]:
    """By the sort of question: how many there were, and what shares of them were told what."""
    told: dict[str, list[Coverage]] = defaultdict(list)
    for found in retold.found[ALONE, OURS]:
        category = found.question.category
        if found.coverage is not None:
            told[category if category in given.unanswerable else ANSWERABLE].append(found.coverage)
    for sort, coverages in retold.unanswered.items():
        told[sort].extend(coverages)
    return {sort: _shares(coverages) for sort, coverages in told.items()}


def table(name: str, figure: Mapping[str, Any]) -> Table:
    rows: list[Row] = [
        {f"{name}: coverage": sort, "questions": each["questions"]}
        | {f"told_{coverage.value}_%": 100 * each[coverage.value] for coverage in Coverage}
        for sort, each in figure.items()
    ]
    return Table(f"{name}: coverage", rows)


def _shares(told: Sequence[Coverage]) -> dict[str, float]:
    shares = {coverage.value: told.count(coverage) / len(told) for coverage in Coverage}
    return {"questions": len(told), **shares}
