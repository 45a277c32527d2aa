"""Answers where a model reads records beside the question: its word decides, and not how many words they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.dataclass import replace
from recollect.recall.people import names_other_kin
from tests.links.making import judged
from tests.recall.test_answers_first import ByHeart
from tests.support.clock import SteadyClock
from tests.support.raw import store_of

ASKED = "What is the pressure of my tyres?"
OLD, NEW = "Put 2.1 bar into the tyres of the gravel bike", "The pressure of my tyres: run 2.8 bar"


@pytest.fixture
def reading(store_address: str, tmp_path: Path, clock: SteadyClock) -> Iterator[Memory]:
    with Memory(store=store_address, home=tmp_path / "home", embedding="off", judge="off", clock=clock) as memory:
        yield memory


def read_by(memory: Memory, **likely: float) -> None:
    """Have a model read records that knows how likely a message answers with a word in it."""
    made = memory._engine.inference.get()

    class Reader(ByHeart):
        def answers(self, question: str, texts: Sequence[str]) -> list[float | None]:
            return [next((each for word, each in likely.items() if word in text), 0.01) for text in texts]

    memory._engine.inference.made = replace(made, relevance=Reader({}))


def say(memory: Memory, *texts: str) -> list[str]:
    return [memory.add(each, extract=False).observation_ids[0] for each in texts]


def test_a_record_is_quoted_that_the_model_takes_for_an_answer_though_another_has_more_words(reading: Memory) -> None:
    say(reading, "My tyres had no pressure at all on Monday", OLD)
    read_by(reading, gravel=0.8)
    assert [each.text for each in reading.answer(ASKED)] == [OLD]


def test_nothing_is_quoted_that_it_takes_for_no_answer(reading: Memory) -> None:
    say(reading, "My tyres had no pressure at all on Monday")
    assert reading.answer(ASKED)
    read_by(reading, Monday=0.2)
    assert not reading.answer(ASKED)


def test_a_fact_counts_as_the_message_that_it_was_read_from(reading: Memory) -> None:
    told = reading.add("I live in Lisbon, right by the river.")
    assert [each.note.text for each in told.learned if each.note] == ["User lives in Lisbon."]
    say(reading, "The river was high on Monday")
    read_by(reading, Lisbon=0.9, Monday=0.2)
    assert [each.text for each in reading.answer("Which river is near?")] == ["I live in Lisbon, right by the river."]


def test_the_message_answers_again_that_one_had_replaced_which_was_taken_back(
    reading: Memory, clock: SteadyClock
) -> None:
    older, newer = say(reading, OLD, NEW)
    judged(store_of(reading), clock, newer, older, space="default")
    read_by(reading, gravel=0.1, run=0.9)
    reading.retract(newer)
    answer = reading.answer(ASKED)
    assert [(each.text, each.time) for each in answer] == [(OLD, SentenceTime.CURRENT)]


def test_without_such_a_message_the_answer_says_that_one_was_taken_back(reading: Memory) -> None:
    [_, newer] = say(reading, OLD, NEW)
    read_by(reading, gravel=0.1, run=0.9)
    reading.retract(newer)
    assert reading.answer(ASKED).gaps == ("It is no longer known: a message on it was taken back.",)


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What does our daughter study?", "Our son Matthijs studies law", True),
        ("What does our child study?", "Our son Matthijs studies law", False),
        ("Where does my sister live?", "My brother lives in Oslo", True),
        ("Where does my sister live?", "She lives in Oslo", False),
        ("Where does my aunt live?", "My aunt and my uncle live in Oslo", False),
    ],
    ids=["daughter and son", "child and son", "sister and brother", "nobody", "both"],
)
def test_a_text_on_other_relatives_is_told_from_one_on_those_asked_about(
    question: str, text: str, is_other: bool
) -> None:
    assert names_other_kin(question, text) is is_other
