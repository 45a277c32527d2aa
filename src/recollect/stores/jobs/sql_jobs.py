"""Jobs read and taken from any SQL database."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.jobs.job import Job, JobProgress, JobStage, Timer
from recollect.redaction.clean_records import without_secrets
from recollect.stores.conditions import among
from recollect.stores.database import Database, Row, RowReader, Value
from recollect.stores.jobs.job_rows import job_from_row, progress_values, timer_from_row, timer_values
from recollect.stores.records import time_from
from recollect.stores.statements import statements

_TURNS = 100  # spaces that are tried in one claim; the others have their turn when these were served


class SqlJobs(RowReader):
    """Jobs in an SQL database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = statements(database.dialect)

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
