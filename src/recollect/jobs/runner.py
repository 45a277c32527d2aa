"""A runner: a few threads that take jobs, do them and settle them, until they are told to stop.

Any number of runners may work on one store. One that dies leaves a lease that runs out; one that was frozen and goes
on finds that it cannot write. Times come from the engine's clock; only pauses are those of the machine.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from recollect.domain.changes import Changes, Edit, FailJob, FinishJob, QueueJob, TurnTimer
from recollect.domain.chat.chat_model import Unanswered
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.errors import Busy, Conflict, InvalidInput, RecollectError, Unreachable, Unsupported
from recollect.domain.jobs.job import UPKEEP, Job, Timer
from recollect.domain.origin import Caller
from recollect.engine import Engine
from recollect.jobs.works import BUILT_IN_TIMERS, WORKS, Interrupted, Task, Work, Works
from recollect.verbs.actor import chapter_alone
from recollect.verbs.upkeep import JOBS

FIRST_PAUSE = 5.0  # seconds before the second try; each later pause is twice as long
LONGEST_PAUSE = 3600.0

_FOR_GOOD = (InvalidInput, Unsupported)  # the very same call cannot succeed later
_WORKER_LOST = "worker_lost"


def after_failure(
    job: Job, problem: Exception, now: datetime, chance: float, *, first_pause: float = FIRST_PAUSE
) -> FailJob:
    """Try again after a pause that doubles, shortened by up to half by chance; bury it when no try is left.

    A job that waits for a model, at a cap or while its provider rests, is tried when that is over, and no try is lost.
    """
    if isinstance(problem, Unanswered) and problem.wait is not None:
        due_at = now + timedelta(seconds=max(problem.wait, first_pause))
        return FailJob(job.id, job.generation, problem.code, str(problem), due_at, counts=False)
    failure = problem.code if isinstance(problem, RecollectError) else type(problem).__name__
    final = isinstance(problem, _FOR_GOOD) or (isinstance(problem, Unanswered) and problem.is_final)
    last = final or job.attempts >= job.max_attempts
    pause = min(LONGEST_PAUSE, first_pause * 2 ** min(job.attempts - 1, 30)) * (1 - chance / 2)
    retry_at = None if last else now + timedelta(seconds=pause)
    return FailJob(job.id, job.generation, failure, str(problem), retry_at)


def lost_too_often(job: Job) -> FailJob | None:
    """A dead letter for a job whose workers vanished with every try it had; it may be what ended them."""
    if job.attempts <= job.max_attempts:
        return None
    detail = f"Each of {job.max_attempts} workers ended, or lost its lease, before the job was done."
    return FailJob(job.id, job.generation, _WORKER_LOST, detail)


def next_turn(due_at: datetime, every_seconds: int, now: datetime) -> datetime:
    """The first moment of a timer after now. Periods that passed while nothing ran are made up for by one job."""
    missed = int((now - due_at).total_seconds() // every_seconds)
    return due_at + timedelta(seconds=every_seconds * (max(0, missed) + 1))


GRACE = 10.0  # seconds that a job under way has to come to a good moment when the runner is to stop

_TRIES = 3  # at settling a job while others write
_SPACES_AT_ONCE = 1000  # that are given the timers which every space has

_log = logging.getLogger("recollect.jobs")


@dataclass(frozen=True, slots=True)
class Pace:
    """How many jobs at once, how long one is held, how often is looked for more; in seconds."""

    threads: int = 2
    lease: float = 60.0
    look_every: float = 15.0  # for what other processes queue; a job of this one wakes the runner
    timers_every: float = 30.0
    first_pause: float = FIRST_PAUSE


class JobRunner:
    """Runs the jobs of one store, in threads of its own or in the caller's."""

    def __init__(self, engine: Engine, works: Mapping[str, Work] = WORKS, pace: Pace | None = None) -> None:
        self._engine = engine
        self._works = works
        self._pace = pace or Pace()
        self._worker = f"{socket.gethostname()}:{os.getpid()}"
        self._stopping = threading.Event()
        self._held: dict[str, Task] = {}
        self._timers_at = float("-inf")  # when timers were looked at last, by the monotonic clock

    def with_threads(self, threads: int) -> JobRunner:
        """The same runner, with so many jobs at once."""
        return JobRunner(self._engine, self._works, replace(self._pace, threads=threads))

    @contextmanager
    def started(self, *, grace: float = GRACE) -> Iterator[JobRunner]:
        """Run jobs in the background for as long as the block lasts, and at most `grace` seconds longer."""
        threads = [
            threading.Thread(target=target, name=name, daemon=True)
            for name, target in (
                *((f"recollect-job-{number}", self._take_and_do) for number in range(self._pace.threads)),
                ("recollect-lease", self._keep_leases),
            )
        ]
        self._configure_webhooks()
        with self._engine.bell.attended():
            for thread in threads:
                thread.start()
            try:
                yield self
            finally:
                self._stopping.set()
                self._engine.bell.ring()
                until = time.monotonic() + grace
                for thread in threads:
                    thread.join(max(0.0, until - time.monotonic()))
                for task in list(self._held.values()):
                    task.is_lost = True  # it did not listen; the store may be closed any moment, so it writes no more

    def run_due(self, *, limit: int, space: str | None = None, timers: bool = True) -> Counter[str]:
        """Do the jobs that are due now, one after the other, in this thread; how many came to which outcome."""
        outcomes: Counter[str] = Counter()
        renewing = threading.Thread(target=self._keep_leases, name="recollect-lease", daemon=True)
        renewing.start()
        try:
            if timers:
                self._configure_webhooks()
                self.turn_timers()
            while outcomes.total() < limit and (job := self._claim(space)):
                outcomes[self.do(job)] += 1
        finally:
            self._stopping.set()
            renewing.join()
        return outcomes

    def _configure_webhooks(self) -> None:
        if self._engine.settings.webhooks:
            from recollect.webhooks.delivery import configure_webhooks

            configure_webhooks(self._engine)

    def turn_timers(self) -> None:
        """Queue a job for each timer whose time has come, unless another process has done so."""
        jobs, now = self._engine.jobs, self._engine.clock.now()
        for space in jobs.spaces_without(BUILT_IN_TIMERS[0][0], limit=_SPACES_AT_ONCE):
            for name, kind, every in BUILT_IN_TIMERS:
                jobs.add_timer(Timer(space, name, kind, every, now + timedelta(seconds=every)))
        for timer in jobs.timers_due(now):
            turn = TurnTimer(timer.name, timer.next_at, next_turn(timer.next_at, timer.every_seconds, now))
            job = Job(
                id=self._engine.clock.new_id(),
                space=timer.space,
                kind=timer.kind,
                due_at=now,
                created_at=now,
                payload=timer.payload,
                key=f"timer:{timer.name}",
                lane=UPKEEP if timer.kind == UPKEEP else "",
                origin=timer.origin,
            )
            try:
                self._engine.store.apply(Changes(timer.space, "timer", now, timer.origin, (turn, QueueJob(job))))
            except Conflict:
                continue  # another process was faster

    def do(self, job: Job) -> str:
        """Do a job that was taken, and settle it; the outcome in a word."""
        task = self._held[job.id] = Task(job, self._stopping)
        try:
            outcome = self._done(task)
        except Interrupted:
            with suppress(RecollectError):  # if it cannot be put back now, its lease runs out
                self._engine.jobs.release(job, self._engine.clock.now())
            outcome = "released"
        except RecollectError as problem:
            # Whoever holds it now settles it; and so does the next one, when the lease has run out.
            _log.warning("job %s (%s) was not settled: %s", job.id, job.kind, problem)
            outcome = "lost"
        finally:
            del self._held[job.id]
        self._engine.tally.add(Counter({(JOBS, job.kind, outcome): 1}))
        return outcome

    def _done(self, task: Task) -> str:
        job = task.job
        failed = lost_too_often(job)
        if failed is None:
            try:
                self._works[job.kind](self._hands(task), task)
            except Interrupted:
                raise
            except Exception as problem:
                if isinstance(problem, Conflict) and problem.code == "lease_lost":
                    raise
                now, chance = self._engine.clock.now(), self._engine.clock.chance()
                failed = after_failure(job, problem, now, chance, first_pause=self._pace.first_pause)
        task.require_held()
        if failed is not None:
            _log.warning("job %s (%s) failed with %s", job.id, job.kind, failed.failure)
            self._settle(job, failed)
            return "dead" if failed.retry_at is None else "failed"
        if not task.is_finished:
            self._settle(job, FinishJob(job.id, job.generation, task.progress))
        return "done"

    def _hands(self, task: Task) -> Works:
        """The verbs that a job needs, in the name of whoever queued it, behind its fence."""
        origin = task.job.origin
        hands = chapter_alone(Works, self._engine, Caller(origin.channel, origin.principal))
        hands._fence, hands._tell = task.fence, task.hear
        return hands

    def _settle(self, job: Job, edit: FinishJob | FailJob) -> None:
        edits: tuple[Edit, ...] = (edit,)
        for tries_left in reversed(range(_TRIES)):
            try:
                now = self._engine.clock.now()
                self._engine.store.apply(Changes(job.space, f"job:{job.kind}", now, job.origin, edits))
                return
            except (Busy, Unreachable):
                if not tries_left:
                    raise

    def _claim(self, space: str | None = None) -> Job | None:
        now = self._engine.clock.now()
        until = now + timedelta(seconds=self._pace.lease)
        return self._engine.jobs.claim(self._works, worker=self._worker, now=now, until=until, space=space)

    def _take_and_do(self) -> None:
        while not self._stopping.is_set():
            try:
                self._turn_timers_sometimes()
                job = self._claim()
            except RecollectError as problem:
                _log.warning("jobs could not be looked for: %s", problem)
                job = None
            if job is not None:
                self.do(job)
            elif not self._stopping.is_set():
                self._engine.bell.wait(self._pause())

    def _pause(self) -> float:
        """Seconds until there may be something to do: until the next job is due, and never longer than agreed."""
        now = self._engine.clock.now()
        try:
            due_at = self._engine.jobs.next_due(now)
        except RecollectError:
            return self._pace.look_every
        return self._pace.look_every if due_at is None else min(self._pace.look_every, (due_at - now).total_seconds())

    def _turn_timers_sometimes(self) -> None:
        if time.monotonic() - self._timers_at >= self._pace.timers_every:
            self._timers_at = time.monotonic()
            self._engine.keep_asked()
            self.turn_timers()

    def _keep_leases(self) -> None:
        """Renew what is held, three times in a lease. Once the runner is to stop, what is left of a lease is enough."""
        while not self._stopping.wait(self._pace.lease / 3):
            until = self._engine.clock.now() + timedelta(seconds=self._pace.lease)
            for task in list(self._held.values()):
                try:
                    task.is_lost = not self._engine.jobs.renew(task.job, until, task.progress)
                except RecollectError as problem:
                    _log.warning("the lease of job %s could not be renewed: %s", task.job.id, problem)
