"""Jobs and timers in any SQL database: taken, looked at, and edited with their cause or their effect.

A worker's edits name the generation in which it holds the job. If the job was taken by another since, or is settled,
`lease_lost` is raised and the transaction takes everything back: a worker that was frozen past its lease and goes on
cannot write.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol, assert_never

from recollect.domain.changes import (
    CancelJob,
    ChangeKind,
    Changes,
    DropTimer,
    FailJob,
    FinishJob,
    HoldJob,
    QueueJob,
    RetryJob,
    SetTimer,
    TurnTimer,
)
from recollect.domain.clock import format_time
from recollect.domain.errors import Conflict
from recollect.domain.jobs.job import (
    DETAIL_LENGTH,
    Job,
    JobProgress,
    JobStage,
    Timer,
    checked_job,
    checked_timer,
    lease_lost,
    no_job,
)
from recollect.domain.origin import Channel, Origin
from recollect.redaction.clean_records import without_secrets
from recollect.stores.conditions import among
from recollect.stores.damaged_rows import reads
from recollect.stores.database import JOB_COLUMNS, Row, SqlPart, Transaction, Value, names_in
from recollect.stores.jobs.sql_brains import follow_job, number_conversation
from recollect.stores.records import time_from

_TURNS = 100  # spaces that are tried in one claim; the others have their turn when these were served


class SqlJobs(SqlPart):
    """Jobs in an SQL database."""

    def claim(
        self, kinds: Collection[str], *, worker: str, now: datetime, until: datetime, space: str | None = None
    ) -> Job | None:
        wanted: dict[str, Value] = {
            "kinds": json.dumps(sorted(kinds)),
            "worker": worker,
            "now": format_time(now),
            "until": format_time(until),
        }
        for name in self._spaces_in_turn(now) if space is None else (space,):
            with self._database.writing(name) as transaction:
                taken = transaction.rows("claim_job", space=name, **wanted)
            if taken:
                return job_from_row(taken[0])
        return None

    def _spaces_in_turn(self, now: datetime) -> Sequence[str]:
        """Looked up without the right to write: an idle runner keeps nobody waiting."""
        with self._database.reading(None) as transaction:
            return [name for (name,) in transaction.rows("spaces_with_jobs", now=format_time(now), limit=_TURNS)]

    def next_due(self, now: datetime) -> datetime | None:
        with self._database.reading(None) as transaction:
            [(due_at,)] = transaction.rows("next_due", now=format_time(now))
        return time_from(due_at)

    def renew(self, job: Job, until: datetime, progress: JobProgress | None) -> bool:
        told = progress_values(without_secrets(progress))
        return self._changed(job, "renew_job", until=format_time(until), **told)

    def release(self, job: Job, now: datetime) -> bool:
        return self._changed(job, "release_job", now=format_time(now))

    def job(self, space: str, job_id: str) -> Job | None:
        return _only(self._read(space, "job", id=job_id))

    def waiting(self, space: str, key: str) -> Job | None:
        return _only(self._read(space, "waiting_job", key=key))

    def jobs(self, space: str, *, stages: Collection[JobStage], before: int | None, limit: int) -> Sequence[Job]:
        where, values = among(self._statements, "job.stage", sorted(stages)) if stages else ("", {})
        if before is not None:
            where += "\nAND job.seq < :before"
            values["before"] = before
        sql = f"{self._statements['jobs']}{where}\nORDER BY job.seq DESC\nLIMIT :limit"
        with self._database.reading(space) as transaction:
            return [job_from_row(row) for row in transaction.query(sql, space=space, limit=limit, **values)]

    def counts(self) -> dict[tuple[str, str, str], int]:
        with self._database.reading(None) as transaction:
            return {(space, kind, stage): many for space, kind, stage, many in transaction.rows("count_jobs")}

    def timers(self, space: str) -> Sequence[Timer]:
        return [timer_from_row(row) for row in self._read(space, "timers")]

    def timers_due(self, now: datetime) -> Sequence[Timer]:
        with self._database.reading(None) as transaction:
            return [timer_from_row(row) for row in transaction.rows("timers_due", now=format_time(now))]

    def spaces_without(self, timer: str, *, limit: int) -> Sequence[str]:
        with self._database.reading(None) as transaction:
            return [name for (name,) in transaction.rows("spaces_without_timer", name=timer, limit=limit)]

    def add_timer(self, timer: Timer) -> None:
        with self._database.writing(timer.space) as transaction:
            transaction.rows("add_timer", **timer_values(timer))

    def expire(self, space: str, *, before: datetime, most: int) -> None:
        with self._database.writing(space) as transaction:
            transaction.rows("drop_settled_jobs", space=space, oldest=format_time(before), most=most)

    def _changed(self, job: Job, statement: str, **values: Value) -> bool:
        with self._database.writing(job.space) as transaction:
            key: dict[str, Value] = {"space": job.space, "id": job.id, "generation": job.generation}
            return bool(transaction.rows(statement, **key, **values))


def _only(rows: list[Row]) -> Job | None:
    return job_from_row(rows[0]) if rows else None


def job_values(job: Job, seq: int) -> dict[str, Value]:
    """The columns of a job that is queued."""
    return {
        "space": job.space,
        "id": job.id,
        "seq": seq,
        "kind": job.kind,
        "payload": json.dumps(job.payload),
        "unique_key": job.key,
        "lane": job.lane,
        "priority": job.priority,
        "due_at": format_time(job.due_at),
        "max_attempts": job.max_attempts,
        "created_at": format_time(job.created_at),
        "channel": job.origin.channel.value,
        "principal": job.origin.principal,
    }


def progress_values(progress: JobProgress | None) -> dict[str, Value]:
    """The columns of how far a job has come; empty ones leave what is there."""
    if progress is None:
        return {"phase": None, "done": None, "total": None}
    return {"phase": progress.phase, "done": progress.done, "total": progress.total}


@reads("job", names_in(JOB_COLUMNS))
def job_from_row(row: Row) -> Job:
    """A job from the columns of `JOB_COLUMNS`."""
    id, space, seq, kind, payload, key, lane, priority, stage, due_at, attempts, max_attempts, generation, *rest = row
    worker, claimed_at, phase, done, total, failure, detail, created_at, settled_at, channel, principal = rest
    return Job(
        id=id,
        space=space,
        kind=kind,
        due_at=datetime.fromisoformat(due_at),
        created_at=datetime.fromisoformat(created_at),
        payload=json.loads(payload),
        key=key,
        lane=lane,
        priority=priority,
        max_attempts=max_attempts,
        stage=JobStage(stage),
        seq=seq,
        attempts=attempts,
        generation=generation,
        worker=worker,
        claimed_at=time_from(claimed_at),
        settled_at=time_from(settled_at),
        progress=None if phase is None else JobProgress(phase, done, total),
        failure=failure,
        detail=detail,
        origin=Origin(Channel(channel), principal),
    )


def timer_values(timer: Timer) -> dict[str, Value]:
    """A timer's columns."""
    return {
        "space": timer.space,
        "name": timer.name,
        "kind": timer.kind,
        "payload": json.dumps(timer.payload),
        "every_seconds": timer.every_seconds,
        "next_at": format_time(timer.next_at),
        "channel": timer.origin.channel.value,
        "principal": timer.origin.principal,
    }


@reads("job_timer", ("space", "name"), named_by=1)
def timer_from_row(row: Row) -> Timer:
    space, name, kind, payload, every_seconds, next_at, channel, principal = row
    return Timer(
        space=space,
        name=name,
        kind=kind,
        every_seconds=every_seconds,
        next_at=datetime.fromisoformat(next_at),
        payload=json.loads(payload),
        origin=Origin(Channel(channel), principal),
    )


# What deleting a space erases of it.
ERASE_JOBS = ("erase_space_jobs", "erase_space_timers", "erase_space_brain", "erase_space_conversations")


class Noted(Protocol):
    """The ledger of a transaction, as far as an edit of a job needs it."""

    @property
    def seq(self) -> int: ...

    def add(self, kind: ChangeKind, record_id: str, version: int = 0) -> None: ...


def edit_job(
    transaction: Transaction,
    changes: Changes,
    edit: QueueJob | HoldJob | FinishJob | FailJob | CancelJob | RetryJob,
    ledger: Noted,
) -> None:
    """Queue, hold or settle one job."""
    at = format_time(changes.at)
    match edit:
        case QueueJob(job):
            if transaction.rows("insert_job", **job_values(checked_job(job), ledger.seq + 1)):
                ledger.add(ChangeKind.JOB_QUEUED, job.id)
                if "collection" in job.payload:
                    number_conversation(transaction, job)
        case HoldJob(job_id, generation, progress):
            key = _lease(changes, job_id, generation)
            _require(transaction.rows("hold_job", **key, **progress_values(progress)), job_id)
            if progress is not None:
                ledger.add(ChangeKind.JOB_PROGRESSED, job_id)
        case FinishJob(job_id, generation, progress):
            key = _lease(changes, job_id, generation)
            _require(transaction.rows("finish_job", **key, **progress_values(progress), at=at), job_id)
            ledger.add(ChangeKind.JOB_DONE, job_id)
            follow_job(transaction, changes, job_id)
        case FailJob():
            _fail(transaction, changes, edit, ledger)
            follow_job(transaction, changes, edit.job_id)
        case CancelJob(job_id):
            if not transaction.rows("cancel_job", space=changes.space, id=job_id, at=at):
                raise _not_in_stage(transaction, changes.space, job_id, "cancelled")
            ledger.add(ChangeKind.JOB_CANCELLED, job_id)
            follow_job(transaction, changes, job_id)
        case RetryJob(job_id):
            if not transaction.rows("revive_job", space=changes.space, id=job_id, at=at):
                raise _not_in_stage(transaction, changes.space, job_id, "retried")
            ledger.add(ChangeKind.JOB_QUEUED, job_id)
        case _:
            assert_never(edit)


def edit_timer(
    transaction: Transaction, changes: Changes, edit: SetTimer | TurnTimer | DropTimer, ledger: Noted
) -> None:
    """Set, move on or take away one timer."""
    match edit:
        case SetTimer(timer):
            transaction.rows("set_timer", **timer_values(checked_timer(timer)))
            ledger.add(ChangeKind.TIMER_SET, timer.name)
        case TurnTimer(name, due_at, next_at):
            times = {"due_at": format_time(due_at), "next_at": format_time(next_at)}
            if not transaction.rows("turn_timer", space=changes.space, name=name, **times):
                raise Conflict(f"The timer `{name}` was turned by another process.", code="timer_turned")
        case DropTimer(name):
            if transaction.rows("drop_timer", space=changes.space, name=name):
                ledger.add(ChangeKind.TIMER_DROPPED, name)
        case _:
            assert_never(edit)


def _fail(transaction: Transaction, changes: Changes, edit: FailJob, ledger: Noted) -> None:
    told = _lease(changes, edit.job_id, edit.generation)
    told |= {"failure": edit.failure, "detail": edit.detail[:DETAIL_LENGTH]}
    if edit.retry_at is None:
        done, kind = transaction.rows("bury_job", **told, at=format_time(changes.at)), ChangeKind.JOB_DEAD
    else:
        done, kind = (
            transaction.rows("delay_job", **told, retry_at=format_time(edit.retry_at), uncounted=int(not edit.counts)),
            ChangeKind.JOB_FAILED,
        )
    _require(done, edit.job_id)
    ledger.add(kind, edit.job_id)


def _lease(changes: Changes, job_id: str, generation: int) -> dict[str, Value]:
    return {"space": changes.space, "id": job_id, "generation": generation}


def _require(rows: list[Row], job_id: str) -> None:
    if not rows:
        raise lease_lost(job_id)


def _not_in_stage(transaction: Transaction, space: str, job_id: str, wanted: str) -> Exception:
    found = transaction.rows("job", space=space, id=job_id)
    if not found:
        return no_job(job_id, space)
    job = job_from_row(found[0])
    if wanted == "retried" and job.stage.value in ("dead", "cancelled"):
        said = f"Job {job_id} cannot be {wanted}: another one with its key waits already."
    else:
        said = f"Job {job_id} is {job.stage.value}; it cannot be {wanted}."
    return Conflict(said, code="job_stage", hint="`recollect jobs list` shows the stage of each.")
