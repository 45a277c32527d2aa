"""The limits of a caller: the moment by which work has to be done, and how old an answer may be.

A thread cannot be stopped from outside. Work that somebody waits for only so long asks here, between its steps, whether
there is still time, and ends itself. A store asks here whether a copy that is a little behind may answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from recollect.domain.errors import Busy

TOO_SLOW = "too_slow"  # the code of what was given up

_UNTIL: ContextVar[float | None] = ContextVar("recollect_deadline", default=None)
_STALE: ContextVar[float] = ContextVar("recollect_staleness", default=0.0)


@contextmanager
def stale_within(seconds: float) -> Iterator[None]:
    """Let what is read inside be up to so many seconds old."""
    before = _STALE.set(seconds)
    try:
        yield
    finally:
        _STALE.reset(before)


def allowed_staleness() -> float:
    """The seconds by which an answer may be behind; 0 if it may not."""
    return _STALE.get()


@contextmanager
def due_in(seconds: float | None) -> Iterator[None]:
    """Give what is done inside that many seconds; `None` gives it all the time there is."""
    before = _UNTIL.set(None if seconds is None else time.monotonic() + seconds)
    try:
        yield
    finally:
        _UNTIL.reset(before)


def time_left() -> float | None:
    """The seconds in which this has to be done; `None` if nobody waits."""
    until = _UNTIL.get()
    return None if until is None else max(0.0, until - time.monotonic())


def too_slow() -> Busy:
    """The error for work that was given up because it took too long."""
    return Busy("This took too long and was given up.", code=TOO_SLOW, hint="Ask for less, or try again.")


def require_time() -> None:
    """Raise `Busy` if nobody waits for this any more."""
    until = _UNTIL.get()
    if until is not None and time.monotonic() > until:
        raise too_slow()
