"""Answers on somebody: a relative by name, whoever a question only names, and values that a reader holds unlikely."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recollect import Memory
from recollect.domain.dataclass import replace
from recollect.domain.notes import Kind, Note
from recollect.domain.readings import USER, Polarity
from recollect.recall.people import with_kin_named, without_kin
from tests.cited.test_read_beside import read_by, reading, say
from tests.recall.test_answers_first import ByHeart
from tests.support.clock import SteadyClock
from tests.support.writing import a_note

__all__ = ["reading"]


def kin(clock: SteadyClock, attribute: str, name: str) -> Note:
    said = {"subject": USER, "attribute": attribute, "value": name}
    return a_note(clock, f"User's {attribute} is {name}.", kind=Kind.SEMANTIC, **said)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Where does my sister live?", "Where does Ana live?"),
        ("What is my sister's phone number?", "What is Ana's phone number?"),
        ("Where does my brother live?", "Where does my brother live?"),
        ("Where is my car?", "Where is my car?"),
        ("Where does Ana live?", "Where does Ana live?"),
        ("Where does my sister-in-law live?", "Where does my sister-in-law live?"),
        ("Where does my sister in law live?", "Where does my sister in law live?"),
        ("Where does my son live?", "Where does my son live?"),
    ],
)
def test_a_relative_is_named_where_a_note_says_who_it_is(clock: SteadyClock, question: str, named: str) -> None:
    notes = [kin(clock, "sister", "Ana"), kin(clock, "brother", "Jon"), kin(clock, "brother", "Max")]
    assert with_kin_named(question, [*notes, kin(clock, "children", "son")]) == named


def test_who_is_no_longer_the_husband_is_not_named_as_one(clock: SteadyClock) -> None:
    former = replace(kin(clock, "husband", "Tom"), metadata={"said": {"polarity": Polarity.ENDED.value}})
    assert with_kin_named("Where does my husband live?", [former]) == "Where does my husband live?"


@pytest.mark.parametrize(
    ("question", "rest"),
    [("Where does my sister live?", "Where does  live?"), ("Where do I keep my car?", "Where do I keep my car?")],
    ids=["sister", "car"],
)
def test_a_relative_is_left_out_of_a_question(question: str, rest: str) -> None:
    assert without_kin(question) == rest


def test_a_question_about_a_relative_is_read_with_the_name_as_well(reading: Memory) -> None:
    reading.add("My sister is called Ana.")
    say(reading, "Ana has moved to a flat in Munich")
    made = reading._engine.inference.get()

    class Reader(ByHeart):
        def answers(self, question: str, texts: Sequence[str]) -> list[float | None]:
            return [0.9 if "Ana" in question and "Munich" in text else 0.01 for text in texts]

    reading._engine.inference.made = replace(made, relevance=Reader({}))
    assert [each.text for each in reading.answer("Where does my sister live?")] == ["Ana has moved to a flat in Munich"]


def test_an_end_of_whoever_asks_tells_nothing_of_a_relative(reading: Memory, clock: SteadyClock) -> None:
    reading.add("I live in Lisbon.")
    clock.advance(days=30)
    reading.add("I moved to Porto.")
    reading.add("My sister is called Ana.")
    answer = reading.answer("Where does my sister live?")
    assert not [gap for gap in answer.gaps if "Lisbon" in gap]


def test_an_end_on_a_relative_is_told_where_it_is_asked_who_that_is(reading: Memory, clock: SteadyClock) -> None:
    met = reading.save("User's girlfriend is Pim.", subject=USER, attribute="partner", value="Pim")
    clock.advance(days=30)
    reading.update(met.id, valid_until=clock.now())
    clock.advance(days=1)
    assert (
        reading.answer("Who is my girlfriend?").gaps[0].startswith("It is no longer known: “User's girlfriend is Pim”")
    )


def test_a_question_that_only_names_somebody_is_answered_by_whatever_names_them(reading: Memory) -> None:
    reading.add("My wife Carla plays the cello.")
    read_by(reading)
    assert "Carla" in reading.answer("Who is Carla?").text
    assert not reading.answer("What does Carla charge for a lesson?")


def test_a_value_gives_way_to_a_record_of_which_the_reader_is_rather_sure(reading: Memory) -> None:
    reading.add("I live in Lisbon.")
    say(reading, "The keys to the place where I live are under the mat")
    asked = "Where do I live, and where are the keys to it?"
    read_by(reading, Lisbon=0.5, mat=0.9)
    assert "Lisbon" in reading.answer(asked).text
    read_by(reading, Lisbon=0.1, mat=0.6)
    assert "Lisbon" in reading.answer(asked).text
    read_by(reading, Lisbon=0.1, mat=0.9)
    assert [each.text for each in reading.answer(asked)] == ["The keys to the place where I live are under the mat"]
