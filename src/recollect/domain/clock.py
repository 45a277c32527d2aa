"""Now, new ids and chance: the only source of all three.

Ids are ULIDs: 26 characters that sort by the millisecond they were made in, the rest random. Within one
millisecond a process adds a random step of up to 2**64 instead of one, so that ids stay in order and the
next one still cannot be guessed.
"""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from typing import Protocol

from recollect.domain.errors import InvalidInput
from recollect.domain.late import Late

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
_ID = Late(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
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


def checked_id(text: str, *, what: str = "note") -> str:
    """The id in its one spelling, or a clear error. A UUID is understood as the id with the same bits."""
    candidate = text.strip().upper() if isinstance(text, str) else ""
    if _ID.fullmatch(candidate):
        return candidate
    from recollect.domain.handles.uuids import bits_of  # for the few who have one

    bits = bits_of(candidate)
    if bits is None:
        raise InvalidInput(
            f"`{_shown(text)}` is not a {what} id.",
            code="invalid_id",
            hint="An id has 26 letters and digits; `recollect list` shows them.",
        )
    return encode_id(bits)


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
