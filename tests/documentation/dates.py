"""Examples are run as if on other days than today: a page must hold on any of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from recollect.domain.clock import SystemClock

# An ordinary day, and the last moment of a leap day years ahead.
DATES = ["2026-12-01T09:30:00", "2032-02-29T23:59:30"]


def live_on(date: str, patch: pytest.MonkeyPatch) -> None:
    """Let the system clock begin at a date; each look at it is a millisecond later."""
    start, looks = datetime.fromisoformat(date).replace(tzinfo=UTC), count()
    patch.setattr(SystemClock, "now", lambda _clock: start + timedelta(milliseconds=next(looks)))
