"""Judged statements: the newest of a chain stands where the first was found, and what asserts nothing tells less."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

from recollect.domain.answers.recollections import Hit
from recollect.domain.dataclass import replace
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.chains.statement_chains import asserted_first, current_first, doubtful_behind
from recollect.recall.question import Question, understand
from recollect.recall.weights import WEIGHTS
from tests.support.clock import SteadyClock
from tests.support.writing import a_note

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
NOW = "Which flour do we bake with?"


def question(text: str = NOW) -> Question:
    return understand(text, now=NOON, zone=UTC)


def said(text: str, *, days_ago: int, score: float) -> Hit:
    then = NOON - timedelta(days=days_ago)
    observation = Observation(
        id=text, space="alice", session_id="s", position=1, kind=ObservationKind.MESSAGE, text=text,
        observed_at=then, recorded_at=then, role="user",
    )  # fmt: skip
    return Hit(None, score, (), observation)


def link(older: Hit, newer: Hit, relation: str = "replaces", score: float = 0.9) -> StatementLink:
    return StatementLink(older.id, newer.id, StatementRelation(relation), score, "tiny/1", NOON)


KESSLER = said("We get the flour from Kessler Mill.", days_ago=300, score=1.0)
AGAIN = said("Kessler delivered on time, as ever.", days_ago=250, score=0.8)
OLDBROOK = said("Switched mills, Oldbrook now.", days_ago=100, score=0.2)
HARLOW = said("Harlow's sacks tear when you look at them.", days_ago=20, score=0.1)
OVEN = said("The oven is broken.", days_ago=10, score=0.5)


def test_the_newest_statement_stands_where_the_first_of_its_chain_was_found() -> None:
    links = [link(KESSLER, OLDBROOK), link(OLDBROOK, HARLOW)]

    found = current_first([KESSLER, OVEN, OLDBROOK, HARLOW], question(), links, at=NOON)

    assert [hit.text for hit in found] == [HARLOW.text, OVEN.text, KESSLER.text, OLDBROOK.text]
    assert "current first: newer than “We get the flour from Kessler Mill.”" in found[0].why
    assert any("Harlow's" in why for why in found[2].why)


def test_the_order_in_which_links_are_read_changes_nothing() -> None:
    links = [link(KESSLER, OLDBROOK), link(OLDBROOK, HARLOW), link(KESSLER, AGAIN, "same"), link(KESSLER, HARLOW)]
    hits = [KESSLER, AGAIN, OVEN, OLDBROOK, HARLOW]

    found = {tuple(hit.id for hit in current_first(hits, question(), each, at=NOON)) for each in permutations(links)}

    assert len(found) == 1


def test_a_newer_statement_is_brought_in_where_the_question_did_not_find_it() -> None:
    found = current_first([KESSLER, OVEN], question(), [link(KESSLER, OLDBROOK)], [OLDBROOK], at=NOON)

    assert found[0].id == OLDBROOK.id


def test_what_repeats_an_older_statement_steps_back_with_it() -> None:
    links = [link(KESSLER, OLDBROOK), link(KESSLER, AGAIN, "same")]

    found = current_first([AGAIN, KESSLER, OVEN, OLDBROOK], question(), links, at=NOON)

    assert [hit.id for hit in found] == [OLDBROOK.id, OVEN.id, AGAIN.id, KESSLER.id]


def test_doubt_moves_nothing() -> None:
    hits = [KESSLER, OVEN, OLDBROOK]

    unsure = link(KESSLER, OLDBROOK, score=WEIGHTS.chains.replaces - 0.01)
    added = link(KESSLER, OLDBROOK, "adds")
    refuted = link(KESSLER, OLDBROOK).refuted(NOON, "me")

    for each in (unsure, added, refuted):
        assert current_first(hits, question(), [each], at=NOON) == hits


def test_what_the_answer_may_have_replaced_stands_behind_the_first_few() -> None:
    hits = [OLDBROOK, KESSLER, OVEN]
    unsure = link(KESSLER, OLDBROOK, score=0.35)
    read = {KESSLER.id: 0.4, OLDBROOK.id: 0.7}

    moved = doubtful_behind(hits, [unsure], read, at=NOON)

    assert [hit.id for hit in moved] == [OLDBROOK.id, OVEN.id, KESSLER.id]
    assert "may have replaced it" in moved[-1].why[-1]


def test_a_doubtful_change_moves_nothing_unless_its_newer_end_is_the_answer() -> None:
    unsure = link(KESSLER, OLDBROOK, score=0.35)
    read = {KESSLER.id: 0.4, OLDBROOK.id: 0.7, OVEN.id: 0.1}

    for hits in ([KESSLER, OLDBROOK, OVEN], [OVEN, KESSLER, OLDBROOK]):
        assert doubtful_behind(hits, [unsure], read, at=NOON) == hits
    assert doubtful_behind([], [unsure], read, at=NOON) == []
    first = [OLDBROOK, KESSLER, OVEN]
    for only in ({OLDBROOK.id: 0.7}, {KESSLER.id: 0.4}, {OLDBROOK.id: 0.0, KESSLER.id: 0.4}):
        assert doubtful_behind(first, [unsure], only, at=NOON) == first  # nobody says that both answer
    faint = link(KESSLER, OLDBROOK, score=0.29)
    assert doubtful_behind(first, [faint], read, at=NOON) == first  # only the net weighs it
    sure = link(KESSLER, OLDBROOK, score=WEIGHTS.chains.replaces)
    assert doubtful_behind(first, [sure], read, at=NOON) == first  # the step before has judged of those
    assert doubtful_behind(first, [unsure.refuted(NOON, "me")], read, at=NOON) == first
    assert doubtful_behind(first, [link(KESSLER, OLDBROOK, "adds", 0.9)], read, at=NOON) == first


def test_a_doubtful_change_moves_nothing_that_was_saved_on_purpose_or_said_again() -> None:
    clock = SteadyClock()
    saved = replace(a_note(clock, text="We get the flour from Kessler Mill."), valid_from=NOON - timedelta(days=300))
    again = replace(saved, derived_from=("m1",), metadata={"said": {}}, last_seen_at=NOON - timedelta(days=20))
    for note in (saved, again):
        hits = [OLDBROOK, Hit(note, 0.8, ()), OVEN]
        unsure = StatementLink(note.id, OLDBROOK.id, StatementRelation.REPLACES, 0.35, "tiny/1", NOON)
        assert doubtful_behind(hits, [unsure], {note.id: 0.4, OLDBROOK.id: 0.7}, at=NOON) == hits


def test_a_doubtful_change_for_a_day_ahead_waits_for_it() -> None:
    coming = said("From 1 April 2026 the flour comes from Oldbrook.", days_ago=5, score=1.0)
    hits, read = [coming, KESSLER, OVEN], {KESSLER.id: 0.4, coming.id: 0.7}

    assert doubtful_behind(hits, [link(KESSLER, coming, score=0.35)], read, at=NOON) == hits


def test_the_past_is_answered_as_it_was() -> None:
    hits = [KESSLER, OVEN, OLDBROOK]
    then = question("Which flour did we bake with in June 2025?")

    assert current_first(hits, then, [link(KESSLER, OLDBROOK)], at=NOON) == hits


def test_a_question_for_all_there_was_is_left_alone() -> None:
    hits = [KESSLER, OVEN, OLDBROOK]
    every = question("Which mills have we used over the years?")

    assert current_first(hits, every, [link(KESSLER, OLDBROOK)], at=NOON) == hits


def test_a_change_that_is_decided_for_a_day_ahead_waits_for_it() -> None:
    coming = said("From 1 April 2026 the flour comes from Oldbrook.", days_ago=5, score=0.4)
    hits = [KESSLER, coming]

    assert current_first(hits, question(), [link(KESSLER, coming)], at=NOON)[0].id == KESSLER.id
    later = datetime(2026, 4, 2, tzinfo=UTC)
    assert current_first(hits, question(), [link(KESSLER, coming)], at=later)[0].id == coming.id


def test_a_note_is_linked_by_the_messages_it_was_read_from() -> None:
    fact = a_note(SteadyClock("2025-05-13T12:00:00+00:00"), text="Flour: Kessler", derived_from=(KESSLER.id,))
    note = Hit(fact, 1.0, ())

    found = current_first([note, KESSLER, OVEN, OLDBROOK], question(), [link(KESSLER, OLDBROOK)], at=NOON)

    assert [hit.id for hit in found] == [OLDBROOK.id, OVEN.id, note.id, KESSLER.id]


def test_what_surely_asserts_nothing_comes_after_what_does() -> None:
    dream = said("If only we had Harlow's flour!", days_ago=3, score=1.0)

    found = asserted_first([dream, KESSLER], {dream.id: 0.02, KESSLER.id: 0.97}, WEIGHTS.chains)

    assert [hit.id for hit in found] == [KESSLER.id, dream.id]
    assert asserted_first([dream, KESSLER], {}, WEIGHTS.chains) == [dream, KESSLER]
