"""How busy the desk is: who has to wait longer than it is worth is sent away at once, and told when to come back.

Verbs are done on a few threads, and more than those wait. How long a newcomer would wait follows from how many wait
already and how long verbs have taken of late. What is sent away costs next to nothing, which leaves the time to those
who were let in.
"""

from __future__ import annotations

import math
import threading
import time

from recollect.surfaces.reception.limits import Limits
from recollect.surfaces.reception.problems import Problem

_WEIGHT = 0.1  # of the newest verb in how long one takes: about the last twenty count


class Load:
    """The requests under way, counted. Threads of the desk and the event loop both report to it."""

    def __init__(self, limits: Limits, places: int) -> None:
        self._limits = limits
        self._places = places
        self._lock = threading.Lock()
        self._seconds = 0.0  # that a verb takes, of late
        self.under_way = 0

    @property
    def waiting(self) -> int:
        return max(0, self.under_way - self._places)

    def expected_wait(self) -> float:
        """Seconds that one who comes now would wait for a turn."""
        ahead = self.under_way + 1 - self._places
        return max(0, ahead) * self._seconds / self._places

    def require_room(self) -> None:
        """Raise a `Problem` if there is no use in waiting."""
        wait = self.expected_wait()
        if wait > self._limits.wait_seconds or self.waiting >= self._limits.waiting:
            raise overloaded(wait)

    def come(self) -> float:
        """A request begins to wait; the moment, to be handed to `turn`."""
        with self._lock:
            self.under_way += 1
        return time.monotonic()

    def turn(self, came: float) -> float:
        """It is its turn; the moment, to be handed to `done`. One that waited far too long is not begun."""
        now = time.monotonic()
        if now - came > 2 * self._limits.wait_seconds:
            raise overloaded(now - came)
        return now

    def done(self, began: float) -> None:
        """A verb has ended, however it did."""
        with self._lock:
            self._seconds += _WEIGHT * (time.monotonic() - began - self._seconds)

    def leave(self) -> None:
        """A request is under way no more."""
        with self._lock:
            self.under_way -= 1


def overloaded(wait: float) -> Problem:
    return Problem(
        503,
        "overloaded",
        "There is more to do than can be done in time; nothing was done.",
        hint="Wait as long as `Retry-After` says.",
        headers={"Retry-After": str(max(1, math.ceil(wait)))},
    )
