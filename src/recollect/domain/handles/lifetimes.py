"""Durations as people write them (`90s`, `15m`, `12h`, `30d`, `8w`), and how long something is kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from recollect.domain.errors import InvalidInput
from recollect.domain.late import Late

WRITTEN_AS = "Write a number and a unit: 90s, 15m, 12h, 30d or 8w."

_SPELLED = Late(r"\s*(\d{1,6})\s*([smhdw])\s*")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def duration_in(text: object) -> timedelta | None:
    """The duration that a text spells; `None` if it is none."""
    found = _SPELLED.fullmatch(text) if isinstance(text, str) else None
    return timedelta(seconds=int(found[1]) * _SECONDS[found[2]]) if found else None


def time_to_live(value: str | timedelta, *, field: str = "ttl") -> timedelta:
    """How long something is kept, from when it is written down; longer than not at all."""
    found = value if isinstance(value, timedelta) else duration_in(value)
    if found is None or found <= timedelta(0):
        shown = value if isinstance(value, str) and len(value) <= 60 else type(value).__name__
        raise InvalidInput(f"`{field}` is `{shown}`, which is no time to live.", code="invalid_time", hint=WRITTEN_AS)
    return found


def later_end(one: datetime | None, other: datetime | None) -> datetime | None:
    """The end of something that was told twice: it is kept as long as either asks for, and `None` is for good."""
    return None if one is None or other is None else max(one, other)


def end_of_life(at: datetime, ttl: timedelta | None) -> datetime | None:
    """When something is erased that is written down at a moment; `None` for never, and for what no calendar holds."""
    if ttl is None or ttl > datetime.max.replace(tzinfo=at.tzinfo) - at:
        return None
    return at + ttl
