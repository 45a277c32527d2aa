"""One of many processes that look at the same timers at the same moment, and do what they find."""

from __future__ import annotations

import sys

from recollect import Memory
from recollect.jobs.runner import JobRunner
from tests.chaos.programs.job_runner import KINDS, QUICK
from tests.chaos.programs.saying import hear, say


def main(number: str, address: str, home: str) -> None:
    with Memory(store=address, home=home, principal=f"keeper-{number}") as memory:
        say(ready=True)
        hear()
        JobRunner(memory._engine, KINDS, QUICK).run_due(limit=100)
    say(done=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
