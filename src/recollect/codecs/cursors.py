"""Where a list stopped, as text that a caller hands back. It fits the list it came from and no other."""

from __future__ import annotations

import binascii
import json
from typing import Any

from recollect.domain.errors import InvalidInput


def encode_cursor(place: Any, *, of: tuple[object, ...]) -> str:
    """`place` is JSON; `of` says which list it is a place in: the verb, the space, the filters."""
    from base64 import urlsafe_b64encode

    body = json.dumps([_mark(of), place], separators=(",", ":")).encode("utf-8")
    return urlsafe_b64encode(body).decode("ascii").rstrip("=")


def decode_cursor(cursor: str, *, of: tuple[object, ...], like: Any) -> Any:
    """The place a cursor names, if it comes from this very list and is of the same shape as `like`."""
    from base64 import b64decode

    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        mark, place = json.loads(b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, TypeError, RecursionError):
        raise InvalidInput("The cursor cannot be read.", code="invalid_cursor", hint=_START_OVER) from None
    if not _is_like(place, like):
        raise InvalidInput("The cursor cannot be read.", code="invalid_cursor", hint=_START_OVER)
    if mark != _mark(of):
        raise InvalidInput(
            "The cursor comes from another list: another space, or other filters.",
            code="invalid_cursor",
            hint=_START_OVER,
        )
    return place


_START_OVER = "Start over without a cursor."


def _is_like(place: Any, like: Any) -> bool:
    if type(place) is not type(like):
        return False
    return not isinstance(like, list) or (len(place) == len(like) and all(map(_is_like, place, like)))


def _mark(of: tuple[object, ...]) -> str:
    # It guards against a mistake, not against a forger, who could only see another page of what he may read anyway.
    return f"{binascii.crc32(repr(of).encode('utf-8')):08x}"
