"""A job: work that waits in the store until a runner takes it, and how far it has come.

A job is queued by the same `Changes` as its cause. A runner that takes one holds it for the time of a lease; each time
it is taken it gets the next generation, and only the holder of the newest generation can write in the job's name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Conflict, InvalidInput, NotFound, TooLarge
from recollect.domain.late import Late
from recollect.domain.origin import Origin
from recollect.domain.values import Value

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


EMBED = "embed"  # the kind of job that makes the vectors a space lacks
BACKUP = "backup"  # the kind of job that sends a copy of the whole store to a target
BACKUP_SPACE = "backup_space"  # likewise of one space; a worker that knows no such copies leaves it alone
UPKEEP = "upkeep"  # the kind of job that puts a space in order
JUDGE = "judge"  # the kind of job that judges the texts of a space which no model has judged
READ = "read"  # the kind of job that has a model read what it has not read of a session
REDERIVE = "rederive_notes"  # the kind of job that derives notes anew whose basis has changed
REDERIVE_ONE = "rederive"  # the same for one note, as earlier versions queue it; they take no job of another kind
SETTLE = "settle"  # the kind of job that puts pairs in doubt to a model
LARGEST_PAYLOAD = 16_384  # bytes of JSON; a payload names what is meant and never quotes memory
LARGEST_JOB_PRIORITY = 1000
MOST_ATTEMPTS = 100
SHORTEST_PERIOD = 60  # seconds between two jobs of a timer
LONGEST_PERIOD = 366 * 86_400
DETAIL_LENGTH = 500  # characters of an error's message that are kept

_KIND = Late(r"[a-z][a-z0-9_.-]{0,63}")
_LONGEST_NAME = 200
_PERIOD = Late(r"([0-9]{1,5})([mhdw])")
_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}  # seconds


class JobStage(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"  # it failed too often, or in a way that no second try mends; a person may retry it
    CANCELLED = "cancelled"


OPEN_STAGES = frozenset({JobStage.WAITING, JobStage.RUNNING})


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a running job has come: in which phase, and how much of it is done. A total of 0 is not known."""

    phase: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Job(Value):
    """One piece of work in a space.

    `seq` is its place in the order of commits. Of jobs with the same `key` only one waits for its first try; of those
    in the same `lane` one runs at a time, in their order. `due_at` is when it may be taken: its own time while it
    waits, the end of its lease while it runs. `failure` is the code of the last error, `detail` its message.
    """

    id: str
    space: str
    kind: str
    due_at: datetime
    created_at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    lane: str = ""
    priority: int = 0
    max_attempts: int = 5
    stage: JobStage = JobStage.WAITING
    seq: int = 0
    attempts: int = 0
    generation: int = 0
    worker: str | None = None
    claimed_at: datetime | None = None
    settled_at: datetime | None = None
    progress: JobProgress | None = None
    failure: str | None = None
    detail: str | None = None
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True, repr=False)
class Timer(Value):
    """A job that comes again: one is queued in every period, once for the store however many processes there are."""

    space: str
    name: str
    kind: str
    every_seconds: int
    next_at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True, repr=False)
class JobsRun(Value):
    """How many jobs were done, failed and will be tried again, are dead letters now, or were taken by others."""

    done: int
    failed: int = 0
    dead: int = 0
    lost: int = 0


def checked_job(job: Job) -> Job:
    """The job, if it is sound by itself."""
    _check_kind(job.kind)
    _check_payload(job.payload)
    for name, text in (("key", job.key or ""), ("lane", job.lane)):
        if len(text) > _LONGEST_NAME:
            raise TooLarge(f"The `{name}` of a job has {len(text):,} characters; it may have {_LONGEST_NAME}.")
    if abs(job.priority) > LARGEST_JOB_PRIORITY or not 1 <= job.max_attempts <= MOST_ATTEMPTS:
        raise InvalidInput(
            f"A job has a priority from -{LARGEST_JOB_PRIORITY} to {LARGEST_JOB_PRIORITY}"
            f" and 1 to {MOST_ATTEMPTS} attempts.",
            code="invalid_number",
        )
    return job


def checked_timer(timer: Timer) -> Timer:
    """The timer, if it is sound by itself."""
    _check_kind(timer.kind)
    _check_payload(timer.payload)
    if not SHORTEST_PERIOD <= timer.every_seconds <= LONGEST_PERIOD:
        raise InvalidInput(
            "A timer's period is from a minute to a year.", code="invalid_number", hint="Give it as 6h, 1d or 7d."
        )
    return timer


def period_in(text: str) -> int:
    """Seconds of a period that is written as 30m, 6h, 1d or 1w."""
    parts = _PERIOD.fullmatch(text.strip()) if isinstance(text, str) else None
    if not parts:
        raise InvalidInput(f"`every` is `{text}`.", code="invalid_period", hint="Write 30m, 6h, 1d or 1w, or `never`.")
    return int(parts[1]) * _UNITS[parts[2]]


def _check_kind(kind: str) -> None:
    if not _KIND.fullmatch(kind):
        raise InvalidInput(f"`{kind[:60]}` cannot be the kind of a job.", code="invalid_kind")


def _check_payload(payload: Mapping[str, Any]) -> None:
    size = len(json.dumps(payload).encode("utf-8", "surrogatepass"))
    if size > LARGEST_PAYLOAD:
        raise TooLarge(f"The payload of a job has {size:,} bytes; it may have {LARGEST_PAYLOAD:,}.")


def lease_lost(job_id: str) -> Conflict:
    """The refusal of a write in the name of a job that somebody else has taken, or that is settled."""
    return Conflict(
        f"Job {job_id} is no longer held by this worker. Nothing was written.",
        code="lease_lost",
        hint="Whoever holds it now does the work; `recollect jobs show` tells.",
    )


def no_job(job_id: str, space: str) -> NotFound:
    return NotFound(
        f"There is no job {job_id} in `{space}`.",
        code="job_not_found",
        hint="`recollect jobs list` shows them; `--space` names another space.",
    )


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
