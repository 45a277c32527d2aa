"""Versions from another store take their place among the versions here, in whatever order they come."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import pytest

from recollect.domain.changes import AdoptNote, ChangeKind
from recollect.domain.errors import Conflict
from recollect.domain.notes import Note, State, revised
from recollect.domain.origin import Authority
from recollect.domain.selections import Selection
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.writing import a_note, changes, edited, saved

EVERYTHING = Selection()


def _four_versions(clock: SteadyClock, space: str = "alice") -> list[Note]:
    """The words of the first come back in the third; the fourth changes no word."""
    first = a_note(clock, "Alice prefers tea", space=space)
    second = revised(first, clock.advance(hours=1), text="Alice prefers coffee")
    third = revised(second, clock.advance(hours=1), text="Alice prefers tea")
    return [first, second, third, revised(third, clock.advance(hours=1), pinned=True)]


def test_the_order_in_which_versions_come_does_not_matter(store: SqlStore, clock: SteadyClock) -> None:
    for number, order in enumerate(permutations(range(4))):
        space = f"space-{number}"
        versions = _four_versions(clock, space)
        note_id = versions[0].id
        for index in order:
            store.apply(changes(clock, AdoptNote(versions[index]), space=space))

        assert store.versions(space, [note_id]) == versions
        assert store.notes(space, EVERYTHING, before=None, limit=10) == [versions[-1]]
        for version in versions:
            then = Selection(known_at=version.updated_at)
            assert store.note(space, note_id, known_at=version.updated_at) == version
            assert store.notes(space, then, before=None, limit=10) == [version]
            word = "coffee" if "coffee" in version.text else "tea"
            found = store.matching(space, [word], then, limit=10)
            assert {match.note.version for match in found} == {version.version}, (order, version.version)


def test_a_gap_between_versions_is_filled_later(store: SqlStore, clock: SteadyClock) -> None:
    first, second, third, _ = _four_versions(clock)
    store.apply(changes(clock, AdoptNote(first), AdoptNote(third)))
    assert store.note("alice", first.id, known_at=second.updated_at) == first

    store.apply(changes(clock, AdoptNote(second)))
    assert store.note("alice", first.id, known_at=second.updated_at) == second
    assert store.note("alice", first.id) == third


def test_adopting_what_is_here_already_changes_nothing(store: SqlStore, clock: SteadyClock) -> None:
    versions = _four_versions(clock)
    edits = [AdoptNote(version) for version in versions]
    first = store.apply(changes(clock, *edits))
    again = store.apply(changes(clock, *edits))

    assert [change.kind for change in first.changes[1:]] == [ChangeKind.ADOPTED] * 4
    assert again.changes == ()


def test_a_version_that_says_something_else_is_a_conflict(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "Alice prefers tea")

    for other in (
        replace(note, text="Alice prefers beer"),
        replace(note, state=State.RETRACTED),
        replace(note, updated_at=note.updated_at + timedelta(seconds=1)),
        replace(note, metadata={"a": 1}),
    ):
        with pytest.raises(Conflict) as refusal:
            store.apply(changes(clock, AdoptNote(other)))
        assert refusal.value.code == "version_differs"
    assert store.versions("alice", [note.id]) == [note]


@pytest.mark.parametrize(("here", "coming"), [("fact", "quoted"), ("quoted", "instruction")])
def test_a_version_that_differs_in_authority_only_is_left_as_it_is_here(
    store: SqlStore, clock: SteadyClock, here: str, coming: str
) -> None:
    note = saved(store, clock, authority=Authority(here))
    receipt = store.apply(changes(clock, AdoptNote(replace(note, authority=Authority(coming)))))

    assert receipt.changes == ()
    assert store.note("alice", note.id) == note


def test_a_version_dated_out_of_order_is_a_conflict(store: SqlStore, clock: SteadyClock) -> None:
    first, second, third, _ = _four_versions(clock)
    store.apply(changes(clock, AdoptNote(first), AdoptNote(third)))

    for moment in (first.updated_at, third.updated_at, third.updated_at + timedelta(hours=1)):
        with pytest.raises(Conflict, match="out of order"):
            store.apply(changes(clock, AdoptNote(replace(second, updated_at=moment))))
    assert store.versions("alice", [first.id]) == [first, third]


def test_an_adopted_note_can_be_edited_like_any_other(store: SqlStore, clock: SteadyClock) -> None:
    versions = _four_versions(clock)
    store.apply(changes(clock, *(AdoptNote(version) for version in versions)))
    newer = edited(store, clock, versions[-1], text="Alice prefers water")

    assert store.note("alice", newer.id) == newer
    with pytest.raises(Conflict):
        edited(store, clock, versions[-1], text="Alice prefers beer")
