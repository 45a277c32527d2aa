"""The grammar of filters: a plain object is read into conditions, or refused with the place where it goes wrong.

    filter     = { field: test, …, "and": [filter, …], "or": [filter, …], "not": filter }    all of it has to hold
    test       = value  |  [value, …]  |  { operator: value, … }                             eq, in, or as it says
    field      = one of `FIELDS`, or `metadata.` and the path of a value

Depth and size are bounded, so that no filter costs more to read than it took to send.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any

from recollect.domain.clock import WRITTEN_AS, checked_id, duration_in, parse_time
from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.filters.conditions import (
    FIELDS,
    METADATA,
    OPERATORS,
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Not,
    Scalar,
    Sort,
    sort_of,
)
from recollect.domain.notes import MAX_PATH, OF_THE_ENGINE, Kind, State, storable
from recollect.domain.origin import Authority, Channel
from recollect.domain.suggestions import meant_by
from recollect.domain.text import sound_name, sound_text, spelled_tag, without_control_characters

MAX_DEPTH = 8  # filters inside filters
MAX_COMPARISONS = 64
MAX_VALUES = 512  # in all lists together
MAX_CHARACTERS = 1000  # of one value

_ORDER = ("gt", "gte", "lt", "lte")
_JOINING = ("and", "or", "not")
_CHOICES: dict[str, type[StrEnum]] = {"kind": Kind, "state": State, "authority": Authority, "channel": Channel}
_MOST_DIGITS = 10**300  # a larger number is none that anybody compares with

# Operators of other systems, and ours for the same.
_ELSEWHERE = {
    "=": "eq", "==": "eq", "is": "eq", "equals": "eq", "!=": "ne", "<>": "ne", "neq": "ne", "nin": "ne", "any": "in",
    ">": "gt", ">=": "gte", "ge": "gte", "<": "lt", "<=": "lte", "le": "lte", "like": "contains",
    "icontains": "contains", "after": "since", "from": "since", "start": "since", "before": "until", "to": "until",
    "end": "until", "age": "max_age",
}  # fmt: skip
_OF_TIMES = {"gt": "since", "gte": "since", "lt": "until", "lte": "until"}


def parsed(plain: Mapping[str, Any], *, place: str = "where") -> AllOf:
    """The conditions of a filter; `InvalidInput` with the place of the first thing that is wrong."""
    return _Reader().filter(plain, place, depth=1)


@dataclass(slots=True)
class _Reader:
    """Reads one filter and counts what it has read."""

    comparisons: int = 0
    values: int = 0

    def filter(self, plain: Any, place: str, depth: int) -> AllOf:
        if depth > MAX_DEPTH:
            raise _too_large(place, f"is nested deeper than {MAX_DEPTH} levels")
        if not isinstance(plain, Mapping):
            raise _refused(place, "is not a filter", 'Write an object, as in {"kind": "lesson"}.')
        parts: list[Condition] = []
        for name, told in plain.items():
            if name in _JOINING:
                found = self._joined(name, told, f"{place}.{name}", depth)
                parts.extend(found.parts if isinstance(found, AllOf) else (found,))
            else:
                parts.extend(self._field(_known_field(name, place), told, f"{place}.{name}"))
        return AllOf(tuple(parts))

    def _joined(self, name: str, told: Any, place: str, depth: int) -> Condition:
        if name == "not":
            return Not(self.filter(told, place, depth + 1))
        if not isinstance(told, list | tuple) or not told:
            raise _refused(place, "is not a list of filters", f'Write it as {{"{name}": [{{…}}, {{…}}]}}.')
        if len(told) > MAX_COMPARISONS:
            raise _too_large(place, f"has {len(told):,} filters; at most {MAX_COMPARISONS} are read")
        parts = [self.filter(each, f"{place}[{number}]", depth + 1) for number, each in enumerate(told)]
        return AllOf(tuple(one for part in parts for one in part.parts)) if name == "and" else AnyOf(tuple(parts))

    def _field(self, field: str, told: Any, place: str) -> list[Comparison]:
        if isinstance(told, Mapping):
            tests = dict(told)
            if not tests:
                raise _refused(place, "has no operator", _operators(field))
        else:
            tests = {"in" if isinstance(told, list | tuple) else "eq": told}
        sort = sort_of(field) or Sort.TEXT
        found = []
        for operator, value in tests.items():
            self.comparisons += 1
            if self.comparisons > MAX_COMPARISONS:
                raise _too_large(place, f"is one comparison too many; at most {MAX_COMPARISONS} are read")
            if operator not in OPERATORS[sort]:
                raise _unknown_operator(field, operator, place)
            found.append(Comparison(field, operator, self._value(field, sort, operator, value, f"{place}.{operator}")))
        return found

    def _value(self, field: str, sort: Sort, operator: str, value: Any, place: str) -> Scalar | tuple[Scalar, ...]:
        if operator == "exists":
            return _truth(field, value, place)
        if operator != "in":
            return _scalar(field, sort, operator, value, place)
        if not isinstance(value, list | tuple) or not value:
            raise _refused(place, "is not a list of values", 'Write it as {"in": ["a", "b"]}.')
        self.values += len(value)
        if self.values > MAX_VALUES:
            raise _too_large(place, f"is a list too long; at most {MAX_VALUES} values are read in all")
        return tuple(_scalar(field, sort, operator, each, f"{place}[{number}]") for number, each in enumerate(value))


def _scalar(field: str, sort: Sort, operator: str, value: Any, place: str) -> Scalar:
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        raise _too_large(place, f"has {len(value):,} characters; at most {MAX_CHARACTERS:,} are compared")
    if value is None:
        raise _refused(place, "is null", 'A field that has no value is found by {"exists": false}.')
    if operator == "max_age":
        return _age(field, value, place)
    if operator in _ORDER and isinstance(value, bool):
        raise _refused(place, "is true or false, which has no order", _operators(field))
    if operator == "contains":
        return without_control_characters(sound_text(_text(field, value, place), field=place))
    return _VALUES[sort](field, value, place)


def _choice(field: str, value: Any, place: str) -> str:
    words = [each.value for each in _CHOICES[field]]
    if value not in words:
        meant = meant_by(str(value), words)
        hint = f"Did you mean `{meant[0]}`? " if meant else ""
        raise _refused(place, f"is {_shown(value)}", f"{hint}It can be: {', '.join(words)}.")
    return str(value)


def _text(field: str, value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise _refused(place, f"is {_shown(value)}, which is no text", _operators(field))
    return value


def _name(field: str, value: Any, place: str) -> str:
    if field == "id":
        return checked_id(_text(field, value, place))
    name = sound_name(_text(field, value, place), field=place)
    if name is None:
        raise _refused(place, "is empty", 'A field that has no value is found by {"exists": false}.')
    return name


def _tag(field: str, value: Any, place: str) -> str:
    return spelled_tag(_name(field, value, place))


def _number(field: str, value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refused(place, f"is {_shown(value)}, which is no number", _operators(field))
    if (isinstance(value, float) and not math.isfinite(value)) or abs(value) > _MOST_DIGITS:
        raise _refused(place, "is a number without a usual size", "Give a finite number.")
    return value


def _truth(field: str, value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise _refused(place, f"is {_shown(value)}; it must be true or false", _operators(field))
    return value


def _age(field: str, value: Any, place: str) -> timedelta:
    if isinstance(value, timedelta) and value >= timedelta(0):
        return value
    found = duration_in(value)
    if found is None:
        raise _refused(place, f"is {_shown(value)}, which is no age of `{field}`", WRITTEN_AS)
    return found


def _of_metadata(field: str, value: Any, place: str) -> str | float | bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return without_control_characters(value)
    if isinstance(value, int | float):
        return _number(field, value, place)
    raise _refused(place, f"is {_shown(value)}", "Compare with a text, a number, true or false.")


_VALUES: dict[Sort, Callable[[str, Any, str], Scalar]] = {
    Sort.CHOICE: _choice,
    Sort.TEXT: _name,
    Sort.PROSE: _text,
    Sort.TAG: _tag,
    Sort.NUMBER: _number,
    Sort.TRUTH: _truth,
    Sort.TIME: lambda _, value, place: parse_time(value, field=place),
    Sort.PERIOD: lambda _, value, place: parse_time(value, field=place),
    Sort.METADATA: _of_metadata,
}


# -- refusals ----------------------------------------------------------------------------------------------------------


def _known_field(name: Any, place: str) -> str:
    """A field of this name, or of this path in the metadata."""
    if isinstance(name, str) and name.startswith(METADATA):
        path = storable(name.removeprefix(METADATA))
        if not path or len(path) > MAX_PATH:
            raise _too_large(place, f"has a path without 1 to {MAX_PATH} characters")
        if path.partition(".")[0] in OF_THE_ENGINE:
            told = f"has no field `{_short(name)}` to compare: Recollect keeps it for itself"
            raise _refused(place, told, "Compare what you wrote into the metadata.", code="unknown_filter_field")
        return f"{METADATA}{path}"
    if name in FIELDS:
        return str(name)
    meant = meant_by(str(name), [*FIELDS, *_JOINING])
    guess = f"`{meant[0]}`" if meant else f"`{METADATA}{_short(name)}`, a value of the metadata"
    told = f"has no field `{_short(name)}`: did you mean {guess}?"
    raise _refused(place, told, f"There are: {', '.join((*FIELDS, *_JOINING))}.", code="unknown_filter_field")


def _unknown_operator(field: str, operator: Any, place: str) -> InvalidInput:
    known = OPERATORS[sort_of(field) or Sort.TEXT]
    bare = str(operator).lstrip("$").lower()
    bare = _ELSEWHERE.get(bare, bare)
    bare = _OF_TIMES.get(bare, bare) if "since" in known else bare
    meant = (bare,) if bare in known else meant_by(bare, known)
    question = f": did you mean `{meant[0]}`?" if meant else "."
    told = f"has no operator `{_short(operator)}`{question}"
    return _refused(place, told, _operators(field), code="unknown_filter_operator")


def _operators(field: str) -> str:
    sort = sort_of(field) or Sort.TEXT
    return f"`{field}` is {sort.value}, and takes: {', '.join(OPERATORS[sort])}."


def _refused(place: str, told: str, hint: str, *, code: str = "invalid_filter") -> InvalidInput:
    return InvalidInput(f"`{place}` {told}" + ("" if told[-1] in ".?" else "."), code=code, hint=hint)


def _too_large(place: str, told: str) -> TooLarge:
    hint = "Ask for less at once, or for several parts one after the other."
    return TooLarge(f"`{place}` {told}.", code="filter_too_large", hint=hint)


def _shown(value: Any) -> str:
    return f"`{_short(value)}`" if isinstance(value, str | int | float | bool) else f"a {type(value).__name__}"


def _short(value: Any) -> str:
    text = str(value) if not isinstance(value, int) or abs(value) < _MOST_DIGITS else "a number"
    return text if len(text) <= 60 else f"{text[:57]}…"
