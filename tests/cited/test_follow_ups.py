"""A question may go on from the one before it, and a search may leave a model out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recollect import Memory
from recollect.domain.errors import InvalidInput
from recollect.language.english.follow_up import goes_on, with_name
from tests.cited.test_synthesised_answers import with_model
from tests.links.tiny_judge import TinyJudge, with_judge


@pytest.fixture(scope="module")
def told() -> Iterator[Memory]:
    """Somebody who moved, and whose manager is Carol; no test changes it."""
    with Memory(store=":memory:", embedding="off") as memory:
        memory.add("I live in Lisbon.", at="2025-01-05")
        memory.add("I moved to Porto.", at="2026-03-01")
        memory.add("Carol lives in Oslo.", at="2026-03-02")
        memory.add("Carol's son is Max.", at="2026-03-02")
        yield memory


@pytest.fixture(scope="module")
def family() -> Iterator[Memory]:
    """A sister in Rome and a brother in Porto; no test changes it."""
    with Memory(store=":memory:", embedding="off") as memory:
        memory.add("My sister Anna lives in Rome.")
        memory.add("My brother Bob lives in Porto.")
        yield memory


@pytest.mark.parametrize(
    ("question", "goes"),
    [
        ("and before that?", True),
        ("Since when?", True),
        ("Where does she live?", True),
        ("Where do I live?", False),
        ("Which colour has my bicycle?", False),
        ("And in Rome?", False),
        ("Where is it?", True),
        ("Is it true that I live in Rome?", False),
    ],
)
def test_a_question_goes_on_if_it_says_nothing_by_itself(question: str, goes: bool) -> None:
    assert goes_on(question) is goes


@pytest.mark.parametrize(
    ("question", "full"),
    [
        ("Where does she live?", "Where does Ana live?"),
        ("Who is her son?", "Who is Ana's son?"),
        ("When did I meet her?", "When did I meet Ana?"),
        ("Is it true that she sings?", "Is it true that Ana sings?"),
        ("Where is it?", "Where is Ana?"),
    ],
)
def test_a_name_takes_the_place_of_a_pronoun(question: str, full: str) -> None:
    assert with_name(question, "Ana") == full


def test_a_follow_up_is_answered_by_what_the_question_before_it_was_about(told: Memory) -> None:
    assert told.answer("and before that?").sentences == ()

    answer = told.answer("and before that?", follows="Where do I live?")

    assert answer.question == "and before that?"
    assert "User lives in Lisbon." in answer.text
    assert "Max" in told.answer("Who is her son?", follows="Where does Carol live?").text


def test_a_question_of_its_own_is_answered_as_if_nothing_had_been_asked(told: Memory) -> None:
    for question in ("Who is Carol's son?", "Which colour has my bicycle?"):
        assert told.answer(question, follows="Where do I live?").text == told.answer(question).text


@pytest.mark.parametrize(
    "question",
    [
        "Did Anna say where she lives?",
        "Where does Anna live and what is her work?",
        "did anna say where she lives?",
        "Anna, does she live in Rome?",
        "Where does my sister live, and with her cat?",
    ],
)
def test_a_pronoun_stands_for_whom_its_own_question_names(family: Memory, question: str) -> None:
    answer = family.answer(question, follows="Where does Bob live?").text
    assert "Rome" in answer and "Porto" not in answer


def test_a_pronoun_without_a_name_beside_it_stands_for_whom_the_question_before_names(family: Memory) -> None:
    assert "Porto" in family.answer("Is it true that he lives in a town?", follows="Where does Bob live?").text


def test_a_model_is_told_the_question_before(told: Memory) -> None:
    memory, model = with_model(told, lambda _: {"sentences": [], "gaps": []})
    memory.answer("and before that?", follows="Where do I live?")

    asked = model.asked[0][-1].text
    assert asked.endswith('The question before it: "Where do I live?"\nThe question: "and before that?"')


def test_a_search_leaves_out_the_models_that_it_is_told_to() -> None:
    with Memory(store=":memory:", embedding="off") as memory:
        with_judge(memory, TinyJudge())
        newer = "My phone is the Fairphone that Bob sold me in May"
        for text in ("My phone is a Nokia", newer, "My bike is a Gazelle"):
            memory.add(text, extract=False)

        asked = "What phone do I have? A Nokia?"
        judged, unjudged = memory.search(asked), memory.search(asked, without=["judge"])
        assert judged[0].text == newer
        assert unjudged[0].text == "My phone is a Nokia"
        assert all(hit.likeness == 0 for hit in memory.search(asked, without=["embedding", "judge"]))
        assert memory.recall(asked, without=["judge"]).lines != memory.recall(asked).lines


def test_a_receipt_asks_again_without_the_same_models(told: Memory) -> None:
    found = told.search("Where do I live?", without=["reranker"], explain=True)
    assert found.receipt is not None
    why = told.why(found.receipt)
    assert (why.receipt.asked["without"], why.same) == (["reranker"], True)


def test_a_model_that_no_search_has_is_refused_by_name(told: Memory) -> None:
    with pytest.raises(InvalidInput) as refused:
        told.search("Where do I live?", without=["oracle"])
    assert refused.value.code == "unknown_without"
