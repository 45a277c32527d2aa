"""Names in questions, and what is left of a question without them."""

from __future__ import annotations

import pytest

from recollect.recall.people import named_in, person_named, without_names

NAMES = frozenset({"caroline", "mel"})


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What did Caroline say about adoption?", "What did say about adoption?"),
        ("What are Caroline's hobbies?", "What are hobbies?"),
        ("what does mel paint", "what does paint"),
        ("Caroline?", "Caroline?"),
        ("What is caramel made of?", "What is caramel made of?"),
    ],
)
def test_names_are_taken_out_of_what_is_compared_by_meaning(question: str, left: str) -> None:
    assert without_names(question, NAMES) == left


def test_a_question_names_whom_it_names() -> None:
    assert named_in("Did CAROLINE call?", [frozenset({"caroline"}), frozenset({"mel"})]) == {"caroline"}


def test_a_small_part_of_a_name_names_nobody() -> None:
    joe = frozenset({"country", "joe", "mcdonald"})

    assert named_in("What is the country of Ann?", [joe]) == frozenset()
    assert named_in("Which songs did Joe McDonald write?", [joe]) == {"joe", "mcdonald"}


def test_only_people_have_names() -> None:
    assert person_named("person:Ann Lee") == {"ann", "lee"}
    assert person_named("thing:api") == frozenset()
    assert person_named(None) == frozenset()
