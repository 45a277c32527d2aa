"""The first hits as a model sees them that puts them in order, each beside the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from recollect.domain.answers.recollections import Hit
from recollect.domain.links.statement_link import StatementLink, StatementRelation
from recollect.domain.notes import Kind, Note
from recollect.domain.observations import Observation, ObservationKind
from recollect.recall.evidence.listing import NAME, as_taught, can_be_ordered, in_order, listed, wants_several
from recollect.recall.question import Question, understand

NOW = datetime(2026, 3, 9, tzinfo=UTC)
NEWER, CHANGED, SAME = 0, 2, 4  # places in a row of `beside`


def asked(text: str) -> Question:
    return understand(text, now=NOW, zone=UTC)


def hit(text: str, days: int, score: float = 1.0) -> Hit:
    return Hit(Note(text, "alice", 1, Kind.SEMANTIC, text, NOW - timedelta(days=days), NOW), score, ())


def link(older: str, newer: str, relation: StatementRelation) -> StatementLink:
    return StatementLink(older, newer, relation, 0.9, "judge", NOW)


@pytest.mark.parametrize("text", ["Where do I live?", "who cuts our hedge", "What is my dentist called?"])
def test_what_has_one_answer_now_is_ordered(text: str) -> None:
    assert can_be_ordered(asked(text))


@pytest.mark.parametrize(
    "text",
    ["When did I last move?", "Which cars have I had so far?", "how to bake bread"],
)
def test_what_asks_for_a_change_for_a_history_or_for_nothing_of_ours_is_not(text: str) -> None:
    assert not can_be_ordered(asked(text))


def test_several_values_that_hold_are_ordered_as_such() -> None:
    assert can_be_ordered(asked("What languages do I speak?"))
    assert wants_several(asked("What languages do I speak?"))
    assert not wants_several(asked("Which cars have I had so far?"))
    assert not wants_several(asked("Where do I live?"))


def test_each_hit_knows_which_others_are_newer_and_what_replaced_it() -> None:
    hits = [hit("in Porto", 300), hit("in Lisbon", 20), hit("Lisbon it is", 10)]
    links = [
        link("in Porto", "in Lisbon", StatementRelation.REPLACES),
        link("in Lisbon", "Lisbon it is", StatementRelation.SAME),
        link("in Porto", "not among the hits", StatementRelation.REPLACES),
    ]
    first, second, third = (each.beside for each in listed(hits, asked("Where do I live?"), {}, links, at=NOW))

    assert [row[NEWER] for row in first] == [0.0, 1.0, 1.0]
    assert [row[CHANGED] for row in first] == [0.0, 0.9, 0.0]
    assert second[2][SAME] == third[1][SAME] == 0.9
    assert third[0][NEWER] == -1.0


def test_filed_notes_and_short_lists_are_left_as_they_are() -> None:
    message = Hit(None, 1.0, (), Observation("a", "alice", "s", 1, ObservationKind.MESSAGE, "a", NOW, NOW))

    assert as_taught([message] * 6 + [hit("a note", 1)] * 6)
    assert not as_taught([message] * 5 + [hit("a note", 1)] * 7)
    assert not as_taught([message] * 5)
    assert as_taught([message] * 24)


def test_hits_change_places_and_places_keep_their_scores() -> None:
    moved = in_order([hit("one", 1, 0.9), hit("two", 1, 0.5), hit("three", 1, 0.2)], [0.0, 2.0, 1.0])

    assert [each.text for each in moved] == ["two", "three", "one"]
    assert [each.score for each in moved] == [0.9, 0.5, 0.2]
    assert moved[0].why[-1].startswith(NAME)
