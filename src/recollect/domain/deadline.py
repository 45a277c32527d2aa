"""The moment by which work has to be done, for whoever does it on this thread.

A thread cannot be stopped from outside. Work that somebody waits for only so long asks here, between its steps, whether
there is still time, and ends itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from recollect.domain.errors import Busy

TOO_SLOW = "too_slow"  # the code of what was given up

_UNTIL: ContextVar[float | None] = ContextVar("recollect_deadline", default=None)


@contextmanager
def due_in(seconds: float | None) -> Iterator[None]:
    """Give what is done inside that many seconds; `None` gives it all the time there is."""
    before = _UNTIL.set(None if seconds is None else time.monotonic() + seconds)
    try:
        yield
    finally:
        _UNTIL.reset(before)


def require_time() -> None:
    """Raise `Busy` if nobody waits for this any more."""
    until = _UNTIL.get()
    if until is not None and time.monotonic() > until:
        raise Busy("This took too long and was given up.", code=TOO_SLOW, hint="Ask for less, or try again.")
