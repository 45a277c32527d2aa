"""The part of the card about the server: a row for each verb and number of clients, and how its memory developed."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.bench import serving
from recollect.bench.places import Places


def test_the_server_is_measured_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_REQUESTS", {True: 4})
    monkeypatch.setattr(serving, "_SOAK", {True: 1.5})
    monkeypatch.setattr(serving, "CLIENTS", (1, 8))
    tables = serving.run(Places(tmp_path), sizes=(100,), quick=True, seed=7, embedding="off")
    rates, soak = tables
    assert [(row["serving"], row["clients"], row["sent_away"]) for row in rates.rows] == [
        ("search", 1, 0), ("search", 8, 0), ("add", 1, 0), ("add", 8, 0),
    ]  # fmt: skip
    assert all(float(row["per_second"] or 0) > 0 for row in rates.rows)
    assert (soak.rows[0]["failed"], float(soak.rows[0]["end_mb"] or 0) > 10) == (0, True)
    found = serving.figures(tables)
    assert found["search"]["100"]["8"]["p99_ms"] > 0
    assert "growth_mb_per_10_min" in found["soak"]


def test_a_line_through_points_has_their_slope() -> None:
    assert serving._slope([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) == pytest.approx(2.0)
    assert serving._slope([(1.0, 1.0)]) == 0.0
