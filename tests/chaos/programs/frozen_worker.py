"""A worker that takes one job, says so, and waits before it writes: long enough to be frozen past its lease."""

from __future__ import annotations

import sys

from recollect import Conflict, Memory
from recollect.jobs.runner import JobRunner, Pace
from recollect.jobs.works import Task, Works
from tests.chaos.programs.job_runner import effect
from tests.chaos.programs.saying import hear, say


def late(works: Works, task: Task) -> None:
    say(holding=task.job.id)
    hear()
    try:
        effect(works, task)
    except Conflict as refused:
        say(refused=refused.code)
        raise


def main(address: str, home: str) -> None:
    with Memory(store=address, home=home) as memory:
        # Nobody renews the lease: a thread that is frozen inside a transaction would keep a lock of SQLite for good.
        runner = JobRunner(memory._engine, {"effect": late}, Pace(lease=0.5))
        job = runner._claim("frozen")
        assert job is not None
        say(outcome=runner.do(job))


if __name__ == "__main__":
    main(*sys.argv[1:])
