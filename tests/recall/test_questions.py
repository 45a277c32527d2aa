"""The words of a question tell what it asks for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.recall.question import Question, Wants, understand

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def question(text: str) -> Question:
    return understand(text, now=NOON, zone=UTC)


@pytest.mark.parametrize(
    ("asked", "stands"),
    [
        ("Which mobile contract do I have?", True),
        ("which mobile contract", True),
        ("my mobile contract", True),
        ("Mobile contract?", True),
        ("mobile contract", False),
        ("A mobile contract is cancelled by a letter.", False),
        ("how to cancel a mobile contract", False),
        ("Have I had a mobile contract before?", False),
        ("Who pays for the mobile contract?", True),
        ("Who need to sign the mobile contract?", True),
        ("Who signed the mobile contract?", False),
        ("Who finally wrote the mobile contract?", False),
        ("Who signed the mobile contract in May?", True),  # at that time
    ],
)
def test_how_things_stand_is_asked_without_a_mark_or_a_verb_but_not_by_a_few_words(asked: str, stands: bool) -> None:
    assert question(asked).asks_how_things_stand is stands


def test_how_things_stand_may_be_asked_of_a_thing_but_of_nobody_who_is_known() -> None:
    asked = question("Which mobile contract does the Heron project have?")

    assert asked.asks_how_things_stand
    assert not replace(asked, people=frozenset({"heron"})).asks_how_things_stand


@pytest.mark.parametrize(
    ("asked", "many"),
    [
        ("Which instruments do I play?", True),
        ("What recurring payments do I have?", True),
        ("On which operating systems can it run?", True),
        ("What have I been driving over the years?", True),
        ("Tell me everything about the move.", True),
        ("List the towns I know.", True),
        ("Can you list what I pay for?", True),
        ("What should I list under charity work?", False),
        ("Which mobile contract do I have?", False),
        ("Which bus do I take?", False),
        ("Who is my dentist?", False),
    ],
)
def test_a_question_for_many_is_told_by_its_words(asked: str, many: bool) -> None:
    assert question(asked).asks_for_many is many


@pytest.mark.parametrize(
    ("asked", "wants"),
    [
        ("Who has led Heron?", Wants.THE_HISTORY),
        ("Where have the scheduler's Docker images been kept?", Wants.THE_HISTORY),
        ("Where have I volunteered?", Wants.THE_HISTORY),
        ("What have I taken pictures with over time?", Wants.THE_HISTORY),
        ("Who has the final say on Heron?", Wants.THE_FACT),
        ("Which room has a projector?", Wants.THE_FACT),
        ("What have I decided about the flat?", Wants.THE_FACT),
    ],
)
def test_what_has_been_is_a_history_and_what_somebody_has_is_not(asked: str, wants: Wants) -> None:
    assert question(asked).wants is wants


def test_a_question_without_end_is_read_in_one_pass() -> None:
    """In time that grows with the square of its length this would take the better part of an hour."""
    asked = question("which have " * 36_000)

    assert (asked.wants, asked.asks_for_many, asked.asks_how_things_stand) == (Wants.THE_FACT, False, False)
