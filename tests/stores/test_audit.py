"""The audit log only grows, and whatever is done to it behind our back is found."""

from __future__ import annotations

import json

import pytest

from recollect import Memory
from recollect.domain.changes import EraseNote, WriteNote, audit_digest
from recollect.domain.errors import StoreFailure
from recollect.recall.export import audit_report
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import drop_guards, store_of, tampering
from tests.support.writing import a_note, changes, edited, saved


def _five_entries(store: SqlStore, clock: SteadyClock, space: str = "alice") -> None:
    note = saved(store, clock, space=space)
    for number in range(4):
        note = edited(store, clock, note, text=f"Wording {number}")


def test_every_decision_is_one_entry_that_says_who_did_what_and_why(store: SqlStore, clock: SteadyClock) -> None:
    note = a_note(clock, "Alice prefers tea")
    decided = changes(clock, WriteNote(note), reason="save")
    store.apply(decided)

    [entry] = store.log.audit("alice", after=0, limit=10)

    assert (entry.seq, entry.at, entry.reason) == (1, decided.at, "save")
    assert (entry.channel, entry.principal) == ("library", "tester")
    assert json.loads(entry.summary) == [["space-opened", "alice", 0], ["written", note.id, 1]]
    assert entry.digest == audit_digest("", entry)
    assert store.log.audit_head("alice") == (1, entry.digest)


def test_an_entry_names_notes_and_never_quotes_them(store: SqlStore, clock: SteadyClock) -> None:
    saved(store, clock, "Xylophone", title="Xylophone", tags=("xylophone",), value="Xylophone")
    assert "ylophone" not in repr(store.log.audit("alice", after=0, limit=10))


def test_a_chain_that_nobody_touched_is_whole(store: SqlStore, clock: SteadyClock) -> None:
    _five_entries(store, clock)
    report = audit_report(store.log, "alice", newest=2)

    assert report.whole
    assert [entry.seq for entry in report.entries] == [4, 5]


def test_the_chain_of_an_empty_space_is_whole(store: SqlStore) -> None:
    assert audit_report(store.log, "nobody", newest=10).whole


def test_erasing_does_not_break_the_chain(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    store.apply(changes(clock, EraseNote(note.id)))
    assert audit_report(store.log, "alice", newest=10).whole


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET reason = 'nothing'",
        "DELETE FROM audit WHERE seq = 2",
        "DELETE FROM audit",
    ],
)
def test_the_database_itself_refuses_to_change_an_entry(store: SqlStore, clock: SteadyClock, statement: str) -> None:
    _five_entries(store, clock)

    with pytest.raises(StoreFailure, match="append-only"), tampering(store) as transaction:
        transaction.query(statement)

    assert audit_report(store.log, "alice", newest=10).whole
    assert len(store.log.audit("alice", after=0, limit=10)) == 5


TAMPERINGS = {
    "a reason changed": "UPDATE audit SET reason = 'nothing' WHERE space = 'alice' AND seq = 3",
    "a principal changed": "UPDATE audit SET principal = 'mallory' WHERE space = 'alice' AND seq = 3",
    "a channel changed": "UPDATE audit SET channel = 'cli' WHERE space = 'alice' AND seq = 3",
    "a time changed": "UPDATE audit SET at = '2020-01-01T00:00:00.000000Z' WHERE space = 'alice' AND seq = 3",
    "a summary changed": "UPDATE audit SET summary = '[]' WHERE space = 'alice' AND seq = 3",
    "a digest changed": "UPDATE audit SET digest = 'x' || substr(digest, 2) WHERE space = 'alice' AND seq = 3",
    "the newest changed": "UPDATE audit SET reason = 'nothing' WHERE space = 'alice' AND seq = 5",
    "the first removed": "DELETE FROM audit WHERE space = 'alice' AND seq = 1",
    "one in the middle removed": "DELETE FROM audit WHERE space = 'alice' AND seq = 3",
    "the end cut off": "DELETE FROM audit WHERE space = 'alice' AND seq > 3",
    "everything removed": "DELETE FROM audit WHERE space = 'alice'",
    "one removed and the rest moved up": """
        DELETE FROM audit WHERE space = 'alice' AND seq = 3;
        UPDATE audit SET seq = 3 WHERE space = 'alice' AND seq = 4;
        UPDATE audit SET seq = 4 WHERE space = 'alice' AND seq = 5""",
    "two swapped": """
        UPDATE audit SET seq = 99 WHERE space = 'alice' AND seq = 3;
        UPDATE audit SET seq = 3 WHERE space = 'alice' AND seq = 4;
        UPDATE audit SET seq = 4 WHERE space = 'alice' AND seq = 99""",
    "one added": """
        INSERT INTO audit (space, seq, at, reason, channel, principal, summary, digest)
        SELECT space, 6, at, reason, channel, principal, summary, digest
        FROM audit WHERE space = 'alice' AND seq = 5""",
    "one brought over from another space": """
        DELETE FROM audit WHERE space = 'alice' AND seq = 3;
        UPDATE audit SET space = 'alice' WHERE space = 'bob' AND seq = 3""",
    "the head moved back with the end": """
        DELETE FROM audit WHERE space = 'alice' AND seq = 5;
        UPDATE space SET audit_seq = 4 WHERE name = 'alice'""",
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_is_found(store: SqlStore, clock: SteadyClock, what: str) -> None:
    _five_entries(store, clock)
    _five_entries(store, clock, space="bob")
    drop_guards(store)

    with tampering(store) as transaction:
        for statement in TAMPERINGS[what].split(";"):
            transaction.query(statement)

    assert not audit_report(store.log, "alice", newest=10).whole
    assert audit_report(store.log, "bob", newest=10).whole or "another space" in what


def test_the_doctor_names_the_space_whose_chain_is_broken(memory: Memory) -> None:
    memory.save("Alice prefers tea", space="alice")
    memory.save("Bob prefers beer", space="bob")
    assert memory.doctor().healthy
    drop_guards(store_of(memory))
    with tampering(store_of(memory)) as transaction:
        transaction.query("DELETE FROM audit WHERE space = 'bob'")

    diagnosis = memory.doctor()

    assert not diagnosis.healthy
    assert [check.name for check in diagnosis.checks if not check.ok] == ["audit of bob"]
