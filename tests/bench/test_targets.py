"""Targets stand beside what was measured, and only there."""

from __future__ import annotations

from typing import Any

import pytest

from bench.targets import targets_table


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ({"realmem": {"ndcg@10": 0.40}}, [("realmem, ndcg@10", "≥ 0.37", "0.400", "yes")]),
        ({"realmem": {"ndcg@10": 0.36}}, [("realmem, ndcg@10", "≥ 0.37", "0.360", "no")]),
        (
            {"speed": {"sizes": {"100000": {"resident_mb": 512.0}, "1000": {"resident_mb": 100.0}}}},
            [("speed, 100000, resident_mb", "≤ 400", "512", "no")],
        ),
        (
            {"locomo": {"recall@10": 0.88, "together": {"recall@10": 0.86}}},
            [
                ("locomo, recall@10", "≥ 0.87", "0.880", "yes"),
                ("locomo, recall@10 lost when all are in one space", "≤ 0.03", "0.020", "yes"),
            ],
        ),
    ],
)
def test_a_measured_figure_is_held_against_its_target(sets: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    table = targets_table(sets)
    assert table is not None
    assert [tuple(row.values()) for row in table.rows] == expected


def test_without_a_measured_figure_there_is_no_table() -> None:
    assert targets_table({"longmemeval": {"recall@10": 1.0}}) is None
