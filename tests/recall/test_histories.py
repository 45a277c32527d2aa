"""The versions of a chain as one history, and what of it was true at a moment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.domain.notes import Note, State, revised
from recollect.recall.profiles import history_of, true_at
from tests.support.clock import SteadyClock
from tests.support.writing import a_note, at


@pytest.fixture
def austin_boston() -> list[Note]:
    """Austin since 2020; on 1 June 2025 we learn of Boston since 20 May."""
    clock = SteadyClock("2025-03-05T00:00:00+00:00")
    austin = a_note(clock, "Austin", valid_from=at("2020-01-01"))
    ended = revised(austin, at("2025-06-01"), state=State.SUPERSEDED, valid_until=at("2025-05-20"))
    boston = replace(
        a_note(clock, "Boston", valid_from=at("2025-05-20"), supersedes=(austin.id,)),
        recorded_at=at("2025-06-01"),
        updated_at=at("2025-06-01"),
    )
    return [boston, ended, austin]


def test_steps_come_in_the_order_in_which_they_were_true(austin_boston: list[Note]) -> None:
    steps = history_of(austin_boston).steps
    assert [step.note.text for step in steps] == ["Austin", "Boston"]
    assert [[version.version for version in step.versions] for step in steps] == [[1, 2], [1]]
    assert steps[0].note.state is State.SUPERSEDED


@pytest.mark.parametrize(
    ("as_of", "known_at", "text"),
    [
        ("2025-05-01", None, "Austin"),
        ("2025-05-25", None, "Boston"),
        ("2025-05-20", None, "Boston"),
        ("2025-05-19T23:59:59.999999", None, "Austin"),
        ("2025-05-25", "2025-05-28", "Austin"),
        ("2025-05-25", "2025-06-01", "Boston"),
        ("2019-12-31", None, None),
        ("2025-05-25", "2025-03-01", None),
    ],
)
def test_each_moment_has_the_answer_of_the_glossary(
    austin_boston: list[Note], as_of: str, known_at: str | None, text: str | None
) -> None:
    found = true_at(austin_boston, at(as_of), known_at=at(known_at) if known_at else None)
    assert (found.text if found else None) == text


def test_of_two_that_are_both_true_the_one_that_began_last_counts() -> None:
    clock = SteadyClock()
    early, late = (
        a_note(clock, "early", valid_from=at("2020-01-01")),
        a_note(clock, "late", valid_from=at("2021-01-01")),
    )
    found = true_at([late, early], at("2022-01-01"))
    assert found is not None and found.text == "late"


def test_a_history_can_end_at_what_had_begun_by_then(austin_boston: list[Note]) -> None:
    steps = history_of(austin_boston, begun_by=at("2025-05-19")).steps
    assert [step.note.text for step in steps] == ["Austin"]


def test_a_history_can_end_at_what_was_known_by_then(austin_boston: list[Note]) -> None:
    [step] = history_of(austin_boston, known_at=at("2025-05-28")).steps
    assert (step.note.text, step.note.state, len(step.versions)) == ("Austin", State.ACTIVE, 1)


def test_what_does_not_say_since_when_goes_by_its_event_or_its_recording() -> None:
    clock = SteadyClock("2025-01-01T00:00:00+00:00")
    told = a_note(clock, "told in 2025", valid_from=None)
    happened = a_note(clock, "happened in 2024", valid_from=None, occurred_at=at("2024-01-01"))
    assert [step.note.text for step in history_of([told, happened]).steps] == ["happened in 2024", "told in 2025"]


def test_of_nothing_there_is_no_history() -> None:
    assert history_of([]).steps == ()
    assert true_at([], at("2026-01-01")) is None
