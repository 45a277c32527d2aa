"""A job in the hands of a worker: the fence around everything it writes, and how far it has come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from recollect.domain.answers.upkeep import Progress
from recollect.domain.changes import Edit, FinishJob, HoldJob
from recollect.domain.jobs.job import Job, JobProgress, lease_lost


class Interrupted(Exception):
    """The runner is to stop; the job goes back as it is, and is begun anew elsewhere."""


class Task:
    """One job while it is held. The worker's thread uses it, and the thread that renews leases looks at it."""

    def __init__(self, job: Job, stopping: threading.Event) -> None:
        self.job = job
        self.progress: JobProgress | None = None
        self.is_finished = False  # settled together with what it wrote last
        self.is_lost = False  # somebody else has taken it, or the runner is gone
        self._stopping = stopping
        self._written: JobProgress | None = None
        self._finishing = False

    def tell(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Say how far it has come. Raises when the job is lost, or the runner is to stop: a good moment to do so."""
        self.progress = JobProgress(phase, done, total)
        self.require_held()
        if self._stopping.is_set():
            raise Interrupted

    def hear(self, progress: Progress) -> None:
        """The same in the words of verbs that tell how far they have come."""
        self.tell(progress.step, progress.done, progress.total)

    def require_held(self) -> None:
        """Raise if it is known already that the job is lost. The store is asked with every write all the same."""
        if self.is_lost:
            raise lease_lost(self.job.id)

    def fence(self, space: str) -> tuple[Edit, ...]:
        """The edit that goes with each of its changes, so that they pass only while the job is held."""
        self.require_held()
        if space != self.job.space:
            return ()  # of another space nothing is written by jobs, except what is derived
        if self._finishing:
            return (FinishJob(self.job.id, self.job.generation, self.progress),)
        told = self.progress if self.progress != self._written else None
        self._written = self.progress
        return (HoldJob(self.job.id, self.job.generation, told),)

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Settle the job in the same commit as the one change that is made inside: its effect comes exactly once."""
        self._finishing = True
        yield
        self.is_finished = True
