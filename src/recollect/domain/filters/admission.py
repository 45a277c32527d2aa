"""Whether a filter admits a record: the plain meaning of the grammar, which every database has to agree with."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, ge, gt, le, lt
from typing import Any, TypeAlias

from recollect.domain.desk import Action
from recollect.domain.filters.conditions import OF_MESSAGES, AllOf, AnyOf, Comparison, Condition, Not
from recollect.domain.notes import Leaf, Note, leaves_of, spelled
from recollect.domain.observations import Observation, Session
from recollect.domain.scopes import SCOPE_FIELDS

Filtered: TypeAlias = Note | Observation | Session | Action

_ORDER: dict[str, Callable[[Any, Any], bool]] = {"gt": gt, "gte": ge, "lt": lt, "lte": le}


def admits(condition: Condition, record: Filtered) -> bool:
    """Whether a record meets a condition that has been resolved to a moment."""
    match condition:
        case Comparison():
            return _meets(condition, record)
        case AllOf(parts):
            return all(admits(part, record) for part in parts)
        case AnyOf(parts):
            return any(admits(part, record) for part in parts)
        case Not(part):
            return not admits(part, record)


def may_admit_messages(condition: Condition) -> bool:
    """Whether there can be a message that meets a condition; many of the fields belong to notes only."""
    return True in _outcomes(condition)


def _outcomes(condition: Condition) -> set[bool]:
    """The outcomes that a condition can have for messages."""
    match condition:
        case Comparison(field, operator, value):
            if field in OF_MESSAGES or condition.path:
                return {True, False}
            return {operator == "ne" or (operator == "exists" and value is False)}
        case Not(part):
            return {not outcome for outcome in _outcomes(part)}
        case AllOf(parts) | AnyOf(parts):
            by_all = isinstance(condition, AllOf)  # the outcome that takes all parts; the other one takes any
            by_any, found = not by_all, [_outcomes(part) for part in parts]
            rest = {by_any} if any(by_any in each for each in found) else set()
            return rest | ({by_all} if all(by_all in each for each in found) else set())


def _meets(comparison: Comparison, record: Filtered) -> bool:
    if comparison.path:
        return _leaves_meet(comparison, leaves_of(record.metadata) if isinstance(record, Note | Observation) else ())
    if comparison.field == "valid":
        return isinstance(record, Note) and _overlaps(record, comparison)
    values = _values_of(record, comparison.field)
    wanted: Any = comparison.value
    match comparison.operator:
        case "eq":
            return wanted in values
        case "ne":
            return wanted not in values
        case "in":
            return any(value in wanted for value in values)
        case "contains":
            return any(wanted in value for value in values)
        case "exists":
            return bool(values) is wanted
        case "since":
            return any(value >= wanted for value in values)
        case "until":
            return any(value < wanted for value in values)
        case order:
            return any(_ORDER[order](value, wanted) for value in values)


def _leaves_meet(comparison: Comparison, leaves: tuple[Leaf, ...]) -> bool:
    path, wanted = comparison.path, comparison.value
    here = [leaf for leaf in leaves if leaf.path == path]
    match comparison.operator:
        case "eq" | "ne":
            equal = any((leaf.kind, leaf.text) == spelled(wanted)[:2] for leaf in here)  # type: ignore[arg-type]
            return equal is (comparison.operator == "eq")
        case "in":
            among = {spelled(each)[:2] for each in wanted}  # type: ignore[union-attr, arg-type]
            return any((leaf.kind, leaf.text) in among for leaf in here)
        case "contains":
            return any(leaf.kind == "text" and str(wanted) in leaf.text for leaf in here)
        case "exists":
            below = any(leaf.path.startswith(f"{path}.") for leaf in leaves)
            return (bool(here) or below) is wanted
        case order:
            compared = _ORDER[order]
            if isinstance(wanted, str):
                return any(leaf.kind == "text" and compared(leaf.text, wanted) for leaf in here)
            return any(leaf.number is not None and compared(leaf.number, float(wanted)) for leaf in here)  # type: ignore[arg-type]


def _overlaps(note: Note, comparison: Comparison) -> bool:
    """Whether a note was true at some time since a moment, or until one."""
    wanted: Any = comparison.value
    if comparison.operator == "since":
        return note.valid_until is None or bool(note.valid_until > wanted)
    return note.valid_from is None or bool(note.valid_from < wanted)


def _values_of(record: Filtered, field: str) -> tuple[Any, ...]:
    """The values that a record has of a field that is no path in the metadata; none of a field that only notes have."""
    if isinstance(record, Note):
        value = _OF_NOTES[field](record) if field in _OF_NOTES else getattr(record, field)
    else:
        fields = _OF_OTHERS[type(record)]
        value = fields[field](record) if field in fields else None
    return value if isinstance(value, tuple) else () if value is None else (value,)


_SCOPE: dict[str, Callable[[Any], Any]] = {name: attrgetter(f"scope.{name}") for name in SCOPE_FIELDS}
_OF_NOTES: dict[str, Callable[[Note], Any]] = {
    **_SCOPE,
    "kind": lambda note: note.kind.value,
    "state": lambda note: note.state.value,
    "authority": lambda note: note.authority.value,
    "tag": lambda note: note.tags,
    "channel": lambda note: note.origin.channel.value,
    "source": lambda note: note.origin.source,
    "created": lambda note: note.recorded_at,
    "updated": lambda note: note.updated_at,
    "occurred": lambda note: note.occurred_at,
    "expires": lambda note: note.expires_at,
    "erases": lambda note: note.erase_at,
}
_OF_SAID: dict[str, Callable[[Any], Any]] = {
    **_SCOPE,
    "id": lambda said: said.id,
    "text": lambda said: said.text,
    "title": lambda said: said.title,
    "session": lambda said: said.session_id,
    "channel": lambda said: said.origin.channel.value,
    "source": lambda said: said.origin.source,
    "created": lambda said: said.recorded_at,
    "updated": lambda said: said.recorded_at,
    "occurred": lambda said: said.observed_at,
}
_OF_OTHERS: dict[type, dict[str, Callable[[Any], Any]]] = {
    Observation: _OF_SAID,
    Session: {
        **{name: read for name, read in _SCOPE.items() if name != "session"},
        "id": lambda session: session.id,
        "session": lambda session: session.id,
        "title": lambda session: session.title,
        "channel": lambda session: session.origin.channel.value,
        "source": lambda session: session.origin.source,
        "created": lambda session: session.started_at,
        "updated": lambda session: session.ended_at or session.started_at,
        "occurred": lambda session: session.started_at,
    },
    Action: {
        "id": lambda action: action.id,
        "text": lambda action: action.text,
        "project": lambda action: action.project,
        "authority": lambda action: action.authority.value,
        "channel": lambda action: action.origin.channel.value,
        "source": lambda action: action.origin.source,
        "version": lambda action: action.version,
        "created": lambda action: action.created_at,
        "updated": lambda action: action.updated_at,
    },
}
