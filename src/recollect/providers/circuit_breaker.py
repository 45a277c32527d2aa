"""A provider that keeps failing is left alone for a while, so that nobody waits for it and it is not asked in vain."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FAILURES = 5  # in a row
_SHORTEST, _LONGEST = 30.0, 600.0  # seconds; each rest is twice as long as the last one


class CircuitBreaker:
    """Counts the failures of one provider in this process. After a rest, one call finds out whether it is back."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._rest = 0.0
        self._until = 0.0

    def rest(self) -> float:
        """Seconds that the provider is still left alone; 0 if it may be asked, which after a rest one caller may."""
        with self._lock:
            left = self._until - self._now()
            if self._failures >= _FAILURES and left <= 0:
                self._until = self._now() + self._rest  # the others wait for how this call goes
            return max(0.0, left)

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= _FAILURES:
                self._rest = min(_LONGEST, max(_SHORTEST, self._rest * 2))
                self._until = self._now() + self._rest

    def succeeded(self) -> None:
        with self._lock:
            self._failures, self._rest, self._until = 0, 0.0, 0.0
