"""A process that judges and is killed in the middle of it, at a comparison that is named; with 0 it lives.

`write` says things that have to be judged in their write, and reports each that was acknowledged. `jobs` does the jobs
that are due, hours after the process before it, so that nothing waits for a lease.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime, timedelta

from recollect import Memory
from recollect.domain.clock import SystemClock
from recollect.domain.links.statement_link import StatementRelation
from tests.chaos.programs.saying import say
from tests.links.tiny_judge import TinyJudge, with_judge


class DyingJudge(TinyJudge):
    """Takes its process with it at one of its comparisons."""

    def __init__(self, last: int) -> None:
        super().__init__()
        self._last = last

    def relations(self, older: str, newer: str) -> dict[StatementRelation, float]:
        found = super().relations(older, newer)
        if len(self.compared) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
        return found


class LaterClock(SystemClock):
    """The machine's clock, some hours ahead."""

    def __init__(self, hours: int) -> None:
        super().__init__()
        self._ahead = timedelta(hours=hours)

    def now(self) -> datetime:
        return super().now() + self._ahead


def main(mode: str, address: str, home: str, hours: str, last: str) -> None:
    """Write or do jobs until killed, or until all is done."""
    with Memory(store=address, home=home, clock=LaterClock(int(hours))) as memory:
        with_judge(memory, DyingJudge(int(last)))
        if mode == "jobs":
            memory.run_jobs()
            return
        for number in range(8):
            text = f"My thing{number // 2} is {number}"
            say(kept=memory.add([{"role": "user", "content": text}], extract=False).observation_ids[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
