"""Jobs for tests, made and taken in one line each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from recollect.domain.changes import QueueJob
from recollect.domain.jobs.job import Job
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.writing import TESTER, changes

KINDS = ("sum", "count")
LEASE = timedelta(minutes=1)


def a_job(clock: SteadyClock, kind: str = "sum", *, space: str = "alice", **fields: Any) -> Job:
    now = clock.now()
    return Job(**{"id": clock.new_id(), "space": space, "kind": kind, "due_at": now, "created_at": now, **fields})


def queued(store: SqlStore, clock: SteadyClock, kind: str = "sum", *, space: str = "alice", **fields: Any) -> Job:
    """A job as it waits in the store."""
    job = a_job(clock, kind, space=space, origin=TESTER, **fields)
    store.apply(changes(clock, QueueJob(job), space=space))
    found = store.jobs.job(space, job.id)
    assert found is not None
    return found


def claimed(store: SqlStore, clock: SteadyClock, *, space: str | None = None, worker: str = "one") -> Job | None:
    now = clock.now()
    return store.jobs.claim(KINDS, worker=worker, now=now, until=now + LEASE, space=space)


def held(store: SqlStore, clock: SteadyClock, *, worker: str = "one") -> Job:
    """The next job, which has to be there."""
    job = claimed(store, clock, worker=worker)
    assert job is not None
    return job
