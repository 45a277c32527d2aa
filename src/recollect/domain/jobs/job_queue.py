"""The port to the jobs of a store, for those who run them and those who look at them.

Jobs are queued, finished, failed and cancelled by edits of `Changes`. Here stands what is no change of memory: taking
a job, keeping it, putting it back unfinished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from recollect.domain.jobs.job import Job, JobProgress, JobStage, Timer


class Jobs(Protocol):
    """The jobs of all spaces of one store."""

    def claim(
        self, kinds: Collection[str], *, worker: str, now: datetime, until: datetime, space: str | None = None
    ) -> Job | None:
        """Take the next job of these kinds, of one space or of any, and hold it until then; `None` if none is due.

        Spaces take turns: first the one with the fewest running jobs, then the one that was served longest ago. Within
        a space the highest priority comes first, then the oldest. One whose lease has run out is due again.
        """
        ...

    def next_due(self, now: datetime) -> datetime | None:
        """The next moment after now at which a job is due: a later try, or the end of a lease; `None` for none."""
        ...

    def renew(self, job: Job, until: datetime, progress: JobProgress | None) -> bool:
        """Hold a job for longer, and say how far it has come; false if somebody else holds it, or it is settled."""
        ...

    def release(self, job: Job, now: datetime) -> bool:
        """Put a job back that was begun and not finished, without counting the attempt; false as above."""
        ...

    def job(self, space: str, job_id: str) -> Job | None:
        """One job, if it is still kept."""
        ...

    def waiting(self, space: str, key: str) -> Job | None:
        """The job of a key that waits for its first try."""
        ...

    def jobs(self, space: str, *, stages: Collection[JobStage], before: int | None, limit: int) -> Sequence[Job]:
        """Jobs of some stages, or of all; the newest first, from the one before a number on."""
        ...

    def counts(self) -> dict[tuple[str, str, str], int]:
        """How many jobs there are by space, kind and stage."""
        ...

    def timers(self, space: str) -> Sequence[Timer]:
        """The timers of a space, by name."""
        ...

    def timers_due(self, now: datetime) -> Sequence[Timer]:
        """The timers of all spaces whose time has come."""
        ...

    def spaces_without(self, timer: str, *, limit: int) -> Sequence[str]:
        """Spaces that have no timer of this name."""
        ...

    def add_timer(self, timer: Timer) -> None:
        """Give a space a timer, unless it has one of that name. It is the runner's own, and no change of memory."""
        ...

    def expire(self, space: str, *, before: datetime, most: int) -> None:
        """Drop settled jobs that are older, and those beyond the newest `most`. Dead ones stay until they are older."""
        ...
