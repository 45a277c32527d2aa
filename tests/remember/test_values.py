"""When two values are one thing in other words, and when they only look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.remember.known_facts import ValueIndex, same_value
from tests.support.growth import calls_made


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("mountain hikes", "hiking in the mountains"),
        ("guitar playing", "playing the guitar"),
        ("lake swimming", "swimming in the lake"),
        ("bread baking", "baking bread"),
        ("open plan offices", "an open plan office"),
    ],
)
def test_other_forms_and_another_order_are_the_same_words(said: str, known: str) -> None:
    assert ValueIndex([known]).wording(said) == known
    assert ValueIndex([said]).wording(known) == said


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("Boston", "Austin"),
        ("Goldman", "Google"),
        ("Thai food", "Italian food"),
        ("Python 3", "Python 2"),
        ("tabs over spaces", "spaces over tabs"),
        ("coffee without sugar", "coffee with sugar"),
        ("trains from the coast", "trains to the coast"),
        ("jazz", "opera"),
    ],
)
def test_names_numbers_and_turning_words_keep_apart_what_a_model_finds_the_same(said: str, known: str) -> None:
    assert ValueIndex([known]).wording(said, lambda _one, _other: 1.0) == said
    assert ValueIndex([said]).wording(known, lambda _one, _other: 1.0) == known


def test_where_words_differ_meaning_has_to_be_all_but_the_same() -> None:
    said, known = "to be woken up early", "being woken early"
    assert ValueIndex([known]).wording(said, lambda _one, _other: 0.97) == known
    assert ValueIndex([known]).wording(said, lambda _one, _other: 0.95) == said
    assert ValueIndex([known]).wording(said) == said, "no model, and so no guess"
    assert ValueIndex(["vegan food"]).wording("vegetarian food", lambda _one, _other: 0.95) == "vegetarian food"


def test_a_value_that_is_known_as_it_is_stays_as_it_was_said() -> None:
    assert ValueIndex(["the Renault Zoe"]).wording("Renault Zoe", lambda _one, _other: 1.0) == "Renault Zoe"


@pytest.mark.parametrize(
    ("said", "known"), [("care", "cars"), ("parts", "party"), ("painters", "painting"), ("plane", "plan")]
)
def test_words_that_only_begin_alike_are_not_forms_of_one(said: str, known: str) -> None:
    assert (ValueIndex([known]).wording(said), ValueIndex([said]).wording(known)) == (said, known)


def test_of_a_thousand_values_only_those_that_share_most_are_compared_by_meaning() -> None:
    known = ["being woken early", *(f"early {sort} flights" for sort in map(str.lower, "abcdefghij"))]
    compared: list[str] = []

    def likeness(_one: str, other: str) -> float:
        compared.append(other)
        return 0.97 if other == known[0] else 0.5

    assert ValueIndex([*known[1:], known[0]]).wording("to be woken up early", likeness) == known[0]
    assert compared == [known[0]]
    assert ValueIndex(known[1:]).wording("early mornings", likeness) == "early mornings"
    assert len(compared) < 6


WORDS = st.sampled_from(
    "Renault Zoe new hikes hiking mountain mountains the of over 2 Ovalis GmbH baked bake é ! tea".split()
)
VALUES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@given(value=VALUES, others=st.lists(VALUES, max_size=12, unique=True))
def test_looking_a_value_up_finds_what_comparing_it_with_each_finds(value: str, others: list[str]) -> None:
    index = ValueIndex(others)
    assert index.same_as(value) == [other for other in others if same_value(value, other)]


@given(one=VALUES, other=VALUES)
def test_to_be_the_same_value_goes_both_ways(one: str, other: str) -> None:
    assert same_value(one, other) == same_value(other, one)


@given(value=VALUES, others=st.lists(VALUES, max_size=12, unique=True))
def test_the_known_wording_is_the_first_that_says_it_in_other_forms(value: str, others: list[str]) -> None:
    worded = ValueIndex(others).wording(value)
    alone = [other for other in others if ValueIndex([other]).wording(value) == other]
    same = any(same_value(value, other) for other in others)
    assert worded == (value if same or not alone else alone[0])


def test_looking_a_value_up_is_as_much_work_among_many_as_among_few() -> None:
    def work(number: int) -> int:
        names = ["".join(chr(97 + int(digit)) for digit in f"{each:04}") for each in range(number)]
        index = ValueIndex(f"{name} tea" for name in names)
        return calls_made(lambda: index.wording("another tea", lambda _one, _other: 0.0))

    work(10)
    assert work(3_000) < 2 * work(300)
