"""A clock that moves only when it is told to, and ids that follow it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from recollect.domain.clock import encode_id


class SteadyClock:
    """Every look at it is one second later than the last, so that no two moments are the same."""

    def __init__(self, start: str = "2026-01-01T00:00:00+00:00") -> None:
        self.moment = datetime.fromisoformat(start).astimezone(UTC)
        self._made = 0

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment

    def new_id(self) -> str:
        self._made += 1
        return encode_id((int(self.moment.timestamp() * 1000) << 80) | self._made)

    def chance(self) -> float:
        return 0.5

    def advance(self, **duration: float) -> datetime:
        self.moment += timedelta(**duration)
        return self.moment
