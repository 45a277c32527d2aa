"""How much is too much: sizes, depth, patience, buckets of requests, and how busy the desk is.

Verbs are done on a few threads, and more than those wait. How long a newcomer would wait follows from how many wait
already and how long verbs have taken of late. What is sent away costs next to nothing, which leaves the time to those
who were let in.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING

from recollect.domain.dataclass import dataclass, replace
from recollect.surfaces.reception.problems import HttpProblem

if TYPE_CHECKING:
    from recollect.signal_bus import SignalBus

_MOST_BUCKETS = 10_000  # kept at once; one that is full again says nothing and can go
_DROPPED_AT_ONCE = (
    _MOST_BUCKETS // 8
)  # of those that are not full, the oldest; dropping few would cost a look each time


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what one request may ask for, and one token or space in a second."""

    body_bytes: int = 10_000_000  # ten notes of the largest size
    depth: int = 64  # of nesting in a body; nothing of ours is deeper than six
    head_seconds: float = 15.0  # for the head of a request to arrive whole
    body_seconds: float = 30.0  # for a body to arrive whole
    read_seconds: float = 60.0  # for a verb that only looks; one that writes is always waited for
    # A search with models takes about 50 ms of a processor: one token alone fills one core, and not two, for long.
    per_second: float = 20.0  # requests of one token, in the long run
    burst: int = 100  # requests of one token at once
    space_per_second: float = 60.0  # requests about one space, whoever asks
    space_burst: int = 300
    refused_per_second: float = 0.5  # requests without a live token from one address, in the long run
    refused_burst: int = 20
    wait_seconds: float = 2.0  # that a request may have to wait for its turn, before others are sent away
    waiting: int = 256  # requests that wait for their turn
    streams: int = 256  # live streams at once
    streams_per_token: int = 32
    stream_behind: int = 5_000  # changes that the reader of a stream may be behind once it had caught up
    stalled_seconds: float = 10.0  # for the reader of a stream to take what was sent

    def with_rate(self, per_second: int) -> Limits:
        """The same with other buckets: for a token this many a second and five times as many at once, for a space
        three times as many."""
        return replace(
            self,
            per_second=float(per_second),
            burst=5 * per_second,
            space_per_second=3.0 * per_second,
            space_burst=15 * per_second,
        )


class Buckets:
    """A bucket for each token, space or address. It fills steadily up to the burst; each request takes one from it.

    With a bus, other processes hear of each that is taken and take it from theirs, so that a limit holds for all of
    them together. They hear of it a moment later: at first each may hand out its own burst.
    """

    def __init__(self, per_second: float, burst: int, *, kind: str = "", bus: SignalBus | None = None) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._left: dict[str, tuple[float, float]] = {}
        self._kind, self._bus = kind, bus
        self._lock = threading.Lock()
        if bus is not None:
            bus.listen(self._hear)

    def take(self, key: str, now: float) -> float:
        """Take one at a moment, in seconds of a steady clock; 0, or the seconds until there is one again."""
        word = key if self._bus is None else self._bus.word_for(self._kind, key)
        with self._lock:
            pause = self._take(word, now)
        if self._bus is not None and not pause:
            self._bus.tell(word)
        return pause

    def _hear(self, word: str, times: int) -> None:
        """Another process has handed out some. It may leave less than nothing, which has to fill up first."""
        if word.startswith(f"{self._kind}:"):
            now = time.monotonic()
            with self._lock:
                left, since = self._left.get(word, (self._burst, now))
                left = min(self._burst, left + (now - since) * self._per_second)
                if word in self._left or len(self._left) < _MOST_BUCKETS:
                    self._left[word] = (max(-self._burst, left - times), now)

    def _take(self, key: str, now: float) -> float:
        left, since = self._left.get(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        taken = left >= 1
        if key not in self._left and len(self._left) >= _MOST_BUCKETS:
            self._forget_full(now)
        self._left[key] = (left - 1 if taken else left, now)
        return 0.0 if taken else (1 - left) / self._per_second

    def _forget_full(self, now: float) -> None:
        self._left = {
            key: (left, since)
            for key, (left, since) in self._left.items()
            if left + (now - since) * self._per_second < self._burst
        }
        if len(self._left) >= _MOST_BUCKETS:
            for key in list(self._left)[:_DROPPED_AT_ONCE]:
                del self._left[key]


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


def overloaded(wait: float) -> HttpProblem:
    return HttpProblem(
        503,
        "overloaded",
        "There is more to do than can be done in time; nothing was done.",
        hint="Wait as long as `Retry-After` says.",
        headers={"Retry-After": str(max(1, math.ceil(wait)))},
    )
