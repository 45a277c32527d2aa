"""The trace of a call: which files of the package it enters, and how often it goes from one to another."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.trace.trails import followed, run
from recollect import Settings
from recollect.recall.coverage import share
from recollect.recall.words import stem


def test_a_call_within_one_file_moves_nowhere() -> None:
    trail = followed(lambda: share(["live", "work"], ["live"]))

    [file] = trail.calls
    assert share.__code__.co_filename.endswith(f"/recollect/{file}")
    assert (trail.moves, trail.folders) == (0, {"recall"})


def test_nothing_outside_of_the_package_is_counted() -> None:
    assert followed(lambda: sorted([3, 1, 2], key=lambda each: -each)).calls.total() == 0


def test_whoever_was_watching_before_watches_again() -> None:
    before = sys.getprofile()
    followed(lambda: stem("deploys"))

    assert sys.getprofile() is before


def test_every_verb_has_a_row_and_its_files() -> None:
    settings = Settings(home=Path("/nonexistent"), store=":memory:", embedding="off")

    trace, *files = run(settings, files=True)

    assert [row["verb"] for row in trace.rows] == ["save", "add", "search", "recall"]
    assert [len(table.rows) for table in files] == [row["files"] for row in trace.rows]
    assert any(str(row["file, add"]).startswith("readers/rules/") for row in files[1].rows)
