"""The words of a question tell what it asks for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.domain.meanings import AnswerKind
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


def told(text: str, **shares: float) -> Question:
    """A question of which a model holds some kinds of answer likely."""
    return question(text).as_told({kind: shares.get(kind, 0.0) for kind in AnswerKind})


LONG = (
    "The people at the counter of the town hall want the name of the street on their form, and I am standing here "
    "with a pen that hardly writes, so which one is it?"
)


def test_how_things_stand_is_asked_in_any_words_where_a_model_says_so() -> None:
    assert not question(LONG).asks_how_things_stand
    assert told(LONG, now=0.9, once=0.1).asks_how_things_stand
    assert not told("Which mobile contract do I have?", once=0.9, now=0.1).asks_how_things_stand


def test_a_value_of_another_time_is_asked_of_how_things_stood_only_where_a_time_is_named() -> None:
    assert not told("Which contract was mine?", past=1.0).asks_how_things_stand
    assert told("Which contract was mine in May 2025?", past=1.0).asks_how_things_stand


@pytest.mark.parametrize(
    ("shares", "wants"),
    [
        ({"history": 0.8, "now": 0.2}, Wants.THE_HISTORY),
        ({"past": 0.7, "now": 0.3}, Wants.THE_HISTORY),
        ({"change": 0.6, "once": 0.4}, Wants.THE_CHANGE),
        ({"now": 0.6, "history": 0.4}, Wants.THE_FACT),
    ],
)
def test_a_model_tells_what_a_question_wants(shares: dict[str, float], wants: Wants) -> None:
    assert told("the contract?", **shares).wants is wants


def test_several_values_are_only_asked_for_where_a_model_is_sure_of_it() -> None:
    assert told("Which contracts do I have?", several=0.9, now=0.1).asks_for_many
    assert not told("Which contracts do I have?", several=0.6, now=0.4).asks_for_many


def test_what_may_be_asked_for_several_values_is_put_in_order_as_such_and_keeps_its_newer_ones_first() -> None:
    perhaps, hardly = (told("Which contracts do I have?", several=share, now=1 - share) for share in (0.6, 0.4))
    assert (perhaps.may_ask_for_many, perhaps.asks_for_many) == (True, False)
    assert not hardly.may_ask_for_many


def test_a_task_and_a_talk_have_no_answer_in_memory() -> None:
    assert not told("Which verse rhymes with contract?", task=0.6, talk=0.3, now=0.1).has_an_answer
    assert told("could you look up my contract", task=0.3, now=0.7).has_an_answer


def test_who_is_known_keeps_a_question_from_how_things_stand_unless_it_asks_of_ourselves() -> None:
    asked = told("Which contract does Heron have?", now=1.0)
    ours = told("Which contract have I got from Heron?", now=1.0)

    assert not replace(asked, people=frozenset({"heron"})).asks_how_things_stand
    assert replace(ours, people=frozenset({"heron"})).asks_how_things_stand


def test_a_question_without_end_is_read_in_one_pass() -> None:
    """In time that grows with the square of its length this would take the better part of an hour."""
    asked = question("which have " * 36_000)

    assert (asked.wants, asked.asks_for_many, asked.asks_how_things_stand) == (Wants.THE_FACT, False, False)
