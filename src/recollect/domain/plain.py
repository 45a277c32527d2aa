"""Values as plain JSON, and notes back from it: the one spelling every door and every export uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, TypeVar

from recollect.domain.clock import checked_id, format_time, parse_time
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Kind, Note, State, checked_note
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import SCOPE_FIELDS, Scope, checked_space
from recollect.domain.text import checked_name, checked_tags, checked_text

E = TypeVar("E", bound=StrEnum)

EXPORT_HEADER = "recollect-export"  # the type of an export's first record
EXPORT_FORMAT = 1  # of the records after it

_TIMES = (
    "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at", "last_seen_at", "verified_at",
)  # fmt: skip
_REQUIRED = ("id", "space", "version", "kind", "text", "recorded_at", "updated_at")
_KNOWN = frozenset(field.name for field in fields(Note)) | {"type"}


def to_plain(value: Any) -> Any:
    """Any domain value as dictionaries, lists, text, numbers, true, false and null."""
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return value


def choice(options: type[E], value: str, *, field: str) -> E:
    """A member of a closed set from its spelling, or an error that lists them."""
    try:
        return options(value)
    except ValueError:
        allowed = ", ".join(option.value for option in options)
        raise InvalidInput(f"`{field}` is `{value}`.", code=f"unknown_{field}", hint=f"It can be: {allowed}.") from None


def note_from_plain(record: Mapping[str, Any]) -> Note:
    """A note version from its plain form, checked as strictly as one that a person saves."""
    missing = [name for name in _REQUIRED if record.get(name) is None]
    if missing:
        raise InvalidInput(f"The note has no `{missing[0]}`.", code="field_missing")
    unknown = sorted(set(record) - _KNOWN)
    if unknown:
        raise InvalidInput(
            f"The note has a field `{unknown[0]}` that this version does not know.",
            code="unknown_field",
            hint="It was written by a newer version; update Recollect to import it.",
        )
    version = record["version"]
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version < 2**31:
        raise InvalidInput(f"`version` is {version!r}; it must be a whole number from 1 on.", code="invalid_number")
    times = {name: _optional(record.get(name), name, _time) for name in _TIMES}
    return checked_note(
        Note(
            id=checked_id(record["id"]),
            space=checked_space(record["space"]),
            version=version,
            kind=choice(Kind, record["kind"], field="kind"),
            text=checked_text(record["text"]),
            recorded_at=_time(record["recorded_at"], "recorded_at"),
            updated_at=_time(record["updated_at"], "updated_at"),
            title=checked_name(record.get("title"), field="title"),
            subject=checked_name(record.get("subject"), field="subject"),
            attribute=checked_name(record.get("attribute"), field="attribute"),
            value=_optional(record.get("value"), "value", lambda text, name: checked_text(text, field=name)),
            tags=checked_tags(_list(record, "tags")),
            scope=_scope(_object(record, "scope")),
            state=choice(State, record.get("state", "active"), field="state"),
            confidence=record.get("confidence", 1.0),
            importance=record.get("importance", 0.5),
            pinned=record.get("pinned", False) is True,
            origin=_origin(_object(record, "origin")),
            authority=choice(Authority, record.get("authority", "quoted"), field="authority"),
            supersedes=tuple(checked_id(link) for link in _list(record, "supersedes")),
            derived_from=tuple(checked_id(link) for link in _list(record, "derived_from")),
            metadata=_object(record, "metadata"),
            **times,
        )
    )


def _scope(record: Mapping[str, Any]) -> Scope:
    return Scope(**{name: checked_name(record.get(name), field=name) for name in SCOPE_FIELDS})


def _origin(record: Mapping[str, Any]) -> Origin:
    return Origin(
        channel=choice(Channel, record.get("channel", "import"), field="channel"),
        principal=checked_name(record.get("principal"), field="principal") or "",
        session=checked_name(record.get("session"), field="session"),
        source=checked_name(record.get("source"), field="source"),
    )


def _time(value: Any, name: str) -> datetime:
    return parse_time(value, field=name)


def _optional(value: Any, name: str, convert: Callable[[Any, str], Any]) -> Any:
    return None if value is None else convert(value, name)


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput(f"`{name}` must be a list.", code="invalid_field")
    return value


def _object(record: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name, {})
    if not isinstance(value, dict):
        raise InvalidInput(f"`{name}` must be an object.", code="invalid_field")
    return value
