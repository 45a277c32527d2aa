"""Answers tell what is over from what holds, and what is no longer known from what never was."""

from __future__ import annotations

from typing import Any

from recollect import Memory
from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.links.statement_link import StatementRelation
from recollect.domain.meanings import Ordered
from tests.cited.test_read_beside import ASKED, NEW, OLD, read_by, reading, say
from tests.support.links import link

__all__ = ["reading"]

CIRCLE, OVER, SEED = (
    "The circle is on Middlemarch",
    "It is finished, and no book follows",
    "The circle is out of biscuits",
)
WHAT = "What are we reading with the circle?"


def test_a_fact_is_known_by_its_message_though_its_own_words_do_not_answer(reading: Memory) -> None:
    told = "In an emergency at the depot, ring my brother Rashid."
    assert [each.note for each in reading.add(told).learned]
    read_by(reading, ring=0.85)
    assert [each.text for each in reading.answer("Whom do they call after an accident at the depot?")] == [told]


def test_an_answer_that_is_over_comes_with_what_took_its_place(reading: Memory) -> None:
    older, newer = say(reading, OLD, NEW)
    read_by(reading, gravel=0.9, run=0.1)
    assert [each.text for each in reading.answer(ASKED)] == [OLD]
    link(reading, older, newer)
    answer = reading.answer(ASKED)
    assert [(each.text, each.time) for each in answer] == [(NEW, SentenceTime.CURRENT), (OLD, SentenceTime.PAST)]


def test_an_end_is_told_though_something_less_likely_is_quoted_beside_it(reading: Memory) -> None:
    _, circle, over = say(reading, SEED, CIRCLE, OVER)
    link(reading, circle, over, StatementRelation.ENDS)
    read_by(reading, biscuits=0.5, Middlemarch=0.55)
    assert reading.answer(WHAT).gaps[0].startswith(f"It is no longer known: “{CIRCLE}” held until")
    read_by(reading, biscuits=0.6, Middlemarch=0.55)
    assert not [gap for gap in reading.answer(WHAT).gaps if gap.startswith("It is no longer known")]


def test_nothing_is_said_to_be_unknown_of_which_something_newer_is_quoted(reading: Memory) -> None:
    circle, over = say(reading, CIRCLE, OVER)
    link(reading, circle, over, StatementRelation.ENDS)
    say(reading, "The circle goes on with Emma")
    read_by(reading, Emma=0.5, Middlemarch=0.55)
    assert not [gap for gap in reading.answer(WHAT).gaps if gap.startswith("It is no longer known")]


def finds_nothing(memory: Memory, **likely: float) -> None:
    """Have a model read records that takes none of them for an answer once it has seen them beside each other."""
    read_by(memory, **likely)
    reader: Any = memory._engine.inference.get().relevance
    reader.ordered = lambda _, listed, **__: Ordered((0.0,) * len(listed), nothing=0.9)


def test_where_nothing_answers_any_more_the_answer_says_until_when_something_did(reading: Memory) -> None:
    circle, over, *_ = say(reading, CIRCLE, OVER, *(f"The circle met {number} times" for number in range(3, 14)))
    finds_nothing(reading, Middlemarch=0.6)
    never = reading.answer(WHAT)
    assert not never and never.gaps == (f"Nothing is known about “{WHAT}”.",)
    link(reading, circle, over, StatementRelation.ENDS)
    answer = reading.answer(WHAT)
    assert not answer and answer.gaps[0].startswith(f"It is no longer known: “{CIRCLE}” held until")


SIBYL = "What are we reading with Sibyl these days?"


def test_of_somebody_who_was_never_spoken_of_nothing_is_no_longer_known(reading: Memory) -> None:
    circle, over = say(reading, f"{CIRCLE} these days", OVER)
    link(reading, circle, over, StatementRelation.ENDS)
    read_by(reading, Middlemarch=0.6)
    assert reading.answer(SIBYL).gaps == (f"Nothing is known about “{SIBYL}”.",)


def test_an_answer_that_was_taken_back_is_not_explained_by_another_record(reading: Memory) -> None:
    circle, over, emma = say(reading, f"{CIRCLE} these days", OVER, "With Sibyl we read Emma")
    link(reading, circle, over, StatementRelation.ENDS)
    read_by(reading, Middlemarch=0.6, Emma=0.9)
    reading.retract(emma)
    assert reading.answer(SIBYL).gaps == ("It is no longer known: a message on it was taken back.",)
