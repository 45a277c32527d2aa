"""A runner of jobs that goes on until it is killed; another takes its place at once.

An effect is a note, written in the same commit that settles its job. A job of the kind `poison` always fails, one of
the kind `deadly` takes its process with it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

from recollect import Memory
from recollect.domain.brain import FORM
from recollect.domain.jobs.job import UPKEEP
from recollect.jobs.runner import JobRunner, Pace
from recollect.jobs.works import WORKS, Task, Work, Works
from recollect.remember.decisions import save
from recollect.remember.fields import checked_fields
from tests.chaos.programs.saying import say

QUICK = Pace(threads=2, lease=1.0, look_every=0.05, timers_every=0.05, first_pause=0.05)


def effect(works: Works, task: Task) -> None:
    """Write one note and settle the job, in one commit."""
    space = task.job.space
    note = save(works._occasion(space), checked_fields({"text": f"effect {task.job.payload['number']}"}))
    with task.finishing():
        works._carry_out("test", space, *note)


def poison(_: Works, task: Task) -> NoReturn:
    raise ZeroDivisionError(f"job {task.job.payload['number']} cannot be done")


def deadly(_: Works, __: Task) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


KINDS: dict[str, Work] = {
    "effect": effect,
    "poison": poison,
    "deadly": deadly,
    **{kind: WORKS[kind] for kind in (FORM, UPKEEP)},
}


def main(number: str, address: str, home: str) -> None:
    """Bear one runner after the other: a fork takes no time, where starting Python would take most of it."""
    while True:
        runner = os.fork()
        if runner == 0:
            run(address, home, f"runner-{number}")
        say(runner=runner)
        _, status = os.waitpid(runner, 0)
        say(ended=os.waitstatus_to_exitcode(status))


def run(address: str, home: str, own: str) -> NoReturn:
    """Run jobs until killed. Nothing was opened before the fork."""
    with Memory(store=address, home=home, principal=own) as memory, JobRunner(memory._engine, KINDS, QUICK).started():
        threading.Event().wait()
    raise AssertionError("a runner does not end by itself")


if __name__ == "__main__":
    main(*sys.argv[1:])
