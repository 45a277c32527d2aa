"""Clean records: texts and whole values without secrets, for every place that is about to keep them.

`Store.apply` passes every `Changes` through `clean_changes`, so no verb can write around it. The walk knows no field by
name but those listed here with a reason; a field that is added later is clean without anybody thinking of it.

The same string passes here several times on its way to the disk: when it is checked, before it is embedded, and in the
store. So texts that were found clean are remembered for a while, and most names are told clean at a glance. Texts that
held a secret are not remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.domain.dataclass import is_value, names_of, replace
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.late import Late
from recollect.domain.text import MAX_TAGS, sound_name, sound_text, spelled_tag

if TYPE_CHECKING:
    from recollect.domain.changes import Changes

T = TypeVar("T")

_MOST_REMEMBERED = 1_000_000  # characters of clean texts
_FEW = 40  # texts that a process cleans before all keywords are made ready for it: see `once` of `redact`

# Too short for a token of any vendor, and without a sign by which a value is given to a name.
_AT_A_GLANCE = Late(r"[A-Za-z0-9_.-]{0,15}|[0-7][0-9A-HJKMNP-TV-Z]{25}")

# With the ending of a file behind it, a value reads like code: `token.txt`.
_FILE_ENDING = Late(r"\.[A-Za-z0-9]{1,5}\Z")
_LONGEST_PATH = 1024  # characters

_PLACEHOLDER = Late(r"\[redacted:([a-z0-9-]{1,60})\]")


class _KnownClean:
    """Texts that were found clean, and whether they are plain; forgotten all at once when they grow too many."""

    def __init__(self) -> None:
        self.texts: dict[str, bool] = {}
        self._characters = 0
        self._searched = 0

    def is_ready(self) -> bool:
        """Whether this process has searched so many texts that it will search many more."""
        self._searched += 1
        return self._searched > _FEW

    def add(self, text: str, *, plain: bool) -> None:
        if self._characters + len(text) > _MOST_REMEMBERED:
            self.texts.clear()
            self._characters = 0
        self.texts[text] = plain
        self._characters += len(text)


_KNOWN = _KnownClean()


def clean(text: str) -> str:
    """The text with a placeholder for each secret; the same object if it holds none. Doing it again changes nothing."""
    if text in _KNOWN.texts or _AT_A_GLANCE.fullmatch(text):
        return text
    # Loaded with the first text that needs it: a command that only reads has none.
    from recollect.redaction.redactor import is_plain, redact

    once = not _KNOWN.is_ready()
    if not once and is_plain(text):
        _KNOWN.add(text, plain=True)
        return text
    found = redact(text, once=once)
    if found.redactions:
        return found.text
    if len(text) <= _LONGEST_PATH and (ending := _FILE_ENDING.search(text)):
        stem = redact(text[: ending.start()], once=once)
        if stem.redactions:
            return stem.text + ending.group()
    _KNOWN.add(text, plain=False)
    return text


def know_clean(texts: Iterable[str]) -> None:
    """Find out of many texts at once whether they are clean, so that `clean` knows it of nearly all of them."""
    from recollect.redaction.many_texts import plain_among

    for text in plain_among({each for each in texts if each not in _KNOWN.texts}):
        _KNOWN.add(text, plain=True)


def is_known_clean(text: str) -> bool:
    """Whether `clean` would give the text back; only where that was found out before, or is told at a glance."""
    return text in _KNOWN.texts or is_clean_at_a_glance(text)


def is_clean_at_a_glance(text: str) -> bool:
    """Whether a text is too short to hold a secret, or an id."""
    return _AT_A_GLANCE.fullmatch(text) is not None


def is_known_clean_beside(name: str, value: str) -> bool:
    """Whether `clean_beside` would give the value back; only where both are known to be plain."""
    from recollect.redaction.many_texts import spells_keyword

    known = _KNOWN.texts
    return known.get(name, False) and known.get(value, False) and not spells_keyword(name, value)


def checked_text(text: str, *, field: str = "text") -> str:
    """The text with its line ends made one and without secrets, or a clear error. Only white space counts as empty."""
    return clean(sound_text(text, field=field))


def checked_name(name: str | None, *, field: str) -> str | None:
    """A short text on one line, without space around it and without secrets; an empty one counts as not given."""
    sound = sound_name(name, field=field)
    return None if sound is None else clean(sound)


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags in their one spelling: lower case, a hyphen for white space, sorted, each once."""
    if isinstance(tags, str):
        tags = (tags,)
    if not isinstance(tags, Iterable):
        raise InvalidInput("`tags` must be a list.", code="invalid_field")
    spelled: set[str] = set()
    for tag in tags:
        name = checked_name(tag, field="tags")
        if name:
            spelled.add(spelled_tag(name))
    if len(spelled) > MAX_TAGS:
        raise TooLarge(f"{len(spelled)} tags were given; a note has at most {MAX_TAGS}.")
    return tuple(sorted(spelled))


def clean_beside(name: str, value: str) -> str:
    """A clean value for a name, which may tell that it is a secret: `password` and `hunter2`."""
    alone = clean(value)
    said = f"{name}={alone}"
    together = clean(said)
    if together == said:
        return alone
    return together.removeprefix(f"{name}=") if together.startswith(f"{name}=") else "[redacted:secret]"


def placeholders(value: object) -> Counter[str]:
    """How often each kind of secret was taken out of a value, by the placeholders in it."""
    return Counter(_PLACEHOLDER.findall(value if isinstance(value, str) else str(value)))


def holds_secret(text: str) -> bool:
    """Whether there is a secret in the text."""
    return clean(text) != text


# -- whole values ------------------------------------------------------------------------------------------------------


@cache
def untouched() -> dict[tuple[type, str], str]:
    """The fields that are left as they are, each with the reason. What only reads loads none of these values."""
    from recollect.domain.changes import Changes, DropSession, Idempotency, ReviseSession
    from recollect.domain.desk import Action, Slot
    from recollect.domain.jobs.job import Job, Timer
    from recollect.domain.notes import Note
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
    from recollect.domain.notes import Note

    return {Note: {"value": "attribute"}, Slot: {"text": "label"}}


_MANY = 16  # edits whose texts are searched together
_FIRST_TELLING = 1000  # whole numbers below this are no secret, whatever they are called
_WAYS: dict[type, Callable[[Any], Any]] = {}  # for each type how a value of it is searched
_GETTERS: dict[Any, Callable[[Any], tuple[Any, ...]]] = {}
_SEARCHED: dict[Any, tuple[str, ...]] = {}  # for each dataclass the fields that are looked into


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
    if issubclass(kind, _without_text()):
        return _as_it_is
    for base, way in ((str, clean), (Mapping, _mapping), (tuple, _tuple), (list | set | frozenset, _collection)):
        if issubclass(kind, base):
            return way
    if is_value(kind):
        return _record
    raise TypeError(f"a {kind.__name__} cannot be searched for secrets")


@cache
def _without_text() -> tuple[type, ...]:
    """The types of values that hold no text. A hook cleans only texts, and has no time to load a calendar."""
    from datetime import date, time, timedelta

    return (Enum, bool, int, float, bytes, memoryview, date, time, timedelta, type(None))


def _as_it_is(value: T) -> T:
    return value


def _tuple(value: Any) -> Any:
    items = [_walked(item) for item in value]
    if all(map(_is, items, value)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def _collection(value: Any) -> Any:
    items = [_walked(item) for item in value]
    return value if all(map(_is, items, value)) else type(value)(items)


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
        bare = _bare()
        for item in _fields(kind)(value):
            of = type(item)
            if of is str:
                texts.alone.add(item)
            elif item and of not in bare:
                _gather(item, texts)
        for name, beside in _beside().get(kind, {}).items():
            told, title = getattr(value, name), getattr(value, beside)
            if told and title:
                texts.beside.add((title, told))
    elif not issubclass(kind, _without_text()):
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


@cache
def _bare() -> frozenset[type]:
    """The types of most fields, in which there is no text."""
    from datetime import datetime

    from recollect.domain.notes import Kind, State
    from recollect.domain.origin import Authority, Channel

    return frozenset((type(None), bool, int, float, datetime, Kind, State, Authority, Channel))


def _fields(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Gives the values of all fields that are searched."""
    if kind not in _GETTERS:
        names = _searched(kind)
        several = attrgetter(*names) if len(names) > 1 else None
        _GETTERS[kind] = several or (lambda value: tuple(getattr(value, name) for name in names))
    return _GETTERS[kind]
