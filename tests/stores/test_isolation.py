"""Nothing crosses from one space to another: not ids, not words, not keys, not cursors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from recollect import Memory
from recollect.domain.changes import AdoptNote, DeleteSpace, EraseNote, Idempotency, WriteNote
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.notes import revised
from recollect.domain.selections import Selection
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.writing import changes, saved, write

EVERYTHING = Selection()


def test_the_same_id_in_two_spaces_is_two_notes(store: SqlStore, clock: SteadyClock) -> None:
    hers = saved(store, clock, "Alice prefers tea")
    his = replace(hers, space="bob", text="Bob prefers beer")
    write(store, clock, his)
    newer = revised(his, clock.now(), text="Bob prefers wine")
    write(store, clock, newer)

    assert store.note("alice", hers.id) == hers
    assert store.note("bob", hers.id) == newer
    assert store.versions("alice", [hers.id]) == [hers]


def test_a_space_sees_nothing_of_another(store: SqlStore, clock: SteadyClock) -> None:
    hers = saved(store, clock, "Alice prefers tea", tags=("drink",))
    heirs = saved(store, clock, "Alice drinks", derived_from=(hers.id,), supersedes=(hers.id,))
    gone = saved(store, clock, "Alice had a cat")
    store.apply(changes(clock, EraseNote(gone.id)))
    saved(store, clock, "Bob prefers beer", space="bob")

    assert [note.text for note in store.notes("bob", EVERYTHING, before=None, limit=10)] == ["Bob prefers beer"]
    assert store.note("bob", hers.id) is None
    assert store.version("bob", hers.id, 1) is None
    assert store.versions("bob", [hers.id, heirs.id]) == []
    assert store.matching("bob", ["tea", "drink", "alice"], EVERYTHING, limit=10) == []
    assert store.lineage.chains("bob", [hers.id])[hers.id] == [hers.id]
    assert store.lineage.descendants("bob", hers.id) == []
    assert [note.text for note in store.log.export("bob", after=("", 0), limit=10)] == ["Bob prefers beer"]
    assert store.log.tombstones("bob", after="", limit=10) == []
    assert store.log.tombstone("bob", gone.id) is None
    assert {change.record_id for change in store.log.changes_after("bob", 0, limit=10)}.isdisjoint({hers.id, gone.id})
    assert len(store.log.audit("bob", after=0, limit=10)) == 1


@pytest.mark.parametrize("twin", ["Alice", "alices", "alice-1", "alice.1", "1", "alice:bob", "a" * 127])
def test_spaces_with_similar_names_do_not_find_each_others_words(
    store: SqlStore, clock: SteadyClock, twin: str
) -> None:
    for space in ("alice", "alice1", twin):
        saved(store, clock, f"The secret of {space}", space=space)

    [match] = store.matching(twin, ["secret", "alice", twin], EVERYTHING, limit=10)
    assert match.note.space == twin


def test_a_space_cannot_be_named_in_a_search(store: SqlStore, clock: SteadyClock) -> None:
    saved(store, clock, "A secret", space="bob")
    saved(store, clock, "Something else", space="alice")

    for words in (["bob"], ['bob" OR "secret'], ["space:bob", "secret"], [":bob", "':bob' | 'secret'"]):
        assert store.matching("alice", words, EVERYTHING, limit=10) == []


def test_changing_and_erasing_in_one_space_leaves_the_other_alone(store: SqlStore, clock: SteadyClock) -> None:
    hers = saved(store, clock, "Alice prefers tea")
    his = replace(hers, space="bob")
    store.apply(changes(clock, WriteNote(his), space="bob", key="k"))
    before = (store.log.changes_after("bob", 0, limit=10), store.log.audit("bob", after=0, limit=10))

    store.apply(changes(clock, EraseNote(hers.id)))
    store.apply(changes(clock, DeleteSpace()))

    assert store.note("bob", his.id) == his
    assert [match.note for match in store.matching("bob", ["tea"], EVERYTHING, limit=10)] == [his]
    assert store.replay("bob", Idempotency("k", "body")) is not None
    assert (store.log.changes_after("bob", 0, limit=10), store.log.audit("bob", after=0, limit=10)) == before


def test_what_was_erased_in_one_space_can_still_come_into_another(store: SqlStore, clock: SteadyClock) -> None:
    hers = saved(store, clock)
    store.apply(changes(clock, EraseNote(hers.id)))
    his = replace(hers, space="bob")
    store.apply(changes(clock, AdoptNote(his), space="bob"))
    assert store.note("bob", his.id) == his


def test_an_id_of_another_space_is_simply_not_there(memory: Memory) -> None:
    hers = memory.save("Alice prefers tea", space="alice")
    memory.save("Bob prefers beer", space="bob")

    attempts: list[Callable[[], object]] = [
        lambda: memory.get(hers.id, space="bob"),
        lambda: memory.history(hers.id, space="bob"),
        lambda: memory.update(hers.id, text="x", space="bob"),
        lambda: memory.supersede(hers.id, "x", space="bob"),
        lambda: memory.retract(hers.id, space="bob"),
        lambda: memory.pin(hers.id, space="bob"),
        lambda: memory.forget(hers.id, space="bob"),
        lambda: memory.save("x", derived_from=[hers.id], space="bob"),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound) as refusal:
            attempt()
        assert refusal.value.code == "note_not_found"
    assert memory.get(hers.id, space="alice") == hers


def test_a_cursor_of_another_space_is_refused(memory: Memory) -> None:
    for space in ("alice", "bob"):
        for number in range(3):
            memory.save(f"Note {number}", space=space)

    listing = memory.list(limit=1, space="alice").next_cursor
    export = memory.export(limit=2, space="alice").next_cursor

    with pytest.raises(InvalidInput, match="another list"):
        memory.list(limit=1, cursor=listing, space="bob")
    with pytest.raises(InvalidInput, match="another list"):
        memory.export(cursor=export, space="bob")


def test_a_count_of_one_space_does_not_count_another(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    note = memory.save("Bob prefers beer", space="bob")
    memory.pin(note.id, space="bob")
    memory.forget(memory.save("A secret", space="bob").id, space="bob")

    alice, bob = (memory.describe_space(name) for name in ("alice", "bob"))
    assert (alice.notes, alice.versions, alice.erased) == (1, 1, 0)
    assert (bob.notes, bob.versions, bob.erased) == (1, 2, 1)
