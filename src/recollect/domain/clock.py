"""Time: now, ids and chance, of which this is the only source; how long something is kept, and by when it is due.

Ids are ULIDs: 26 characters that sort by the millisecond they were made in, the rest random. Within one
millisecond a process adds a random step of up to 2**64 instead of one, so that ids stay in order and the
next one still cannot be guessed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Protocol

from recollect.domain.errors import Busy, InvalidInput
from recollect.domain.late import Late

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
_ID = Late(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_UUID = Late(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|[0-9A-Fa-f]{32}")
_BASE_32 = str.maketrans("ABCDEFGHJKMNPQRSTVWXYZ", "ABCDEFGHIJKLMNOPQRSTUV")  # Crockford's digits as Python's
_RANDOM_BITS = 80
_STEP_BITS = 64


class Clock(Protocol):
    """Time and chance, so that a test can hold both still."""

    def now(self) -> datetime:
        """The present instant, in UTC."""
        ...

    def new_id(self) -> str:
        """An id that no one has and no one can guess."""
        ...

    def chance(self) -> float:
        """A number in [0, 1)."""
        ...


class SystemClock:
    """The machine's own clock and randomness."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        milliseconds = int(self.now().timestamp() * 1000)
        with self._lock:
            fresh = (milliseconds << _RANDOM_BITS) | _random_bits(_RANDOM_BITS)
            if fresh >> _RANDOM_BITS <= self._last >> _RANDOM_BITS:
                fresh = self._last + 1 + _random_bits(_STEP_BITS)
            self._last = fresh
        return encode_id(fresh)

    def chance(self) -> float:
        return _random_bits(53) / (1 << 53)


def _random_bits(count: int) -> int:
    """As many bits from the system's own source; `secrets` would load four modules for it."""
    return int.from_bytes(os.urandom((count + 7) // 8)) >> -count % 8


def encode_id(number: int) -> str:
    """A 128-bit number as 26 characters that sort as the number does."""
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def is_id(text: str) -> bool:
    """Whether a text is an id in its one spelling."""
    return _ID.fullmatch(text) is not None


# The command that lists ids of a kind.
_LISTS = {
    "note": "list",
    "job": "jobs list",
    "action": "actions list",
    "question": "eval questions",
    "token": "tokens list",
}


def checked_id(text: str, *, what: str = "note") -> str:
    """The id in its one spelling, or a clear error. A UUID is understood as the id with the same bits."""
    candidate = text.strip().upper() if isinstance(text, str) else ""
    if _ID.fullmatch(candidate):
        return candidate
    if not is_uuid(candidate):
        raise InvalidInput(
            f"`{_shown(text)}` is not a {what} id.",
            code="invalid_id",
            hint="An id has 26 letters and digits"
            + (f"; `recollect {_LISTS[what]}` shows them." if what in _LISTS else "."),
        )
    return encode_id(int(candidate.replace("-", ""), 16))


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID, with hyphens or without."""
    return _UUID.fullmatch(text) is not None


def uuid_of(record_id: str) -> str:
    """An id of ours as a UUID, in small letters and with hyphens."""
    digits = f"{int(record_id.translate(_BASE_32), 32):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def parse_time(value: str | datetime, *, field: str) -> datetime:
    """An instant from ISO 8601 text. A date is its midnight, and a time without a zone is UTC."""
    if isinstance(value, datetime):
        moment = value
    else:
        try:
            moment = datetime.fromisoformat(value.strip())
        except (ValueError, AttributeError, TypeError):
            raise InvalidInput(
                f"`{field}` is `{_shown(value)}`, which is not a date or time.",
                code="invalid_time",
                hint="Write it as 2026-03-01 or 2026-03-01T10:30:00Z.",
            ) from None
    if moment.tzinfo is UTC and type(moment) is datetime:
        return moment
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(
            f"`{field}` is out of range: `{_shown(value)}`.",
            code="invalid_time",
            hint="Years 1 to 9999 can be kept.",
        ) from None
    # A library's own kind of datetime becomes a plain one, which is what every database driver knows.
    return datetime.combine(moment.date(), moment.time(), UTC)


def format_time(moment: datetime) -> str:
    """The one spelling of an instant: UTC, microseconds, fixed width, so that text order is time order."""
    moment = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return f"{moment.isoformat(timespec='microseconds')[:26]}Z"


def just_after(moment: datetime) -> datetime:
    """The next instant that can be told apart."""
    return moment + timedelta(microseconds=1)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# -- durations --------------------------------------------------------------------------------------------------------

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


# -- the limits of a caller -------------------------------------------------------------------------------------------

# A thread cannot be stopped from outside. Work that somebody waits for only so long asks here, between its steps,
# whether there is still time, and ends itself; a store asks whether a copy that is a little behind may answer.

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
