"""A dry run makes every check and says what would be written, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.changes import ChangeKind, WriteNote
from recollect.domain.errors import Conflict, Erased, InvalidInput, NotFound, RecollectError
from recollect.domain.notes import Note
from recollect.memory import Rehearsal
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows, store_of, tables

Verb = Callable[[Memory, str], object]

WRITES: dict[str, Verb] = {
    "save": lambda memory, note_id: memory.save("Alice has a parrot", tags=["pet"], derived_from=[note_id]),
    "save in a new space": lambda memory, _: memory.save("Bob prefers beer", space="bob"),
    "update": lambda memory, note_id: memory.update(note_id, text="Alice prefers coffee", clear=["tags"]),
    "supersede": lambda memory, note_id: memory.supersede(note_id, "Alice prefers water"),
    "retract": lambda memory, note_id: memory.retract(note_id, reason="a joke"),
    "pin": lambda memory, note_id: memory.pin(note_id),
    "unpin": lambda memory, note_id: memory.unpin(note_id),
    "forget": lambda memory, note_id: memory.forget(note_id, cascade=True),
    "create a space": lambda memory, _: memory.create_space("carol", description="Carol's own"),
    "limit a space": lambda memory, _: memory.limit_space("alice", max_notes=5, max_messages=7),
    "delete a space": lambda memory, _: memory.delete_space("alice"),
    "import": lambda memory, _: memory.import_(
        ['{"type": "tombstone", "space": "alice", "note_id": "' + "0" * 26 + '"}']
    ),
    "reindex": lambda memory, _: memory.reindex(),
}


def _contents(store: SqlStore) -> dict[str, list[str]]:
    return {table: sorted(repr(row) for row in rows(store, f"SELECT * FROM {table}")) for table in tables(store)}


def _timeless(note: Note) -> Note:
    """A note without the id and the times it was given on the occasion."""
    never = datetime.min.replace(tzinfo=UTC)
    names = ("recorded_at", "updated_at", "valid_from", "valid_until", "retired_at", "last_seen_at")
    times: dict[str, Any] = {name: never for name in names if getattr(note, name)}
    still = replace(note, **times)
    return replace(still, id="") if note.version == 1 else still


def _planned(rehearsal: Rehearsal) -> list[Note]:
    edits = [edit for changes in rehearsal.changes for edit in changes.edits]
    return [_timeless(edit.note) for edit in edits if isinstance(edit, WriteNote)]


def _written(store: SqlStore, spaces: dict[str, int]) -> list[Note]:
    """The versions that were written after the given numbers of each space."""
    found = []
    for space in store.spaces():
        for change in store.log.changes_after(space.name, spaces.get(space.name, 0), limit=100):
            version = store.version(space.name, change.record_id, change.version)
            if change.kind is ChangeKind.WRITTEN and version is not None:
                found.append(_timeless(version))
    return found


@pytest.mark.parametrize("verb", WRITES)
def test_a_dry_run_writes_nothing_and_decides_as_the_real_one_does(memory: Memory, verb: str) -> None:
    store = store_of(memory)
    memory.save("Something else", space="alice")
    note = memory.save("Alice prefers tea", tags=["drink"])
    before, counted = _contents(store), {space.name: space.seq for space in store.spaces()}

    rehearsal = memory.dry_run()
    WRITES[verb](rehearsal, note.id)
    assert _contents(store) == before

    WRITES[verb](memory, note.id)
    assert _written(store, counted) == _planned(rehearsal)
    if verb == "reindex":
        assert rehearsal.changes == ()
    else:
        [decided] = rehearsal.changes
        [entry] = store.log.audit(decided.space, after=_audited(before, decided.space), limit=10)
        assert (entry.reason, entry.principal) == (decided.reason, decided.origin.principal)


def _audited(before: dict[str, list[str]], space: str) -> int:
    return sum(row.startswith(f"('{space}',") for row in before["audit"])


FAILURES: dict[str, tuple[type[RecollectError], Verb]] = {
    "stale": (Conflict, lambda memory, note_id: memory.update(note_id, text="x", expected_version=9)),
    "no such parent": (NotFound, lambda memory, _: memory.save("x", derived_from=["0" * 26])),
    "no such space": (NotFound, lambda memory, note_id: memory.pin(note_id, space="nobody")),
    "key reused": (Conflict, lambda memory, _: memory.save("x", idempotency_key="k")),
    "key erased": (Erased, lambda memory, _: memory.save("Gone", idempotency_key="gone")),
    "retracted twice": (Conflict, lambda memory, _: memory.retract(memory.list(state="retracted").items[0].id)),
    "not true before": (InvalidInput, lambda memory, note_id: memory.supersede(note_id, "x", valid_from="1999-01-01")),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_what_would_fail_fails_in_a_dry_run_too(memory: Memory, failure: str) -> None:
    note = memory.save("Alice prefers tea", idempotency_key="k")
    memory.forget(memory.save("Gone", idempotency_key="gone").id)
    memory.retract(memory.save("Never true").id)
    kind, verb = FAILURES[failure]

    refusals = []
    for attempt in (memory.dry_run(), memory):
        with pytest.raises(kind) as refusal:
            verb(attempt, note.id)
        refusals.append((refusal.value.code, refusal.value.hint))
    assert refusals[0] == refusals[1]


def test_a_dry_run_answers_with_the_note_it_would_have_written(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("Alice prefers tea")
    planned = memory.dry_run().update(note.id, text="Alice prefers coffee")

    assert (planned.text, planned.version) == ("Alice prefers coffee", 2)
    assert memory.get(note.id) == note
    assert planned.updated_at < clock.now()


def test_a_dry_run_reads_what_is_really_there(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    rehearsal = memory.dry_run()
    rehearsal.forget(note.id)
    assert rehearsal.get(note.id) == note
