"""Values that verbs answer with: as plain JSON, at a glance, and as the sequence they hold.

`Value` gives `to_dict()` and a short `repr`. `Series` adds what a sequence has, for values that hold one sequence above
all. An empty series is false, as an empty list is: `if memory.search(…):` asks whether anything was found.

One of a few words, as its closed set has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import Enum, StrEnum
from os import PathLike
from typing import Any, ClassVar, Generic, TypeVar, overload

from recollect.domain.clock import format_time
from recollect.domain.dataclass import is_value, names_of, shown_names
from recollect.domain.errors import InvalidInput

T = TypeVar("T")

_WIDTH = 200  # characters of a repr
_PART = 48  # characters of one text in it
_NAMING = ("text", "label", "attribute", "message", "name", "id", "note")  # what an item is told by, the best first


class Value:
    """A frozen value that verbs answer with. The dataclass is made with `repr=False`."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The value as dictionaries, lists, texts, numbers and times as text: as every door writes it."""
        found: dict[str, Any] = to_plain(self)
        return found

    def __repr__(self) -> str:
        told = f"{type(self).__name__}({', '.join(_glances(self))})"
        return told if len(told) <= _WIDTH else f"{told[: _WIDTH - 2]}…)"


class Series(Value, Generic[T]):
    """A value that holds one sequence above all, in the field that `_held` names."""

    __slots__ = ()
    _held: ClassVar[str] = "items"

    def _series(self) -> tuple[T, ...]:
        held: tuple[T, ...] = getattr(self, self._held)
        return held

    def __iter__(self) -> Iterator[T]:
        return iter(self._series())

    def __len__(self) -> int:
        return len(self._series())

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...

    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self._series()[place]


def to_plain(value: Any) -> Any:
    """Any domain value as dictionaries, lists, text, numbers, true, false and null."""
    if type(value) in _PLAIN_ALREADY:  # most of what an answer is made of
        return value
    names = _names_of(type(value))
    if names is not None:
        held = ((name, getattr(value, name)) for name in names)
        return {name: item if type(item) in _PLAIN_ALREADY else to_plain(item) for name, item in held}
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, PathLike):
        return str(value)
    if isinstance(value, bytes):
        from base64 import b64encode

        return b64encode(value).decode("ascii")
    return value


_PLAIN_ALREADY = frozenset((str, int, float, bool, type(None)))
_NAMES: dict[type, tuple[str, ...] | None] = {}  # looked up once for each type: there are a few dozen


def _names_of(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass or a named tuple; `None` for what is neither."""
    if kind not in _NAMES:
        named = getattr(kind, "_fields", None)
        _NAMES[kind] = names_of(kind) if is_value(kind) else named
    return _NAMES[kind]


def _glances(value: Any) -> Iterator[str]:
    """Each field that says something, in short; a few more than there is room for, and no further."""
    room = _WIDTH
    for name in shown_names(type(value)):
        held = getattr(value, name)
        if held is None or held is False or held in ("", (), {}):
            continue
        told = f"{name}={_glance(held)}"
        yield told
        room -= len(told) + 2
        if room < 0:
            return


def _glance(held: Any) -> str:
    if isinstance(held, Enum):
        return str(held.value)
    if isinstance(held, str):
        return repr(held if len(held) <= _PART else f"{held[: _PART - 1]}…")
    if isinstance(held, datetime):
        return format_time(held)
    if isinstance(held, tuple | list):
        return f"[{len(held)}: {_glance(_named(held[0]))}]" if held else "[]"
    if isinstance(held, Mapping):
        return f"{{{len(held)}}}"
    if is_value(type(held)):
        return f"<{type(held).__name__}>" if (named := _named(held)) is held else _glance(named)
    return repr(held)[:_PART]


def _named(item: Any) -> Any:
    """The best text in an item, by which it is told; the item itself where there is none."""
    for name in _NAMING:
        if is_value(type(item)) and (found := getattr(item, name, None)):
            return found if isinstance(found, str) else _named(found)
    return item


E = TypeVar("E", bound=StrEnum)


def choice(options: type[E], value: str, *, field: str) -> E:
    """A member of a closed set from its spelling, or an error that lists them."""
    try:
        return options(value)
    except ValueError:
        allowed = ", ".join(option.value for option in options)
        raise InvalidInput(f"`{field}` is `{value}`.", code=f"unknown_{field}", hint=f"It can be: {allowed}.") from None
