"""The change log has no gaps and follows the order of commits, so that whoever follows it misses nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from recollect.domain.changes import Change, Changes, EraseNote, WriteNote
from recollect.domain.errors import Conflict
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.together import at_once
from tests.support.writing import a_note, changes, edited, saved

WRITERS, ROUNDS = 4, 15


def _whole_log(store: SqlStore, space: str) -> list[Change]:
    return list(store.log.changes_after(space, 0, limit=10_000))


def test_every_change_has_the_next_number(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    edited(store, clock, note, pinned=True)
    store.apply(changes(clock, EraseNote(note.id)))

    assert [change.seq for change in _whole_log(store, "alice")] == [1, 2, 3, 4]
    space = store.space("alice")
    assert space is not None and space.seq == 4


def test_spaces_count_by_themselves(store: SqlStore, clock: SteadyClock) -> None:
    for space in ("alice", "bob", "alice"):
        saved(store, clock, space=space)

    assert [change.seq for change in _whole_log(store, "alice")] == [1, 2, 3]
    assert [change.seq for change in _whole_log(store, "bob")] == [1, 2]


def test_a_log_is_read_from_where_one_stopped(store: SqlStore, clock: SteadyClock) -> None:
    for number in range(6):
        saved(store, clock, f"Note {number}")
    whole = _whole_log(store, "alice")

    assert store.log.changes_after("alice", 3, limit=2) == whole[3:5]
    assert store.log.changes_after("alice", 7, limit=2) == []


def test_what_failed_or_was_rehearsed_leaves_no_gap(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    with pytest.raises(Conflict):
        store.apply(changes(clock, WriteNote(a_note(clock)), WriteNote(replace(note, version=9))))
    store.apply(changes(clock, WriteNote(a_note(clock))), rehearse=True)
    saved(store, clock)

    assert [change.seq for change in _whole_log(store, "alice")] == [1, 2, 3]


def test_a_request_without_effect_leaves_no_trace(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    store.apply(changes(clock, EraseNote(note.id)))
    before = _whole_log(store, "alice")

    assert store.apply(changes(clock, EraseNote(note.id))).changes == ()
    assert _whole_log(store, "alice") == before
    assert len(store.log.audit("alice", after=0, limit=10)) == 2


def test_writers_side_by_side_leave_no_gap_and_a_follower_misses_nothing(store: SqlStore, clock: SteadyClock) -> None:
    """Every third attempt of each writer fails after it has written something, and is taken back."""
    first = saved(store, clock)
    work = [[_attempt(clock, stale=n % 3 == 2, first_id=first.id) for n in range(ROUNDS)] for _ in range(WRITERS)]
    finished = threading.Event()

    def writer(attempts: list[Changes]) -> Callable[[], int]:
        def write_all() -> int:
            acknowledged = 0
            for attempt in attempts:
                with suppress(Conflict):
                    acknowledged += len(store.apply(attempt).changes)
            return acknowledged

        return write_all

    def follow() -> list[Change]:
        seen: list[Change] = []
        while True:
            over = finished.is_set()
            fresh = store.log.changes_after("alice", seen[-1].seq if seen else 0, limit=5)
            seen.extend(fresh)
            if over and not fresh:
                return seen

    def write_everything() -> list[Change]:
        try:
            assert (
                sum(outcome.value for outcome in at_once([writer(part) for part in work])) == WRITERS * ROUNDS * 2 // 3
            )
        finally:
            finished.set()
        return _whole_log(store, "alice")

    written, followed = (outcome.value for outcome in at_once([write_everything, follow]))

    assert [change.seq for change in written] == list(range(1, len(written) + 1))
    assert followed == written
    acknowledged = {
        edit.note.id for part in work for done in part for edit in done.edits if isinstance(edit, WriteNote)
    }
    assert {change.record_id for change in written} - {"alice", first.id} <= acknowledged
    assert len(written) == 2 + WRITERS * ROUNDS * 2 // 3


def _attempt(clock: SteadyClock, *, stale: bool, first_id: str) -> Changes:
    edits = [WriteNote(a_note(clock, "Written side by side"))]
    if stale:
        edits.append(WriteNote(replace(a_note(clock), id=first_id, version=7)))
    return changes(clock, *edits)
