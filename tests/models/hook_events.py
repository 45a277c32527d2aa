"""A program: hear prompts of many sessions as hooks hand them on, and do the jobs that this leaves, as time goes by.

Each process has a time of its own that leaps, so that the leases of one may be over for the other: both may ask then.

Run as `python -m tests.models.hook_events STORE HOME NAME EVENTS`.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta

from recollect import Memory
from recollect.domain.clock import SystemClock
from recollect.domain.origin import Caller, Channel

AT_A_TIME = 30  # events before what is due is done


class LateClock(SystemClock):
    """The time of the machine, and some more."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


def main(address: str, home: str, name: str, events: int) -> None:
    clock = LateClock()
    with Memory(store=address, home=home, clock=clock) as memory:
        heard = memory.acting_as(Caller(Channel.HOOK, name))
        for event in range(events):
            session = f"{name}-{event // 1000}-{event % 7}"  # none so long that it is folded
            heard.observe("prompt", f"Ich arbeite jetzt an Teil {event} von {name}.", session=session)
            if event % AT_A_TIME == AT_A_TIME - 1:
                clock.ahead += timedelta(minutes=12)
                memory.run_jobs()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
