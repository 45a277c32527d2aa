"""Rows, jobs and timers: which column holds what."""

from __future__ import annotations

import json
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.jobs.job import Job, JobProgress, JobStage, Timer
from recollect.domain.origin import Channel, Origin
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value
from recollect.stores.records import JOB_COLUMNS, names_in, time_from


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
