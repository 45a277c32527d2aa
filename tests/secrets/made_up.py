"""Values of any dataclass, made from its type hints, with one text in each of its places in turn."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

NOW = datetime(2026, 1, 2, tzinfo=UTC)
Place = tuple[tuple[type, str], ...]  # the fields that lead to a text, outermost first

MARK = "\0here\0"


def places(kind: Any) -> Iterator[tuple[Place, Any]]:
    """Each place of a text in a type, and a value of that type in which the text at that place is `MARK`."""
    origin, within = get_origin(kind), get_args(kind)
    if kind is str or kind is Any:
        yield (), MARK
    elif origin in (Union, types.UnionType):
        for each in within:
            yield from places(each)
    elif origin is tuple:
        of = [each for each in within if each is not Ellipsis]
        for at, each in enumerate(of):
            for place, value in places(each):
                yield place, tuple(value if at == here else plain(other) for here, other in enumerate(of))
    elif origin in (Mapping, dict):
        yield (), {MARK: "value"}
        yield (), {"key": MARK}
        yield (), {"key": [{"deeper": (MARK,)}]}
    elif _is_record(kind):
        hints = _hints(kind)
        for field in fields(kind):
            for place, value in places(hints[field.name]):
                made = {other.name: plain(hints[other.name]) for other in fields(kind)}
                yield ((kind, field.name), *place), kind(**{**made, field.name: value})


def plain(kind: Any) -> Any:
    """Some value of a type, without anything in it that could be a secret."""
    origin, within = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if types.NoneType in within else plain(within[0])
    if origin is tuple or origin is frozenset:
        several = Ellipsis in within or origin is frozenset
        return origin() if several else tuple(plain(each) for each in within)
    if origin in (Mapping, dict):
        return {}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if _is_record(kind):
        hints = _hints(kind)
        return kind(**{field.name: plain(hints[field.name]) for field in fields(kind)})
    return {str: "plain", int: 1, float: 0.5, bool: True, bytes: b"", datetime: NOW, Any: None}[kind]


def full(kind: Any, text: str) -> Any:
    """A value of a type with the text in every place at once."""
    origin, within = get_origin(kind), get_args(kind)
    if kind is str or kind is Any:
        return text
    if origin in (Union, types.UnionType):
        return full(next(each for each in within if each is not types.NoneType), text)
    if origin is tuple:
        return tuple(full(each, text) for each in within if each is not Ellipsis)
    if origin in (Mapping, dict):
        return {text: text}
    if _is_record(kind):
        hints = _hints(kind)
        return kind(**{field.name: full(hints[field.name], text) for field in fields(kind)})
    return plain(kind)


def with_text(value: Any, text: str) -> Any:
    """The same value with a text in the place of `MARK`."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return text if value == MARK else value
    if isinstance(value, tuple | list):
        return type(value)(with_text(each, text) for each in value)
    if isinstance(value, Mapping):
        return {with_text(key, text): with_text(each, text) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(**{field.name: with_text(getattr(value, field.name), text) for field in fields(value)})
    return value


def _is_record(kind: Any) -> bool:
    return is_dataclass(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
