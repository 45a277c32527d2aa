"""Jobs in the store: queued with their cause, taken in turn, held by a lease, settled once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recollect.domain.changes import (
    CancelJob,
    ChangeKind,
    DeleteSpace,
    DropTimer,
    EraseNote,
    FailJob,
    FinishJob,
    HoldJob,
    QueueJob,
    RetryJob,
    SetTimer,
    TurnTimer,
    WriteNote,
)
from recollect.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from recollect.domain.jobs.job import JobProgress, JobStage, Timer
from recollect.stores.sql_store import SqlStore
from tests.jobs.making import LEASE, a_job, claimed, held, queued
from tests.support.clock import SteadyClock
from tests.support.writing import a_note, changes, saved


def test_a_job_is_kept_as_it_was_queued(store: SqlStore, clock: SteadyClock) -> None:
    job = queued(store, clock, payload={"ids": ["a", "ü"]}, key="k", lane="l", priority=3, max_attempts=7)
    assert (job.payload, job.key, job.lane, job.priority, job.max_attempts) == ({"ids": ["a", "ü"]}, "k", "l", 3, 7)
    assert (job.stage, job.attempts, job.generation, job.origin.principal) == (JobStage.WAITING, 0, 0, "tester")
    assert store.jobs.job("bob", job.id) is None


def test_cause_and_job_are_one_commit(store: SqlStore, clock: SteadyClock) -> None:
    note, job = saved(store, clock), a_job(clock)
    with pytest.raises(Conflict):
        store.apply(changes(clock, QueueJob(job), WriteNote(note)))  # there is one of that id
    assert store.jobs.job("alice", job.id) is None

    fresh = a_note(clock)
    store.apply(changes(clock, WriteNote(fresh), QueueJob(job)))
    assert store.note("alice", fresh.id) == fresh
    assert store.jobs.job("alice", job.id) is not None


def test_a_job_that_is_held_is_not_taken_again_until_its_lease_ends(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    first = held(store, clock, worker="one")
    assert (first.stage, first.worker, first.attempts, first.generation) == (JobStage.RUNNING, "one", 1, 1)
    assert claimed(store, clock, worker="two") is None

    assert store.jobs.renew(first, clock.now() + 2 * LEASE, None)
    clock.advance(seconds=LEASE.total_seconds())
    assert claimed(store, clock, worker="two") is None

    clock.advance(seconds=2 * LEASE.total_seconds())
    second = held(store, clock, worker="two")
    assert (second.id, second.worker, second.attempts, second.generation) == (first.id, "two", 2, 2)


def test_a_late_worker_cannot_write(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    late = held(store, clock)
    clock.advance(seconds=LEASE.total_seconds())
    now = held(store, clock, worker="two")
    note = a_note(clock)
    for edit in (
        FinishJob(late.id, late.generation),
        HoldJob(late.id, late.generation),
        FailJob(late.id, late.generation, "odd", "it did not work"),
    ):
        with pytest.raises(Conflict) as refused:
            store.apply(changes(clock, WriteNote(note), edit))
        assert refused.value.code == "lease_lost"
    assert store.note("alice", note.id) is None
    assert not store.jobs.renew(late, clock.now() + LEASE, None)
    assert not store.jobs.release(late, clock.now())

    store.apply(changes(clock, WriteNote(note), FinishJob(now.id, now.generation)))
    assert store.note("alice", note.id) == note
    with pytest.raises(Conflict, match="no longer held"):
        store.apply(changes(clock, FinishJob(now.id, now.generation)))


def test_a_worker_that_is_late_but_was_not_replaced_may_finish(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    job = held(store, clock)
    clock.advance(days=1)
    store.apply(changes(clock, FinishJob(job.id, job.generation)))
    assert claimed(store, clock) is None


def test_a_failed_try_waits_for_its_time_and_the_last_one_is_a_dead_letter(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    first = held(store, clock)
    retry_at = clock.now() + timedelta(minutes=5)
    store.apply(changes(clock, FailJob(first.id, first.generation, "odd", "it did not work", retry_at)))
    assert claimed(store, clock) is None

    clock.advance(minutes=6)
    second = held(store, clock)
    assert (second.attempts, second.failure, second.detail) == (2, "odd", "it did not work")
    store.apply(changes(clock, FailJob(second.id, second.generation, "odd", "never", None)))
    dead = store.jobs.job("alice", second.id)
    assert dead is not None and (dead.stage, dead.failure, dead.detail) == (JobStage.DEAD, "odd", "never")
    clock.advance(days=1)
    assert claimed(store, clock) is None


def test_a_dead_job_can_be_retried_and_an_open_one_cancelled(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    job = held(store, clock)
    store.apply(changes(clock, FailJob(job.id, job.generation, "odd", "never", None)))
    with pytest.raises(Conflict) as refused:
        store.apply(changes(clock, CancelJob(job.id)))
    assert refused.value.code == "job_stage"

    store.apply(changes(clock, RetryJob(job.id)))
    again = held(store, clock)
    assert (again.id, again.attempts) == (job.id, 1)
    with pytest.raises(Conflict):
        store.apply(changes(clock, RetryJob(job.id)))
    store.apply(changes(clock, CancelJob(job.id)))
    with pytest.raises(Conflict, match="no longer held"):  # whoever runs it has lost it
        store.apply(changes(clock, FinishJob(again.id, again.generation)))
    with pytest.raises(NotFound):
        store.apply(changes(clock, CancelJob(clock.new_id())))


def test_a_key_waits_once_but_one_that_has_begun_does_not_count(store: SqlStore, clock: SteadyClock) -> None:
    first = queued(store, clock, key="fill")
    receipt = store.apply(changes(clock, QueueJob(a_job(clock, key="fill"))))
    assert receipt.changes == ()
    assert store.jobs.waiting("alice", "fill") == first
    queued(store, clock, space="bob", key="fill")

    begun = held(store, clock)
    assert begun.space == "alice"
    second = queued(store, clock, key="fill")
    assert second.id != first.id
    store.apply(changes(clock, FailJob(begun.id, begun.generation, "odd", "", None)))
    with pytest.raises(Conflict, match="another one with its key"):
        store.apply(changes(clock, RetryJob(begun.id)))


def test_a_lane_is_kept_in_order_even_when_a_try_fails(store: SqlStore, clock: SteadyClock) -> None:
    jobs = [queued(store, clock, lane="form") for _ in range(3)]
    aside = queued(store, clock)
    first = held(store, clock)
    assert first.id == jobs[0].id
    assert held(store, clock).id == aside.id
    assert claimed(store, clock) is None

    store.apply(changes(clock, FailJob(first.id, first.generation, "odd", "", clock.now() + timedelta(minutes=9))))
    assert claimed(store, clock) is None
    clock.advance(minutes=10)
    store.apply(changes(clock, FinishJob(aside.id, 1)))
    for expected in jobs:
        job = held(store, clock)
        assert job.id == expected.id
        assert claimed(store, clock) is None
        store.apply(changes(clock, FinishJob(job.id, job.generation)))


def test_the_higher_priority_comes_first_and_then_the_older(store: SqlStore, clock: SteadyClock) -> None:
    low, high, later = (queued(store, clock, priority=each) for each in (0, 5, 5))
    assert [held(store, clock).id for _ in range(3)] == [high.id, later.id, low.id]


def test_spaces_take_turns_however_many_jobs_one_has(store: SqlStore, clock: SteadyClock) -> None:
    for _ in range(6):
        queued(store, clock, space="alice", priority=9)
    for _ in range(2):
        queued(store, clock, space="bob")
    queued(store, clock, space="carol")
    taken = []
    for _ in range(9):  # one after the other
        job = held(store, clock)
        taken.append(job.space)
        store.apply(changes(clock, FinishJob(job.id, job.generation), space=job.space))
    assert taken[:3] == ["alice", "bob", "carol"]
    assert taken[3:5] == ["alice", "bob"]
    assert taken[5:] == ["alice"] * 4


def test_a_space_that_keeps_workers_busy_waits_for_the_others(store: SqlStore, clock: SteadyClock) -> None:
    for _ in range(3):
        queued(store, clock, space="alice")
    assert [held(store, clock).space for _ in range(2)] == ["alice", "alice"]
    queued(store, clock, space="bob")
    assert held(store, clock).space == "bob"


def test_a_worker_takes_only_kinds_it_knows(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock, "from-a-newer-version")
    known = queued(store, clock)
    assert held(store, clock).id == known.id
    assert claimed(store, clock) is None


def test_only_jobs_of_the_space_that_is_asked_for_are_taken(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock, space="alice")
    theirs = queued(store, clock, space="bob")
    job = claimed(store, clock, space="bob")
    assert job is not None and job.id == theirs.id
    assert claimed(store, clock, space="bob") is None


def test_a_job_put_back_has_not_used_up_a_try(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock, max_attempts=1)
    job = held(store, clock)
    assert store.jobs.release(job, clock.now())
    again = held(store, clock)
    assert (again.attempts, again.max_attempts) == (2, 2)


def test_progress_is_seen_while_a_job_runs(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    job = held(store, clock)
    store.jobs.renew(job, clock.now() + LEASE, JobProgress("reading", 3, 10))
    store.apply(changes(clock, HoldJob(job.id, job.generation)))
    seen = store.jobs.job("alice", job.id)
    assert seen is not None and seen.progress == JobProgress("reading", 3, 10)
    receipt = store.apply(changes(clock, HoldJob(job.id, job.generation, JobProgress("writing", 1, 2))))
    assert [change.kind for change in receipt.changes] == [ChangeKind.JOB_PROGRESSED]


def test_jobs_are_listed_newest_first_by_stage_and_page(store: SqlStore, clock: SteadyClock) -> None:
    jobs = [queued(store, clock) for _ in range(4)]
    running = held(store, clock)
    every = store.jobs.jobs("alice", stages=(), before=None, limit=3)
    assert [job.id for job in every] == [job.id for job in reversed(jobs[1:])]
    assert [job.id for job in store.jobs.jobs("alice", stages=(), before=every[-1].seq, limit=3)] == [jobs[0].id]
    assert store.jobs.jobs("alice", stages={JobStage.RUNNING}, before=None, limit=9) == [running]
    assert store.jobs.jobs("bob", stages=(), before=None, limit=9) == []
    assert store.jobs.counts() == {("alice", "sum", "waiting"): 3, ("alice", "sum", "running"): 1}


def test_every_step_of_a_job_is_in_the_change_log(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    job = held(store, clock)
    store.apply(changes(clock, FailJob(job.id, job.generation, "odd", "", clock.now())))
    job = held(store, clock)
    store.apply(changes(clock, FinishJob(job.id, job.generation)))
    kinds = [change.kind.value for change in store.log.changes_after("alice", 0, limit=9)]
    assert kinds == ["space-opened", "job-queued", "job-failed", "job-done"]


def test_a_timer_is_turned_by_one_process_only(store: SqlStore, clock: SteadyClock) -> None:
    due = clock.now()
    timer = Timer("alice", "nightly", "sum", 3600, due, {"target": "disk"})
    store.apply(changes(clock, SetTimer(timer)))
    assert store.jobs.timers_due(clock.now()) == [timer]
    following = due + timedelta(hours=1)
    turn = TurnTimer("nightly", due, following)
    store.apply(changes(clock, turn, QueueJob(a_job(clock))))
    with pytest.raises(Conflict) as refused:
        store.apply(changes(clock, turn, QueueJob(a_job(clock))))
    assert refused.value.code == "timer_turned"
    assert store.jobs.counts() == {("alice", "sum", "waiting"): 1}
    assert store.jobs.timers_due(clock.now()) == []
    assert [each.next_at for each in store.jobs.timers("alice")] == [following]
    assert store.jobs.timers("bob") == []
    store.apply(changes(clock, DropTimer("nightly")))
    assert store.jobs.timers("alice") == []


def test_settled_jobs_go_after_a_while_and_open_ones_never(store: SqlStore, clock: SteadyClock) -> None:
    jobs = [queued(store, clock) for _ in range(5)]
    for _ in range(3):
        job = held(store, clock)
        store.apply(changes(clock, FinishJob(job.id, job.generation)))
    dead = held(store, clock)
    store.apply(changes(clock, FailJob(dead.id, dead.generation, "odd", "", None)))
    store.jobs.expire("alice", before=clock.now() - timedelta(days=7), most=2)
    left = store.jobs.jobs("alice", stages=(), before=None, limit=9)
    assert [job.id for job in left] == [jobs[4].id, jobs[3].id, jobs[2].id, jobs[1].id]
    clock.advance(days=8)
    store.jobs.expire("alice", before=clock.now() - timedelta(days=7), most=2)
    assert [job.id for job in store.jobs.jobs("alice", stages=(), before=None, limit=9)] == [jobs[4].id]


def test_a_deleted_space_takes_its_jobs_and_timers_with_it(store: SqlStore, clock: SteadyClock) -> None:
    queued(store, clock)
    store.apply(changes(clock, SetTimer(Timer("alice", "nightly", "sum", 3600, clock.now()))))
    job = held(store, clock)
    store.apply(changes(clock, DeleteSpace()))
    assert store.jobs.counts() == {}
    assert store.jobs.timers("alice") == []
    with pytest.raises(Conflict, match="no longer held"):
        store.apply(changes(clock, FinishJob(job.id, job.generation)))


def test_forgetting_takes_the_messages_of_errors_with_it(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock)
    queued(store, clock)
    job = held(store, clock)
    store.apply(changes(clock, FailJob(job.id, job.generation, "odd", f"cannot read: {note.text}", None)))
    store.apply(changes(clock, EraseNote(note.id)))
    dead = store.jobs.job("alice", job.id)
    assert dead is not None and (dead.failure, dead.detail) == ("odd", None)


def test_a_secret_does_not_get_into_a_job(store: SqlStore, clock: SteadyClock) -> None:
    secret = "sk-ant-api03-" + "Zq8xW2" * 16
    job = queued(store, clock, payload={"address": f"https://user:{secret}@example.com"})
    assert secret not in str(job.payload)
    running = held(store, clock)
    store.apply(changes(clock, FailJob(running.id, running.generation, "odd", f"refused: {secret}", None)))
    dead = store.jobs.job("alice", job.id)
    assert dead is not None and secret not in str(dead.detail)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"kind": "No Kind"}, InvalidInput),
        ({"payload": {"text": "x" * 20_000}}, TooLarge),
        ({"priority": 10_000}, InvalidInput),
        ({"max_attempts": 0}, InvalidInput),
        ({"key": "k" * 300}, TooLarge),
    ],
)
def test_an_unsound_job_is_refused_with_its_cause(
    store: SqlStore, clock: SteadyClock, fields: dict[str, object], kind: type[Exception]
) -> None:
    note = a_note(clock)
    with pytest.raises(kind):
        store.apply(changes(clock, WriteNote(note), QueueJob(a_job(clock, **{"kind": "sum", **fields}))))  # type: ignore[arg-type]
    assert store.note("alice", note.id) is None
