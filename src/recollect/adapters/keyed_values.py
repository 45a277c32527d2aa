"""Values under a namespace and a key, each a note: what a store of LangGraph keeps, without LangGraph.

The value stands in the metadata as it is, its words are the text by which the note is found, and the key of the note is
a digest, since the keys of others may be long, secret or on several lines.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from recollect.dialects.pages import every
from recollect.dialects.tool import Doer
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Erased, InvalidInput, NotFound
from recollect.domain.notes import Note

Namespace: TypeAlias = tuple[str, ...]

_OWN = "stored"  # the key of the metadata
_UNDER = f"metadata.{_OWN}.under"  # every namespace that it lies in, so that a prefix is one comparison
_MOST_HITS = 1000
_LONGEST_TITLE = 160  # characters
_WORDLESS = "(a value without words)"


@dataclass(frozen=True, slots=True)
class KeyedValue:
    """A value where it lies. `score` is how well it answers a query, if there was one."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    score: float | None = None


class KeyedValues:
    """The values of a space."""

    def __init__(self, doer: Doer) -> None:
        self._doer = doer

    def get(self, namespace: Namespace, key: str, *, refresh: bool = True) -> KeyedValue | None:
        """One value; `None` if there is none. One with an end lives as long again when it is read, if `refresh`."""
        note = self._note(namespace, key)
        if note is None:
            return None
        minutes = note.metadata[_OWN].get("ttl")
        if refresh and minutes:
            self._doer.do("update", {"note_id": note.id, "ttl": spelled_minutes(minutes)})
        return _value_of(note)

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        *,
        index: bool | Sequence[str] | None = None,
        minutes: float | None = None,
    ) -> None:
        """Keep a value in place of the one before. `index` names the fields by which it is found; `False` is none."""
        _require_json(value)
        at = ".".join(namespace)
        own = {
            "namespace": list(namespace),
            "under": [".".join(namespace[:depth]) for depth in range(1, len(namespace) + 1)],
            "key": key,
            "value": dict(value),
            **({"ttl": minutes} if minutes else {}),
        }
        fields = {
            "text": words_in(value, index) or _WORDLESS,
            "title": " ".join(f"{at} {key}".split())[:_LONGEST_TITLE],
            "metadata": {_OWN: own},
            "ttl": spelled_minutes(minutes) if minutes else None,
        }
        known = self._note(namespace, key)
        if known is None:
            self._doer.do("save", {**fields, "key": _digest(namespace, key)})
        elif known.metadata.get(_OWN) != own or minutes:
            clear = ["ttl"] if known.erase_at is not None and not minutes else None
            self._doer.do("update", {**fields, "note_id": known.id, "clear": clear})

    def delete(self, namespace: Namespace, key: str) -> None:
        """Erase a value; one that is not there is no error."""
        note = self._note(namespace, key)
        if note is not None:
            self._doer.do("forget", {"note_id": note.id})

    def search(
        self,
        prefix: Namespace,
        *,
        query: str | None = None,
        matching: Mapping[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> list[KeyedValue]:
        """Values below a namespace: those that answer a query, best first; without one all, newest first."""
        found = self._answering(query, prefix) if query and query.strip() else map(_value_of, self._below(prefix))
        admitted = (each for each in found if matches(each.value, matching or {}))
        return [each for place, each in zip(range(offset + limit), admitted, strict=False) if place >= offset]

    def namespaces(self) -> list[Namespace]:
        """Every namespace with a value in it, in order."""
        return sorted({_value_of(note).namespace for note in self._below(())})

    def _note(self, namespace: Namespace, key: str) -> Note | None:
        try:
            note: Note = self._doer.do("get", {"note_id": f"key:{_digest(namespace, key)}"})
        except (NotFound, Erased):
            return None
        return note

    def _below(self, prefix: Namespace) -> Iterator[Note]:
        return every(self._doer, "list", {"where": _where(prefix)})

    def _answering(self, query: str, prefix: Namespace) -> Iterator[KeyedValue]:
        found = self._doer.do("search", {"query": query, "where": _where(prefix), "limit": _MOST_HITS})
        for hit in found.hits:
            if hit.note is not None:
                yield _value_of(hit.note, hit.score)


def matches(value: Any, wanted: Any) -> bool:
    """Whether a value meets a filter: operators (`$eq`, `$ne`, `$gt` …), objects by their parts, lists whole."""
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if any(str(name).startswith("$") for name in wanted):
        return all(_compared(value, operator, operand) for operator, operand in wanted.items())
    return isinstance(value, Mapping) and all(matches(value.get(name), part) for name, part in wanted.items())


def words_in(value: Any, index: bool | Sequence[str] | None = None) -> str:
    """The words of a value, one line for each text in it; with `index` of those fields alone (`a.b`, `a[*].b`)."""
    if index is False:
        return ""
    paths = ["$"] if index is None or index is True else list(index)
    return "\n".join(dict.fromkeys(text for path in paths for text in _texts(_at(value, path))))


def spelled_minutes(minutes: float) -> str:
    """A time to live in minutes as ours are written."""
    seconds = max(1, math.ceil(minutes * 60))
    for unit, length in (("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)):
        if seconds // length < 1_000_000:
            return f"{math.ceil(seconds / length)}{unit}"
    raise InvalidInput(f"{minutes} minutes are too long a time to live.", code="invalid_time")


def _value_of(note: Note, score: float | None = None) -> KeyedValue:
    own = note.metadata[_OWN]
    return KeyedValue(tuple(own["namespace"]), own["key"], dict(own["value"]), note.recorded_at, note.updated_at, score)


def _where(prefix: Namespace) -> dict[str, Any]:
    return {_UNDER: ".".join(prefix) if prefix else {"exists": True}}


def _digest(namespace: Namespace, key: str) -> str:
    spelled = json.dumps([list(namespace), key]).encode()
    return f"stored:{hashlib.sha256(spelled).hexdigest()[:40]}"


def _require_json(value: Mapping[str, Any]) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise InvalidInput(f"The value is not JSON: {problem}.", code="invalid_metadata") from None


def _compared(value: Any, operator: str, operand: Any) -> bool:
    match operator:
        case "$eq":
            return bool(value == operand)
        case "$ne":
            return bool(value != operand)
        case "$gt" | "$gte" | "$lt" | "$lte":
            try:
                one, other = float(value), float(operand)
            except (TypeError, ValueError):
                return False
            return {"$gt": one > other, "$gte": one >= other, "$lt": one < other, "$lte": one <= other}[operator]
        case _:
            raise InvalidInput(
                f"`{operator[:60]}` is no comparison.",
                code="unknown_filter_operator",
                hint="There are: $eq, $ne, $gt, $gte, $lt, $lte.",
            )


def _at(value: Any, path: str) -> list[Any]:
    """The parts of a value at a path: `$` is the whole, `[*]` each member of a list, `[0]` one."""
    found = [value]
    for step in [] if path == "$" else path.replace("[", ".[").split("."):
        found = [part for each in found for part in _stepped(each, step)]
    return found


def _stepped(value: Any, step: str) -> Iterable[Any]:
    if step.startswith("["):
        members = value if isinstance(value, list) else []
        place = step.strip("[]")
        if place == "*":
            return members
        return members[int(place) :][:1] if place.isdecimal() else []
    return [value[step]] if isinstance(value, Mapping) and step in value else []


def _texts(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            if part.strip():
                yield part
        elif isinstance(part, Mapping):
            yield from _texts(part.values())
        elif isinstance(part, list | tuple):
            yield from _texts(part)
        elif part is not None:
            yield str(part)
