"""Pure: a record of ours in the words of another system, by a line that says which field is which.

`"id content=text project=scope.project updated=updated_at|ms"` names their fields and ours, one path each. Times are
told as text, enumerations by their values, tuples as lists. Behind a bar stands another way to say a value: `uuid`,
`ms` for milliseconds since 1970, or `text` for nothing as an empty text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any

from recollect.domain.clock import format_time, parse_time, uuid_of
from recollect.domain.errors import InvalidInput


def shaped(record: Any, fields: str, **more: Any) -> dict[str, Any]:
    """The fields of a record under their names, and `more` beside them or in their place."""
    told = {theirs: _said(record, path, how) for theirs, path, how in _read(fields)}
    return {**told, **more}


def sparse(**fields: Any) -> dict[str, Any]:
    """The fields that hold something: those that are `None` are left out."""
    return {name: value for name, value in fields.items() if value is not None}


def some(given: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """Arguments of ours for those of theirs that were given: by name, what each is called there."""
    return {ours: given[theirs] for ours, theirs in names.items() if given.get(theirs) not in (None, "", "*")}


def without_nulls(plain: Any) -> Any:
    """A plain value without the keys that hold nothing, however deep they are."""
    if isinstance(plain, Mapping):
        return {name: without_nulls(value) for name, value in plain.items() if value is not None}
    return [without_nulls(each) for each in plain] if isinstance(plain, list | tuple) else plain


def pairs(words: str) -> dict[str, str]:
    """A mapping as one line: `"a=b c=d"`."""
    return dict(each.split("=") for each in words.split())


def milliseconds(at: datetime) -> int:
    """A time in milliseconds since 1970."""
    return int(at.timestamp() * 1000)


def moment_of(said: Any, field: str, *, per_second: int = 1) -> str | None:
    """A time that is a text, a datetime, or a number since 1970, of which so many are a second; `None` for nothing."""
    if said is None or isinstance(said, str):
        return said or None
    if isinstance(said, datetime):
        return format_time(parse_time(said, field=field))
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise InvalidInput(f"`{field}` must be a time.", code="invalid_time")
    try:
        return format_time(datetime.fromtimestamp(said / per_second, UTC))
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"`{field}` is out of range.", code="invalid_time") from None


@cache
def _read(fields: str) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    found = []
    for field in fields.split():
        theirs, _, ours = field.partition("=")
        path, _, how = (ours or theirs).partition("|")
        found.append((theirs, tuple(path.split(".")), how))
    return tuple(found)


def _said(record: Any, path: tuple[str, ...], how: str) -> Any:
    value = record
    for name in path:
        value = None if value is None else getattr(value, name)
    if how == "text":
        return _plain(value) if value else ""
    return value if value is None else _WAYS[how](value)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return format_time(value)
        case Enum():
            return value.value
        case tuple():
            return list(value)
        case Mapping():
            return dict(value)
        case _:
            return value


_WAYS: dict[str, Callable[[Any], Any]] = {"": _plain, "uuid": uuid_of, "ms": milliseconds}
