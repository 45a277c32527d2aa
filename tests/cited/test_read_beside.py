"""Answers where a model reads records beside the question: its word decides, and not how many words they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from recollect import Memory
from recollect.domain.answers.contexts import SentenceTime
from recollect.domain.dataclass import replace
from recollect.recall.cited.extractive import best_passage
from recollect.recall.people import names_other_kin
from tests.cited.test_synthesised_answers import saying, with_model
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


def test_taking_back_a_side_remark_leaves_a_better_answer(reading: Memory) -> None:
    [_, remark] = say(reading, OLD, NEW)
    read_by(reading, gravel=0.45, run=0.35)
    assert [each.text for each in reading.answer(ASKED)] == [OLD]
    reading.retract(remark)
    assert [each.text for each in reading.answer(ASKED)] == [OLD]


def test_no_model_worded_what_stands_in_the_place_of_its_answer(reading: Memory, clock: SteadyClock) -> None:
    older, newer, _ = say(reading, OLD, NEW, "My tyres had no pressure at all on Monday")
    judged(store_of(reading), clock, newer, older, space="default")
    read_by(reading, gravel=0.1, run=0.9, Monday=0.2)
    memory, model = with_model(reading, saying(("Your tyres had no pressure at all on Monday.", "Monday")))
    assert memory.answer(ASKED).model == model.model_id
    memory.retract(newer)
    answer = memory.answer(ASKED)
    assert ([each.text for each in answer], answer.model) == ([OLD], "")


def test_a_message_quoted_by_its_fact_is_as_likely_as_it_was_read(reading: Memory) -> None:
    reading.add("I live in Lisbon, right by the river.")
    [gone] = say(reading, "The river near here is the Tagus")
    read_by(reading, Lisbon=0.4, Tagus=0.9)
    reading.retract(gone)
    answer = reading.answer("Which river is near?")
    assert (list(answer), answer.gaps) == ([], ("It is no longer known: a message on it was taken back.",))


def test_a_later_message_that_answers_by_its_fact_needs_less_to_be_a_change(
    reading: Memory, clock: SteadyClock
) -> None:
    [older] = say(reading, "The river near my flat is the Thames")
    newer = reading.add("I live in Lisbon, right by the river Tagus.").observation_ids[0]
    judged(store_of(reading), clock, newer, older, score=0.35, space="default")
    read_by(reading, Thames=0.8, Lisbon=0.8)
    times = {each.text: each.time for each in reading.answer("Which river is near my flat?")}
    assert times["The river near my flat is the Thames"] is SentenceTime.PAST


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What does our daughter study?", "Our son Matthijs studies law", True),
        ("What does my girl study?", "User's son studies law", True),
        ("What does our child study?", "Our son Matthijs studies law", False),
        ("Where does my sister live?", "My brother lives in Oslo", True),
        ("Where does my sister live?", "My brother's flat is in Oslo", True),
        ("Where does my sister live?", "She lives in Oslo", False),
        ("Where does my sister live?", "My brother found Ann a flat in Oslo", False),
        ("Where does my sister live?", "My brother and sister live in Oslo", False),
        ("Where does my sister live?", "The brother of the baker lives in Oslo", False),
        ("Where does my brother-in-law live?", "My sister and Tom live in Oslo", False),
        ("Where does my sister live?", "My brother-in-law has a house in Oslo", False),
        ("Do my son or daughter study?", "Our daughter studies law", False),
        ("Where does my son go to school?", "All kids go to Elm School, our daughter since May", False),
        ("Where does my aunt live?", "My aunt and my uncle live in Oslo", False),
        ("What did my sister inherit?", "Ann inherited the ring of our grandmother", False),
        ("What did my sister inherit?", "My grandmother left her the ring", False),
        ("Which package manager do we use?", "Our client library is installed with uv", False),
        ("What are the names of my kids?", "My son is called Max and my daughter Mia", False),
        ("Who are my children?", "My son is called Max", False),
        ("Who are my siblings?", "My brother is called Max", False),
        ("Who are my sisters?", "My sister is called Mia", False),
        ("Who are my parents?", "My mother is called Mia", False),
        ("Who are my colleagues?", "My colleague is called Max", False),
        ("Who are my friends?", "My friend is called Max", False),
    ],
)
def test_a_text_on_a_son_is_told_from_one_on_the_daughter_asked_about(question: str, text: str, is_other: bool) -> None:
    assert names_other_kin(question, text, frozenset({"ann"})) is is_other


@pytest.mark.parametrize(
    ("told", "question", "name"),
    [
        ("My son is called Max.", "What are the names of my kids?", "Max"),
        ("My colleague Priya works on billing.", "Who are my colleagues?", "Priya"),
        ("My friend Jonas came by.", "Who are my friends?", "Jonas"),
    ],
    ids=["kids", "colleagues", "friends"],
)
def test_a_question_about_several_is_answered_by_what_is_known_of_one(
    reading: Memory, told: str, question: str, name: str
) -> None:
    reading.add(told)
    assert name in " ".join(each.text for each in reading.answer(question))


def test_a_record_answers_that_names_another_relative_too(reading: Memory) -> None:
    reading.add("My sister is called Ann.")
    say(reading, "Ann inherited the ring of our grandmother")
    assert "ring" in reading.answer("What did my sister inherit?").text


def test_the_point_of_a_title_ends_no_sentence() -> None:
    told = "Lessons have begun. My tutor is Ms. Bao and she is strict. Bring a pen."
    assert best_passage(told, ["tutor"], 400) == "My tutor is Ms. Bao and she is strict."
