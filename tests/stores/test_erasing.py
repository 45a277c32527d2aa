"""Erasing leaves a tombstone and nothing else; what was erased does not come back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect import Memory
from recollect.domain.changes import AdoptNote, Change, ChangeKind, DeleteSpace, EraseNote, OpenSpace, WriteNote
from recollect.domain.errors import Erased, NotFound
from recollect.domain.notes import revised
from recollect.domain.selections import Selection
from recollect.recall.export import audit_report
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of, tables
from tests.support.writing import a_full_note, a_note, changes, edited, saved, write

EVERYTHING = Selection()


def _mentions(store: SqlStore, needle: str) -> set[str]:
    """The tables in which some row holds a text."""
    return {table for table in tables(store) if needle in repr(rows(store, f"SELECT * FROM {table}"))}


def test_an_erased_note_is_gone_with_every_version(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "Alice prefers tea")
    edited(store, clock, note, text="Alice prefers coffee")
    store.apply(changes(clock, EraseNote(note.id)))

    assert store.note("alice", note.id) is None
    assert store.note("alice", note.id, known_at=note.updated_at) is None
    assert store.versions("alice", [note.id]) == []
    assert store.notes("alice", EVERYTHING, before=None, limit=10) == []
    assert store.matching("alice", ["tea", "coffee", "alice"], EVERYTHING, limit=10) == []
    assert store.log.export("alice", after=("", 0), limit=10) == []
    assert [check.ok for check in store.upkeep.check()].count(False) == 0


def test_nothing_of_an_erased_note_is_left_in_any_table(store: SqlStore, clock: SteadyClock) -> None:
    note = replace(a_full_note(clock), text="canary one", title="canary", tags=("canary",), metadata={"c": "canary"})
    store.apply(changes(clock, WriteNote(note), key="k", body="canary-fingerprint"))
    edited(store, clock, note, text="canary two")
    assert _mentions(store, "canary") >= {"note", "note_text", "idempotency"}

    store.apply(changes(clock, EraseNote(note.id)))

    assert _mentions(store, "canary") == set()
    assert _mentions(store, note.id) == {"tombstone", "change_log", "audit", "idempotency"}


def test_a_tombstone_says_when_and_what_and_nothing_more(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    erased = changes(clock, EraseNote(note.id))
    store.apply(erased)

    stone = store.log.tombstone("alice", note.id)
    assert stone is not None
    assert (stone.note_id, stone.erased_at) == (note.id, erased.at)
    assert store.log.tombstones("alice", after="", limit=10) == [stone]
    assert rows(store, "SELECT COUNT(*) FROM tombstone") == [(1,)]


def test_tombstones_are_listed_page_by_page(store: SqlStore, clock: SteadyClock) -> None:
    notes = [saved(store, clock, f"Note {number}") for number in range(5)]
    store.apply(changes(clock, *(EraseNote(note.id) for note in reversed(notes))))

    first = store.log.tombstones("alice", after="", limit=3)
    rest = store.log.tombstones("alice", after=first[-1].note_id, limit=3)
    assert [stone.note_id for stone in [*first, *rest]] == [note.id for note in notes]


def test_what_was_erased_cannot_come_back(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    store.apply(changes(clock, EraseNote(note.id)))

    for edit in (
        AdoptNote(note),
        AdoptNote(replace(note, version=7)),
        WriteNote(note),
        WriteNote(revised(note, clock.now())),
    ):
        with pytest.raises(Erased):
            store.apply(changes(clock, edit))
    assert rows(store, "SELECT COUNT(*) FROM note") == [(0,)]


def test_a_note_that_was_never_here_can_be_kept_out(store: SqlStore, clock: SteadyClock) -> None:
    elsewhere = a_note(clock)
    store.apply(changes(clock, EraseNote(elsewhere.id)))

    with pytest.raises(Erased):
        store.apply(changes(clock, AdoptNote(elsewhere)))


def test_erasing_twice_is_one_change(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    first = store.apply(changes(clock, EraseNote(note.id)))
    again = store.apply(changes(clock, EraseNote(note.id)))

    assert [change.kind for change in first.changes] == [ChangeKind.ERASED]
    assert again.changes == ()
    stone = store.log.tombstone("alice", note.id)
    assert stone is not None and stone.erased_at < clock.now()


def test_a_chain_survives_the_loss_of_a_link(store: SqlStore, clock: SteadyClock) -> None:
    austin = saved(store, clock, "Alice lives in Austin")
    boston = saved(store, clock, "Alice lives in Boston", supersedes=(austin.id,))
    paris = saved(store, clock, "Alice lives in Paris", supersedes=(boston.id,))
    store.apply(changes(clock, EraseNote(austin.id)))

    assert set(store.lineage.chains("alice", [paris.id])[paris.id]) >= {boston.id, paris.id}
    assert [note.text for note in store.versions("alice", store.lineage.chains("alice", [paris.id])[paris.id])] == [
        "Alice lives in Boston",
        "Alice lives in Paris",
    ]


def test_a_deleted_space_is_empty_and_gone(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "canary", title="canary")
    edited(store, clock, note, text="canary again")
    store.apply(changes(clock, OpenSpace("canary description"), key="k", body="canary-fingerprint"))
    store.apply(changes(clock, DeleteSpace()))

    assert store.space("alice") is None
    assert store.spaces() == []
    assert store.notes("alice", EVERYTHING, before=None, limit=10) == []
    assert store.matching("alice", ["canary"], EVERYTHING, limit=10) == []
    assert _mentions(store, "canary") == set()


def test_what_was_in_a_deleted_space_cannot_come_back(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    store.apply(changes(clock, DeleteSpace()))

    with pytest.raises(Erased):
        store.apply(changes(clock, AdoptNote(note)))


def test_a_space_that_is_made_anew_goes_on_counting(store: SqlStore, clock: SteadyClock) -> None:
    saved(store, clock)
    last = store.apply(changes(clock, DeleteSpace())).changes[-1]
    reborn = saved(store, clock, "A new beginning")

    space = store.space("alice")
    assert space is not None
    assert space.seq == last.seq + 2
    assert store.log.changes_after("alice", last.seq, limit=10) == [
        Change(last.seq + 1, ChangeKind.SPACE_OPENED, "alice", 0),
        Change(last.seq + 2, ChangeKind.WRITTEN, reborn.id, 1),
    ]
    assert audit_report(store.log, "alice", newest=10).whole
    assert store.notes("alice", EVERYTHING, before=None, limit=10) == [reborn]


@pytest.mark.parametrize("before", ["never", "deleted"])
def test_deleting_what_is_not_there_is_not_found(store: SqlStore, clock: SteadyClock, before: str) -> None:
    if before == "deleted":
        write(store, clock, a_note(clock))
        store.apply(changes(clock, DeleteSpace()))
    with pytest.raises(NotFound) as refusal:
        store.apply(changes(clock, DeleteSpace()))
    assert refusal.value.code == "space_not_found"
    assert store.space("alice") is None


def test_forgetting_says_what_was_made_from_it(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    child = memory.save("Alice drinks", derived_from=[note.id])
    grandchild = memory.save("Somebody drinks", derived_from=[child.id])

    erasure = memory.forget(note.id)

    assert erasure.note_ids == (note.id,)
    assert set(erasure.derived) == {child.id, grandchild.id}
    assert len(memory.list().items) == 2


def test_forgetting_can_take_along_what_was_made_from_it(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    child = memory.save("Alice drinks", derived_from=[note.id])
    memory.save("Somebody drinks", derived_from=[child.id])

    memory.forget(note.id, cascade=True)

    assert memory.list(state="any").items == ()
    assert memory.describe_space("default").erased == 3


def test_forgetting_again_is_allowed_and_an_unknown_id_is_not(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("Alice prefers tea")
    memory.forget(note.id)

    assert memory.forget(note.id).note_ids == (note.id,)
    with pytest.raises(Erased):
        memory.get(note.id)
    with pytest.raises(NotFound):
        memory.forget(clock.new_id())


def test_deleting_a_space_leaves_the_list_of_spaces_without_it(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    memory.save("Bob prefers beer", space="bob")
    memory.delete_space("alice")

    assert [space.name for space in memory.spaces().items] == ["bob"]
    assert memory.list(space="alice").items == (), "as before its first note"
    assert store_of(memory).space("alice") is None
