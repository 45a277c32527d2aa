"""Carry out the edits of jobs and timers, inside the transaction that writes their cause or their effect.

A worker's edits name the generation in which it holds the job. If the job was taken by another since, or is settled,
`lease_lost` is raised and the transaction takes everything back: a worker that was frozen past its lease and goes on
cannot write.
"""

from __future__ import annotations

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
from recollect.domain.jobs.job import DETAIL_LENGTH, checked_job, checked_timer, lease_lost, no_job
from recollect.stores.brains.conversation_rows import follow_job, number_conversation
from recollect.stores.database import Row, Transaction, Value
from recollect.stores.jobs.job_rows import job_from_row, job_values, progress_values, timer_values

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
