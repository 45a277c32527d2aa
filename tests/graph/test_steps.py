"""Questions that name somebody by a relation are answered by whom it is."""

from __future__ import annotations

from typing import Any

import pytest

from recollect import Memory
from recollect.recall.chains.entity_steps import steps_in
from tests.support.clock import SteadyClock


@pytest.fixture
def memory(clock: SteadyClock) -> Memory:
    found = Memory(store=":memory:", embedding="off", judge="off", reranker="off", clock=clock)
    for who, attribute, value in (
        ("person:alice", "manager", "Carol"),
        ("person:alice", "location", "Rome"),
        ("person:carol", "location", "Oslo"),
        ("person:carol", "partner", "Dan"),
        ("person:dan", "location", "Turin"),
        ("user", "manager", "Carol"),
        ("user", "location", "Ghent"),
    ):
        found.learn(who, attribute, value)
    return found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does Alice's manager live?", "Carol lives in Oslo."),
        ("In which city is the manager of Alice?", "Carol lives in Oslo."),
        ("Where does Alice\N{RIGHT SINGLE QUOTATION MARK}s boss's husband live?", "Dan lives in Turin."),
        ("Where does my manager's partner live?", "Dan lives in Turin."),
        ("Does Alice's manager live in Oslo?", "Carol lives in Oslo."),
        ("Where does Alice live?", "Alice lives in Rome."),
        ("Who is Alice's manager?", "Alice's manager is Carol."),
        ("Where do I live?", "User lives in Ghent."),
    ],
)
def test_a_relation_is_followed_and_everything_else_asked_as_it_is(memory: Memory, question: str, answer: str) -> None:
    assert memory.search(question)[0].text == answer


def test_the_relation_is_told_beside_the_answer(memory: Memory) -> None:
    found = memory.search("Where does Alice's manager live?")

    assert "Alice's manager is Carol." in [hit.text for hit in found]


def test_a_relation_is_followed_as_it_held_at_the_asked_time(memory: Memory, clock: SteadyClock) -> None:
    before = clock.now()
    clock.advance(days=30)
    memory.learn("person:alice", "manager", "Dan")

    assert memory.search("Where does Alice's manager live?")[0].text == "Dan lives in Turin."
    assert memory.search("Where does Alice's manager live?", as_of=before)[0].text == "Carol lives in Oslo."


@pytest.mark.parametrize(
    "question", ["What is the weather of today?", "my friend", "Alice's", "", "'s of 's", "the A of B"]
)
def test_a_question_without_a_relation_takes_no_step(question: str) -> None:
    assert steps_in(question) == []


def test_the_speaker_is_the_user_who_is_asked_about(memory: Memory) -> None:
    for who, attribute, value in (
        ("user", "manager", "Eve"),
        ("person:eve", "partner", "Finn"),
        ("person:finn", "location", "Lyon"),
        ("user", "partner", "Gus"),
        ("person:gus", "location", "Nice"),
    ):
        memory.learn(who, attribute, value, user="ana")

    assert memory.search("Where does my manager's partner live?", user="ana")[0].text == "Finn lives in Lyon."


def test_nothing_outside_the_filters_of_a_search_is_followed_or_shown(memory: Memory) -> None:
    tagged = memory.save("Carol sings on Sundays.", tags=["choir"])

    narrowed: list[dict[str, Any]] = [{"tag": "choir"}, {"where": {"tag": "choir"}}]
    for narrow in narrowed:
        found = memory.search("When does Alice's manager sing?", **narrow)
        assert {hit.note.id for hit in found if hit.note} <= {tagged.id}


def test_a_note_that_is_about_somebody_else_by_now_is_not_followed(memory: Memory) -> None:
    note = memory.save("Frida's manager is Dan.", subject="person:frida", attribute="manager", value="Dan")
    memory.update(note.id, text="Gil's manager is Dan.", subject="person:gil")

    assert memory.search("Where does Frida's manager live?")[0].text != "Dan lives in Turin."
    assert memory.search("Where does Gil's manager live?")[0].text == "Dan lives in Turin."
