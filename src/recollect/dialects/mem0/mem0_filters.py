"""Filters of mem0 as filters of ours: `AND`, `OR`, `NOT`, its comparisons, and its four ids as parts of a scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from recollect.dialects.shapes import moment_of as told_moment
from recollect.domain.clock import checked_id, format_time, parse_time
from recollect.domain.errors import InvalidInput

SCOPE = {"user_id": "user", "agent_id": "agent", "app_id": "project", "run_id": "session"}
OWN = "mem0"  # the key of the metadata under which this dialect keeps what a note has no field for
RUN = f"metadata.{OWN}.run_id"  # what is learned in a run holds beyond it, so its note is of no session
EVENT = f"metadata.{OWN}.event_id"

_TIMES = {"created_at": "created", "updated_at": "updated", "timestamp": "occurred"}
_PLAIN = {"eq", "ne", "in", "gt", "gte", "lt", "lte"}
_DEEPEST = 12
_ANYTHING = "*"


def where_of(filters: Any, _depth: int = 0) -> dict[str, Any]:
    """The filter of ours that means the same; empty for none."""
    if not isinstance(filters, Mapping) or _depth > _DEEPEST:
        raise InvalidInput(
            "`filters` must be an object, nested not too deeply.", code="invalid_filter", hint='As in {"user_id": "a"}.'
        )
    parts: list[dict[str, Any]] = []
    for name, value in filters.items():
        match str(name).upper().removeprefix("$"):
            case "AND" | "OR" as joined:
                parts.append({joined.lower(): [where_of(each, _depth + 1) for each in _several(value)]})
            case "NOT":
                parts.append({"not": {"or": [where_of(each, _depth + 1) for each in _several(value)]}})
            case _:
                parts += _field(str(name), value)
    return parts[0] if len(parts) == 1 else {"and": parts} if parts else {}


def joined(*parts: Mapping[str, Any]) -> dict[str, Any] | None:
    """All of some filters at once; `None` if none of them says anything."""
    said = [dict(part) for part in parts if part]
    return {"and": said} if len(said) > 1 else said[0] if said else None


def moment_of(value: Any, field: str) -> str:
    """A time as mem0 writes one: seconds since 1970, ISO 8601, or a datetime."""
    return format_time(parse_time(told_moment(value, field) or "", field=field))


def day_after(value: Any, field: str) -> str:
    """The end of the day that a date names, which is the last on which something is shown."""
    return format_time(_later(parse_time(value, field=field), timedelta(days=1)))


def _field(name: str, value: Any) -> list[dict[str, Any]]:
    """One field, which is one of ours, or else a path in the metadata."""
    if name == "metadata" and isinstance(value, Mapping):
        return [part for key, said in value.items() for part in _compared(f"metadata.{key}", said)]
    if name in _TIMES:
        return _timed(_TIMES[name], value)
    if name in ("memory_ids", "id", "ids"):
        return [{"id": [checked_id(each) for each in _several(value)]}]
    if name == "keywords":
        said = value if isinstance(value, Mapping) else {"contains": value}
        return [{"text": {"contains": each}} for each in said.values()]
    if name == "categories":
        return _compared("tag", value, contains="eq")
    if name == "run_id":
        return [{"or": [{"and": _compared(each, value)} for each in ("session", RUN)]}]
    return _compared(SCOPE.get(name, f"metadata.{name}"), value)


def _compared(field: str, value: Any, *, contains: str = "contains") -> list[dict[str, Any]]:
    if value == _ANYTHING:
        return [{field: {"exists": True}}]
    if value is None:
        return [{field: {"exists": False}}]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [{field: {"in": list(value)}}]
    if not isinstance(value, Mapping):
        return [{field: {"eq": value}}]
    parts: list[dict[str, Any]] = []
    for operator, wanted in value.items():
        match operator:
            case "nin" | "not_in":
                parts.append({"not": {field: {"in": list(_several(wanted))}}})
            case "contains" | "icontains":
                parts.append({field: {contains: wanted}})
            case _ if wanted == _ANYTHING:
                parts += [{"not": {field: {"exists": True}}}] if operator == "ne" else [{field: {"exists": True}}]
            case _ if operator in _PLAIN:
                parts.append({field: {operator: wanted}})
            case _:
                raise InvalidInput(
                    f"`{str(operator)[:60]}` is no comparison.",
                    code="unknown_filter_operator",
                    hint="There are: eq, ne, in, nin, gt, gte, lt, lte, contains, icontains.",
                )
    return parts


def _timed(field: str, value: Any) -> list[dict[str, Any]]:
    """A range of time. Ours include the beginning and not the end; a date as an end is the whole day."""
    if not isinstance(value, Mapping):
        value = {"gte": value, "lte": value}
    parts: list[dict[str, Any]] = []
    for operator, wanted in value.items():
        if operator not in ("gt", "gte", "lt", "lte"):
            raise InvalidInput(
                f"A time is not compared by `{str(operator)[:60]}`.",
                code="unknown_filter_operator",
                hint="There are: gt, gte, lt, lte.",
            )
        at = parse_time(moment_of(wanted, field), field=field)
        if operator in ("gt", "lte"):
            at = _later(at, timedelta(days=1) if _is_date(wanted) else timedelta(microseconds=1))
        parts.append({field: {"since" if operator.startswith("g") else "until": format_time(at)}})
    return parts


def _later(at: datetime, by: timedelta) -> datetime:
    try:
        return at + by
    except OverflowError:  # the last day of the calendar
        return at


def _is_date(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
