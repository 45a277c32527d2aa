"""Bounds of one command: a moment by which it has to be done, and how many rows may be held at once."""

from __future__ import annotations

from collections.abc import Callable

from recollect.dialects.kip.errors import EXHAUSTED, TIMEOUT, KipError
from recollect.domain.clock import require_time

MOST_ROWS = 100_000  # combinations held at once, and elements looked at by one step
SECONDS = 15.0
_EVERY = 256  # steps between two looks at the clock


class WorkBudget:
    """Time and room of one command. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float], seconds: float = SECONDS, rows: int = MOST_ROWS) -> None:
        self._clock, self._until, self._seconds = clock, clock() + seconds, seconds
        self._steps = 0
        self._rows = rows

    def step(self) -> None:
        """Count one element that was looked at."""
        self._steps += 1
        if self._steps % _EVERY != 1:
            return
        require_time()
        if self._clock() > self._until:
            raise KipError(TIMEOUT, f"The command took longer than {self._seconds:g} seconds and was given up.")

    def hold(self, rows: int) -> None:
        """Refuse to hold more rows than there is room for."""
        if rows > self._rows:
            raise KipError(EXHAUSTED, f"The patterns match more than {self._rows:,} combinations.")
