"""Clean records: whole values without secrets, whatever fields they have.

`Store.apply` passes every `Changes` through `clean_changes`, so no verb can write around it. The walk knows no field by
name but those listed here with a reason; a field that is added later is clean without anybody thinking of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.dataclass import is_value, names_of, replace
from recollect.domain.errors import InvalidInput
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Channel
from recollect.redaction.clean_text import (
    clean,
    clean_beside,
    holds_secret,
    is_clean_at_a_glance,
    is_known_clean_beside,
    know_clean,
)

if TYPE_CHECKING:
    from recollect.domain.changes import Changes

T = TypeVar("T")


@cache
def untouched() -> dict[tuple[type, str], str]:
    """The fields that are left as they are, each with the reason. What only reads loads none of these values."""
    from recollect.domain.changes import Changes, DropSession, Idempotency, ReviseSession
    from recollect.domain.desk import Action, Slot
    from recollect.domain.jobs.job import Job, Timer
    from recollect.domain.observations import Observation, Session

    of_space = "a new space with such a name is refused, and a record is always of the space of its changes"
    return {
        **{(kind, "space"): of_space for kind in (Changes, Note, Session, Observation, Slot, Action, Job, Timer)},
        (Idempotency, "key"): "the store writes its digest",
        (ReviseSession, "known"): "it is compared with what is stored",
        (DropSession, "session_id"): "it names what goes",
    }


@cache
def _beside() -> dict[type, dict[str, str]]:
    """The fields of records whose values another field names."""
    from recollect.domain.desk import Slot

    return {Note: {"value": "attribute"}, Slot: {"text": "label"}}


_MANY = 16  # edits whose texts are searched together
_FIRST_TELLING = 1000  # whole numbers below this are no secret, whatever they are called
_WAYS: dict[type, Callable[[Any], Any]] = {}  # for each type how a value of it is searched
_GETTERS: dict[Any, Callable[[Any], tuple[Any, ...]]] = {}
_SEARCHED: dict[Any, tuple[str, ...]] = {}  # for each dataclass the fields that are looked into
_WITHOUT_TEXT = (Enum, bool, int, float, bytes, memoryview, date, time, timedelta, type(None))


def clean_changes(changes: Changes) -> Changes:
    """The changes with a placeholder for each secret in any of their texts."""
    for edit in changes.edits:
        for name in _searched(type(edit)):
            space = getattr(getattr(edit, name), "space", changes.space)
            if space != changes.space:
                raise InvalidInput("A record is of another space than its change.", code="invalid_space")
    if len(changes.edits) < _MANY:
        return without_secrets(changes)
    rest = without_secrets(replace(changes, edits=()))
    edits = changes.edits if _are_surely_clean(changes.edits) else _walked(changes.edits)
    return replace(rest, edits=edits)


def without_secrets(value: T) -> T:
    """The same value with a placeholder for each secret in it; the very same object if it holds none.

    Walks dataclasses, tuples, lists, sets and mappings, keys included. Raises `TypeError` for what it cannot look into.
    """
    return _walked(value)  # type: ignore[no-any-return]


def refuse_secret(name: str, what: str) -> None:
    """Raise if a name that others refer to holds a secret: unlike a text, it cannot be changed."""
    if holds_secret(name):
        raise InvalidInput(
            f"The name of the {what} looks like a secret; nothing was written.",
            code="secret_in_name",
            hint="Choose another name. If it is a secret, replace it where it is used.",
        )


def _walked(value: Any) -> Any:
    way = _WAYS.get(type(value))
    if way is None:
        way = _WAYS[type(value)] = _way_through(type(value))
    return way(value)


def _way_through(kind: type) -> Callable[[Any], Any]:
    """How a value of a type is searched. Found out once for each type, because a value has dozens of fields."""
    if issubclass(kind, _WITHOUT_TEXT):
        return _as_it_is
    for base, way in ((str, clean), (Mapping, _mapping), (tuple, _tuple), (list | set | frozenset, _collection)):
        if issubclass(kind, base):
            return way
    if is_value(kind):
        return _record
    raise TypeError(f"a {kind.__name__} cannot be searched for secrets")


def _as_it_is(value: T) -> T:
    return value


def _tuple(value: Any) -> Any:
    items = [_walked(item) for item in value]
    if all(map(_is, items, value)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def _collection(value: Any) -> Any:
    return type(value)(_walked(item) for item in value)


def _record(record: Any) -> Any:
    kind = type(record)
    changed = {}
    for name in _searched(kind):
        before = getattr(record, name)
        after = _walked(before)
        if after is not before:
            changed[name] = after
    for name, beside in _beside().get(kind, {}).items():
        before, title = changed.get(name, getattr(record, name)), getattr(record, beside)
        if before and title and (after := clean_beside(title, before)) != before:
            changed[name] = after
    return replace(record, **changed) if changed else record


def _mapping(given: Mapping[Any, Any]) -> Mapping[Any, Any]:
    changed = False
    found = {}
    for key, value in given.items():
        name, after = _walked(key), _walked(value)
        if isinstance(key, str):
            if isinstance(after, str):
                after = clean_beside(key, after)
            elif isinstance(after, int) and not isinstance(after, bool) and abs(after) >= _FIRST_TELLING:
                spelled = clean_beside(key, str(after))
                after = after if spelled == str(after) else spelled
        while name != key and (name in found or name in given):
            name += "+"  # two secrets of a kind leave the same placeholder; neither value is lost
        changed = changed or name is not key or after is not value
        found[name] = after
    return found if changed else given


def _searched(kind: Any) -> tuple[str, ...]:
    if kind not in _SEARCHED:
        _SEARCHED[kind] = tuple(name for name in names_of(kind) if (kind, name) not in untouched())
    return _SEARCHED[kind]


def _is(one: object, other: object) -> bool:
    return one is other


# -- many records at once ----------------------------------------------------------------------------------------------


class _Texts:
    """The texts of some records, and those that stand beside a name; `unknown` if something was not looked into."""

    __slots__ = ("alone", "beside", "unknown")

    def __init__(self) -> None:
        self.alone: set[str] = set()
        self.beside: set[tuple[str, str]] = set()
        self.unknown = False


def _are_surely_clean(records: Sequence[Any]) -> bool:
    """Whether no record holds a secret. Each text of all of them is searched once, most in one pass over all."""
    texts = _Texts()
    for record in records:
        _gather(record, texts)
    if texts.unknown:
        return False
    know_clean(text for text in texts.alone if not is_clean_at_a_glance(text))
    know_clean(text for pair in texts.beside for text in pair)
    return not any(map(holds_secret, texts.alone)) and all(
        is_known_clean_beside(name, value) or clean_beside(name, value) == value for name, value in texts.beside
    )


def _gather(value: Any, texts: _Texts) -> None:
    """Every text that the walk would search, in the same places."""
    kind = type(value)
    if kind is str:
        texts.alone.add(value)
    elif kind is tuple or kind is list:
        for item in value:
            _gather(item, texts)
    elif kind is dict:
        _gather_mapping(value, texts)
    elif is_value(kind):
        for item in _fields(kind)(value):
            of = type(item)
            if of is str:
                texts.alone.add(item)
            elif item and of not in _BARE:
                _gather(item, texts)
        for name, beside in _beside().get(kind, {}).items():
            told, title = getattr(value, name), getattr(value, beside)
            if told and title:
                texts.beside.add((title, told))
    elif not issubclass(kind, _WITHOUT_TEXT):
        texts.unknown = True


def _gather_mapping(given: Mapping[Any, Any], texts: _Texts) -> None:
    for key, item in given.items():
        if type(key) is not str:
            texts.unknown = True
            return
        texts.alone.add(key)
        if type(item) is str:
            texts.alone.add(item)
            texts.beside.add((key, item))
        elif type(item) is int:
            if abs(item) >= _FIRST_TELLING:
                texts.beside.add((key, str(item)))
        elif isinstance(item, str | int) and type(item) is not bool:  # an enumeration of somebody's
            texts.unknown = True
        else:
            _gather(item, texts)


_BARE = frozenset((type(None), bool, int, float, datetime, Kind, State, Authority, Channel))  # as most fields are


def _fields(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Gives the values of all fields that are searched."""
    if kind not in _GETTERS:
        names = _searched(kind)
        several = attrgetter(*names) if len(names) > 1 else None
        _GETTERS[kind] = several or (lambda value: tuple(getattr(value, name) for name in names))
    return _GETTERS[kind]
