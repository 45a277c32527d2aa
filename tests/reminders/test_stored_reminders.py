"""Records that sessions were told are written down once, for a while, each space by itself."""

from __future__ import annotations

from datetime import timedelta

from recollect.domain.changes import DeleteSpace, EraseNote
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows
from tests.support.writing import changes, saved


def test_of_two_who_tell_the_same_one_does(store: SqlStore, clock: SteadyClock) -> None:
    assert store.reminders.claim("alice", "work", ["a", "b"], clock.now()) == {"a", "b"}
    assert store.reminders.claim("alice", "work", ["b", "c"], clock.now()) == {"c"}
    assert store.reminders.told("alice", "work") == {"a", "b", "c"}
    assert store.reminders.told("alice", "other") == store.reminders.told("bob", "work") == frozenset()


def test_a_session_begins_anew_by_itself(store: SqlStore, clock: SteadyClock) -> None:
    for session in ("work", "other"):
        store.reminders.claim("alice", session, ["a"], clock.now())
    store.reminders.begin_anew("alice", "work")
    assert store.reminders.told("alice", "work") == frozenset()
    assert store.reminders.told("alice", "other") == {"a"}


def test_what_was_told_long_ago_is_forgotten(store: SqlStore, clock: SteadyClock) -> None:
    store.reminders.claim("alice", "work", ["a"], clock.now())
    later = clock.now() + timedelta(days=1)
    store.reminders.claim("alice", "work", ["b"], later)
    store.reminders.expire("alice", before=later)
    assert store.reminders.told("alice", "work") == {"b"}


def test_an_erased_record_and_a_deleted_space_leave_nothing(store: SqlStore, clock: SteadyClock) -> None:
    first, second = saved(store, clock), saved(store, clock)
    store.reminders.claim("alice", "work", [first.id, second.id], clock.now())
    store.apply(changes(clock, EraseNote(first.id)))
    assert store.reminders.told("alice", "work") == {second.id}
    store.apply(changes(clock, DeleteSpace()))
    assert rows(store, "SELECT count(*) FROM reminded") == [(0,)]
