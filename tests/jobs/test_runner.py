"""A runner does what is due, once, and settles it; in the background until it is stopped, or at a call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.domain.changes import CancelJob, Changes, QueueJob
from recollect.domain.errors import InvalidInput
from recollect.domain.jobs.job import UPKEEP, Job, JobProgress, JobStage, Timer
from recollect.domain.origin import Channel, Origin
from recollect.engine import Engine
from recollect.jobs.runner import JobRunner, Pace
from recollect.jobs.works import Task, Work, Works
from tests.support.clock import SteadyClock

PATIENCE = 60.0  # seconds; a machine that is busy with other things needs them


@pytest.fixture
def engine(memory: Memory) -> Engine:
    return memory._engine


def queue(engine: Engine, kind: str, *, space: str = "alice", **fields: Any) -> Job:
    now = engine.clock.now()
    job = Job(engine.clock.new_id(), space, kind, now, now, origin=Origin(Channel.CLI, "carol"), **fields)
    engine.store.apply(Changes(space, "test", now, Origin(), (QueueJob(job),)))
    return job


def now_as(engine: Engine, job: Job) -> Job:
    found = engine.jobs.job(job.space, job.id)
    assert found is not None
    return found


def ran(engine: Engine, work: Work, **pace: Any) -> dict[str, int]:
    """What came of the jobs of the kind `sum`."""
    return dict(JobRunner(engine, {"sum": work}, Pace(**pace)).run_due(limit=10))


def noting(works: Works, task: Task) -> None:
    with task.finishing():
        works._carry_out("test", task.job.space, *_a_note(works, task))


def _a_note(works: Works, task: Task) -> tuple[Any, ...]:
    from recollect.remember.decisions import save
    from recollect.remember.fields import checked_fields

    return save(works._occasion(task.job.space), checked_fields({"text": f"made by {task.job.id}"}))


def test_a_job_is_done_in_the_name_of_whoever_queued_it(memory: Memory, engine: Engine) -> None:
    job = queue(engine, "sum")
    assert ran(engine, noting) == {"done": 1}
    [note] = memory.list(space="alice")
    assert (note.text, note.origin.channel, note.origin.principal) == (f"made by {job.id}", Channel.CLI, "carol")
    assert now_as(engine, job).stage is JobStage.DONE
    assert ran(engine, noting) == {}


def test_effect_and_end_of_a_job_are_one_commit(memory: Memory, engine: Engine) -> None:
    job = queue(engine, "sum")

    def cancelled_meanwhile(works: Works, task: Task) -> None:
        engine.store.apply(Changes("alice", "test", engine.clock.now(), Origin(), (CancelJob(job.id),)))
        noting(works, task)

    assert ran(engine, cancelled_meanwhile) == {"lost": 1}
    assert memory.list(space="alice").items == ()
    assert now_as(engine, job).stage is JobStage.CANCELLED


def test_every_write_of_a_job_needs_its_lease_not_only_the_last(memory: Memory, engine: Engine) -> None:
    job = queue(engine, "sum")

    def frozen(works: Works, task: Task) -> None:
        task.tell("writing", 1, 2)
        works._carry_out("test", "alice", *_a_note(works, task))
        assert now_as(engine, job).progress == JobProgress("writing", 1, 2)
        clock = engine.clock
        assert isinstance(clock, SteadyClock)
        clock.advance(hours=1)
        other = JobRunner(engine, {"sum": lambda *_: None})
        assert other.run_due(limit=1) == {"done": 1}
        works._carry_out("test", "alice", *_a_note(works, task))

    assert ran(engine, frozen) == {"lost": 1}
    assert len(memory.list(space="alice")) == 1
    assert now_as(engine, job).stage is JobStage.DONE


def test_a_failing_job_is_tried_again_and_then_kept_as_a_dead_letter(engine: Engine, clock: SteadyClock) -> None:
    job = queue(engine, "sum", max_attempts=2)

    def poison(_: Works, __: Task) -> None:
        raise ZeroDivisionError("by nothing")

    assert ran(engine, poison, first_pause=600) == {"failed": 1}
    waiting = now_as(engine, job)
    assert (waiting.stage, waiting.failure, waiting.detail) == (JobStage.WAITING, "ZeroDivisionError", "by nothing")
    assert ran(engine, poison, first_pause=600) == {}
    clock.advance(hours=1)
    assert ran(engine, poison, first_pause=600) == {"dead": 1}
    assert now_as(engine, job).stage is JobStage.DEAD


def test_what_cannot_be_mended_is_not_tried_again(engine: Engine) -> None:
    queue(engine, "sum")

    def wrong(_: Works, __: Task) -> None:
        raise InvalidInput("There is no such folder.")

    assert ran(engine, wrong) == {"dead": 1}


def test_a_job_whose_workers_vanish_is_buried_in_the_end(engine: Engine, clock: SteadyClock) -> None:
    job = queue(engine, "sum", max_attempts=2)
    runner = JobRunner(engine, {"sum": noting})
    for _ in range(2):
        assert runner._claim() is not None  # and the worker is never seen again
        clock.advance(hours=1)
    assert ran(engine, noting) == {"dead": 1}
    assert now_as(engine, job).failure == "worker_lost"


def test_a_timer_queues_one_job_in_each_period(engine: Engine, clock: SteadyClock) -> None:
    from recollect.domain.changes import SetTimer

    timer = Timer("alice", "hourly", "sum", 3600, clock.now())
    engine.store.apply(Changes("alice", "test", clock.now(), Origin(), (SetTimer(timer),)))
    assert ran(engine, noting) == {"done": 1}
    assert ran(engine, noting) == {}
    clock.advance(hours=3)
    assert ran(engine, noting) == {"done": 1}


def test_every_space_is_kept_up_once_a_day(memory: Memory, engine: Engine, clock: SteadyClock) -> None:
    memory.save("over soon", space="alice", expires_at=clock.now().replace(hour=23).isoformat())
    memory.save("stays", space="bob")
    before = [engine.store.space(space) for space in ("alice", "bob")]
    assert JobRunner(engine).run_due(limit=10) == {}
    assert [engine.store.space(space) for space in ("alice", "bob")] == before  # a timer is no change of memory
    clock.advance(days=1)
    assert JobRunner(engine).run_due(limit=10) == {"done": 2}
    assert [note.text for note in memory.list(space="alice", state="expired")] == ["over soon"]
    assert {kind for _, kind, _ in engine.jobs.counts()} == {UPKEEP}


def test_a_started_runner_takes_what_is_queued_and_stops(memory: Memory, engine: Engine) -> None:
    done = threading.Event()

    def work(works: Works, task: Task) -> None:
        noting(works, task)
        done.set()

    runner = JobRunner(engine, {"sum": work}, Pace(look_every=0.05))
    assert not engine.bell.is_attended
    with runner.started():
        assert engine.bell.is_attended
        queue(engine, "sum")
        assert done.wait(PATIENCE)
    assert not engine.bell.is_attended
    assert len(memory.list(space="alice")) == 1


def test_the_next_job_is_due_when_a_try_is_made_again_or_a_lease_ends(engine: Engine, clock: SteadyClock) -> None:
    assert engine.jobs.next_due(clock.now()) is None
    queue(engine, "sum")
    now = clock.now()
    assert engine.jobs.next_due(now) is None, "what is due now is nothing to wait for"
    until = now + timedelta(seconds=60)
    assert engine.jobs.claim(["sum"], worker="w", now=now, until=until) is not None
    assert engine.jobs.next_due(now) == until


def test_a_runner_that_looks_rarely_is_woken_by_a_verb(memory: Memory, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("The cellar is damp.")
    done = threading.Event()

    def work(works: Works, task: Task) -> None:
        works.take_in(task)
        done.set()

    with JobRunner(engine, {"ingest": work}, Pace(look_every=3600)).started():
        memory.ingest(str(tmp_path / "letter.txt"), background=True, space="alice")
        assert done.wait(PATIENCE)


def test_a_job_under_way_goes_back_when_the_runner_stops(engine: Engine) -> None:
    begun, tries = threading.Event(), 0

    def endless(_: Works, task: Task) -> None:
        nonlocal tries
        tries += 1
        while True:
            begun.set()
            task.tell("counting")

    job = queue(engine, "sum", max_attempts=1)
    with JobRunner(engine, {"sum": endless}, Pace(threads=1, look_every=0.05)).started(grace=PATIENCE):
        assert begun.wait(PATIENCE)
    assert tries == 1
    assert now_as(engine, job).stage is JobStage.WAITING
    assert ran(engine, noting) == {"done": 1}


def test_a_runner_does_not_wait_longer_than_its_grace(engine: Engine) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def deaf(_: Works, __: Task) -> None:
        begun.set()
        let_go.wait(PATIENCE)

    job = queue(engine, "sum")
    stopped: Callable[[], bool] = let_go.is_set
    with JobRunner(engine, {"sum": deaf}, Pace(threads=1, look_every=0.05)).started(grace=0.01):
        assert begun.wait(PATIENCE)
    assert not stopped()  # it went on without waiting for the job
    let_go.set()
    workers = [each for each in threading.enumerate() if each.name == "recollect-job-0"]
    for worker in workers:
        worker.join(PATIENCE)
    assert now_as(engine, job).stage is JobStage.RUNNING  # whoever comes too late leaves it to its lease


def test_a_lease_is_renewed_while_a_long_job_runs(engine: Engine) -> None:
    job = queue(engine, "sum")
    renewed = threading.Event()

    def long(_: Works, task: Task) -> None:
        task.tell("counting", 1, 3)
        first = now_as(engine, job).due_at
        for _round in range(6000):
            if now_as(engine, job).due_at > first and now_as(engine, job).progress == JobProgress("counting", 1, 3):
                renewed.set()
                return
            renewed.wait(0.01)

    assert ran(engine, long, lease=0.15) == {"done": 1}
    assert renewed.is_set()
