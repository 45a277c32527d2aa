"""A filter as slow and plain as can be: the grammar asked of a note's own dictionary, without any code of ours."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

_SCOPE = ("user", "agent", "project", "session", "machine")
_TIMES = {
    "created": "recorded_at",
    "updated": "updated_at",
    "occurred": "occurred_at",
    "expires": "expires_at",
    "erases": "erase_at",
}
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def passes(plain: dict[str, Any], note: dict[str, Any], now: datetime) -> bool:
    """Whether a note, as `to_dict` tells it, passes a filter, as a caller writes it."""
    for name, told in plain.items():
        if name == "and":
            met = all(passes(each, note, now) for each in told)
        elif name == "or":
            met = any(passes(each, note, now) for each in told)
        elif name == "not":
            met = not passes(told, note, now)
        else:
            tests = told if isinstance(told, dict) else {"in" if isinstance(told, list) else "eq": told}
            met = all(_test(name, operator, value, note, now) for operator, value in tests.items())
        if not met:
            return False
    return True


def _test(name: str, operator: str, value: Any, note: dict[str, Any], now: datetime) -> bool:
    if name == "valid":
        begun, ended = note["valid_from"], note["valid_until"]
        if operator == "until":
            return begun is None or _moment(begun) < _moment(value)
        since = _since(operator, value, now)
        return ended is None or _moment(ended) > since
    if name in _TIMES:
        found = note[_TIMES[name]]
        if operator == "exists":
            return (found is not None) is value
        if found is None:
            return False
        if operator == "until":
            return _moment(found) < _moment(value)
        return _moment(found) >= (_since(operator, value, now))
    if operator == "exists" and name.startswith("metadata."):
        path = name.removeprefix("metadata.")
        return any(each == path or each.startswith(f"{path}.") for each, _ in _leaves(note["metadata"])) is value
    values = list(_values(name, note))
    if name == "tag" and operator != "exists":
        value = [_tag(each) for each in value] if isinstance(value, list) else _tag(value)
    match operator:
        case "eq":
            return any(_same(each, value) for each in values)
        case "ne":
            return not any(_same(each, value) for each in values)
        case "in":
            return any(_same(each, wanted) for each in values for wanted in value)
        case "contains":
            return any(isinstance(each, str) and value in each for each in values)
        case "exists":
            return bool(values) is value
        case _:
            return any(_ordered(each, operator, value) for each in values)


def _values(name: str, note: dict[str, Any]) -> Iterator[Any]:
    if name.startswith("metadata."):
        yield from (value for path, value in _leaves(note["metadata"]) if path == name.removeprefix("metadata."))
    elif name == "tag":
        yield from note["tags"]
    else:
        place = note["scope"] if name in _SCOPE else note["origin"] if name in ("channel", "source") else note
        if place[name] is not None:
            yield place[name]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if path or key not in ("said", "vault", "claimed", "disputes"):
                yield from _leaves(item, f"{path}.{_clean(key)}" if path else _clean(key))
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, path)
    elif value is not None and path:
        yield path, _clean(value) if isinstance(value, str) else value


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def _ordered(one: Any, operator: str, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(one, str) != isinstance(other, str):
        return False
    if not isinstance(one, str):
        one, other = _float(one), _float(other)
    return bool({"gt": one > other, "gte": one >= other, "lt": one < other, "lte": one <= other}[operator])


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _clean(text: str) -> str:
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", "", text.replace("\r\n", "\n").replace("\r", "\n"))


def _tag(text: str) -> str:
    return "-".join(unicodedata.normalize("NFC", text).lower().split())


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _since(operator: str, value: str, now: datetime) -> datetime:
    if operator == "since":
        return _moment(value)
    age = timedelta(seconds=int(value[:-1]) * _UNITS[value[-1]])
    first = datetime.min.replace(tzinfo=UTC)
    return now - age if now - first > age else first
