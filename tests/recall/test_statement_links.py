"""Statements about the same thing: the newest answers, the older ones step back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.observations import Observation, ObservationKind, Standing
from recollect.recall.question import Question, Wants, understand
from recollect.recall.statement_links import newest_first
from tests.support.clock import SteadyClock
from tests.support.writing import a_note

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def question(text: str) -> Question:
    return understand(text, now=NOON, zone=UTC)


def said(text: str, *, days_ago: int, likeness: float, score: float, standing: Standing = Standing.STATED) -> Hit:
    then = NOON - timedelta(days=days_ago)
    observation = Observation(
        id=text, space="alice", session_id="s", position=1, kind=ObservationKind.MESSAGE, text=text,
        observed_at=then, recorded_at=then, role="user", standing=standing,
    )  # fmt: skip
    return Hit(None, score, (), observation, likeness=likeness)


TARIFF = said("I'm on the Lumo tariff for my mobile.", days_ago=300, likeness=0.78, score=1.0)
SWITCH = said("Cancelled Lumo yesterday, my SIM is on Telvia now.", days_ago=100, likeness=0.74, score=0.8)
BREAD = said("The sourdough came out flat again.", days_ago=10, likeness=0.45, score=0.2)


def test_the_newest_word_on_a_thing_answers() -> None:
    found = newest_first([TARIFF, SWITCH, BREAD], question("Which mobile contract do I have?"))

    assert found[0].text == SWITCH.text
    assert "newest first: newer than “I'm on the Lumo tariff for my mobile.”" in found[0].why


def test_what_somebody_saved_steps_back_for_no_guess() -> None:
    kept = a_note(SteadyClock("2025-05-13T12:00:00+00:00"), text="I'm on the Lumo tariff for my mobile.")
    saved = Hit(kept, 1.0, (), likeness=0.78)
    read = Hit(replace(kept, id="read", derived_from=("m",)), 1.0, (), likeness=0.78)

    asked = question("Which mobile contract do I have?")

    assert [hit.id for hit in newest_first([saved, SWITCH, BREAD], asked)] == [saved.id, SWITCH.id, BREAD.id]
    assert newest_first([read, SWITCH, BREAD], asked)[0].id == SWITCH.id


def test_what_comes_first_without_being_newer_than_anything_does_not_say_so() -> None:
    louder = replace(BREAD, score=1.0)

    found = newest_first([louder, replace(TARIFF, score=0.9)], question("Which mobile contract do I have?"))

    assert found[0].text == TARIFF.text
    assert found[0].why == ("newest first: likeliest to be meant",)


def test_what_is_newer_but_about_something_else_does_not() -> None:
    found = newest_first([TARIFF, BREAD], question("Which mobile contract do I have?"))

    assert found[0].text == TARIFF.text


@pytest.mark.parametrize("standing", [Standing.SUPPOSED, Standing.ASKED, Standing.LONG_AGO])
def test_what_is_not_meant_as_a_fact_overtakes_nothing(standing: Standing) -> None:
    idea = said("Telvia looks cheap for my mobile.", days_ago=5, likeness=0.78, score=0.9, standing=standing)

    found = newest_first([TARIFF, idea, BREAD], question("Which mobile contract do I have?"))

    assert found[0].text == TARIFF.text


@pytest.mark.parametrize(
    "looked_for",
    [
        "mobile contract",
        "A mobile contract is cancelled by a letter.",
        "how to cancel a mobile contract",
        "Have I had a mobile contract before?",
    ],
)
def test_what_asks_for_nothing_of_ours_is_answered_in_the_order_it_was_found(looked_for: str) -> None:
    assert newest_first([TARIFF, SWITCH, BREAD], question(looked_for)) == [TARIFF, SWITCH, BREAD]


@pytest.mark.parametrize("asked", ["which mobile contract", "my mobile contract", "Mobile contract?"])
def test_a_question_needs_no_mark_and_no_verb(asked: str) -> None:
    assert newest_first([TARIFF, SWITCH, BREAD], question(asked))[0].text == SWITCH.text


def test_many_things_of_one_sort_are_no_versions_of_each_other() -> None:
    shelf = [
        said(f"The manual of tariff {n} says that a mobile contract is kept.", days_ago=300 - n, likeness=0.78, score=1)
        for n in range(20)
    ]

    assert newest_first(shelf, question("Which mobile contract do I have?")) == shelf


def test_older_words_stand_behind_the_first_few() -> None:
    others = [said(f"Nothing of the sort {n}.", days_ago=50 + n, likeness=0.3, score=0.1) for n in range(8)]

    found = newest_first([TARIFF, SWITCH, *others], question("Which mobile contract do I have?"))

    assert found.index(TARIFF) == 5


def test_older_words_that_say_more_than_what_was_replaced_stay_where_they_are() -> None:
    others = [said(f"Nothing of the sort {n}.", days_ago=50 + n, likeness=0.3, score=0.1) for n in range(8)]
    aside = " My sister Ines runs the bakery below us, and the dog answers to Brina. What shall I cook for six tonight?"
    chatty = said(TARIFF.text + aside, days_ago=300, likeness=0.78, score=1.0)

    found = newest_first([chatty, SWITCH, *others], question("Which mobile contract do I have?"))

    assert [hit.text for hit in found[:2]] == [SWITCH.text, chatty.text]


def test_what_a_fact_was_read_from_is_not_newer_than_the_fact() -> None:
    fact = replace(TARIFF, evidence=(SWITCH.id,))

    found = newest_first([fact, SWITCH, BREAD], question("Which mobile contract do I have?"))

    assert found[0].text == TARIFF.text


def test_what_an_assistant_says_of_it_replaces_nobodys_word() -> None:
    observation = replace(SWITCH.observation, role="assistant")  # type: ignore[type-var]
    echo = replace(SWITCH, observation=observation)

    found = newest_first([TARIFF, echo, BREAD], question("Which mobile contract do I have?"))

    assert found[0].text == TARIFF.text


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


def test_a_question_may_name_a_thing_but_nobody_who_is_known() -> None:
    asked = question("Which mobile contract does the Heron project have?")

    assert newest_first([TARIFF, SWITCH, BREAD], asked)[0].text == SWITCH.text
    assert newest_first([TARIFF, SWITCH, BREAD], replace(asked, people=frozenset({"heron"}))) == [TARIFF, SWITCH, BREAD]


def fact(subject: str, value: str, quote: str, *, days_ago: int, score: float) -> Hit:
    """What is known of a part of a project, and the words it was read from."""
    note = replace(
        a_note(SteadyClock(), f"The {subject.removeprefix('thing:')}'s monitoring is {value}."),
        id=quote, subject=subject, attribute="monitoring", value=value, valid_from=NOON - timedelta(days=days_ago),
        metadata={"said": {"quote": quote}},
    )  # fmt: skip
    return Hit(note, score, (), likeness=0.78)


@pytest.mark.parametrize(
    ("subject", "quote", "first"),
    [
        ("project", "Checkout errors go to Rollbar.", "Rollbar"),
        ("thing:error tracker of the checkout", "The error tracker of the checkout is Rollbar.", "Rollbar"),
        ("project", "Errors go to Rollbar.", "Sentry"),
        ("thing:warehouse", "The warehouse has Rollbar.", "Sentry"),
    ],
)
def test_facts_that_are_filed_apart_are_linked_where_they_tell_of_the_same_thing(
    subject: str, quote: str, first: str
) -> None:
    known = fact("thing:checkout", "Sentry", "The checkout's errors are in Sentry.", days_ago=300, score=1.0)
    newer = fact(subject, "Rollbar", quote, days_ago=10, score=0.9)

    found = newest_first([known, newer, BREAD], question("What is the checkout's error tracker?"))

    assert found[0].note is not None
    assert found[0].note.value == first


def test_who_asks_for_many_gets_them_all_as_they_were_ranked() -> None:
    ranked = [TARIFF, SWITCH, BREAD]

    assert newest_first(ranked, question("Which mobile contracts do I have?")) == ranked


def test_without_a_measure_of_meaning_nothing_is_linked() -> None:
    ranked = [said(hit.text, days_ago=9 - n, likeness=0.0, score=1 - n / 10) for n, hit in enumerate([TARIFF, SWITCH])]

    assert newest_first(ranked, question("Which mobile contract do I have?")) == ranked


def test_no_hit_is_lost_or_doubled_and_the_order_depends_on_nothing_else() -> None:
    random = Random(5)
    for _ in range(200):
        hits = [
            said(f"{random.choice('ABCDE')} word {n} about Telvia {n % 3}", days_ago=random.randrange(400),
                 likeness=random.random(), score=1 - n / 50, standing=random.choice(list(Standing)))
            for n in range(random.randrange(40))
        ]  # fmt: skip
        found = newest_first(hits, question("Which mobile contract do I have?"))

        assert sorted(hit.id for hit in found) == sorted(hit.id for hit in hits)
        assert found == newest_first(hits, question("Which mobile contract do I have?"))


def test_statements_said_alike_are_linked_where_words_are_compared_one_by_one() -> None:
    older = said("The flat on Elm Street has a landlord called Rook.", days_ago=300, likeness=0.6, score=1.0)
    newer = said("Our place belongs to the Heron family these days.", days_ago=9, likeness=0.54, score=0.9)
    hits = [replace(older, closeness=0.6), replace(newer, closeness=0.5), replace(BREAD, closeness=0.2)]
    asked = question("Who owns the place we rent?")

    assert newest_first(hits, asked, lambda _one, _other: 0.8)[0].text == newer.text
    assert newest_first(hits, asked, lambda _one, _other: 0.1)[0].text == older.text


def test_where_resemblance_cannot_be_told_it_counts_for_nothing() -> None:
    asked = question("Which mobile contract do I have?")
    found = newest_first([TARIFF, SWITCH, BREAD], asked, lambda _one, _other: None)

    assert found[0].text == SWITCH.text


def test_where_the_best_answer_is_an_assistants_nothing_is_put_before_it() -> None:
    assert TARIFF.observation is not None
    advice = replace(TARIFF, observation=replace(TARIFF.observation, id="advice", role="assistant"))

    assert newest_first([advice, SWITCH, BREAD], question("Which mobile contract is mine?"))[0] == advice
