"""The labelled set: utterances with everything that must be read from them, and nothing else."""

from __future__ import annotations

from tests.remember.measured import cases, scored


def test_what_is_read_is_right_and_little_is_missed() -> None:
    overall = scored(cases()).overall

    assert overall.precision >= 0.97
    assert overall.recall >= 0.85


def test_where_nothing_is_said_nothing_is_read() -> None:
    noise = scored(cases()).noise

    assert [(case.text, statements) for case, statements in noise] == []


def test_the_set_is_large_and_has_enough_that_must_yield_nothing() -> None:
    found = cases()

    assert len(found) >= 600
    assert sum(not case.expect for case in found) >= 100
