"""The parts of a filter, after it was read: comparisons, and how they are joined. And the fields there are.

A field of a record has no value, one, or several (tags, a list in the metadata). A comparison holds if any of the
values meets it; `ne` holds if none is equal, so a record without the field passes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from recollect.domain.dataclass import dataclass, replace

METADATA = "metadata."  # before the path of a value in the metadata


class Sort(StrEnum):
    """The sort of a field, which decides the operators it takes."""

    CHOICE = "one of a few words"
    TEXT = "a text"
    PROSE = "a long text"
    TAG = "a tag"
    NUMBER = "a number"
    TRUTH = "true or false"
    TIME = "a time"
    PERIOD = "a period of time"
    METADATA = "a text, a number, true or false"


OPERATORS: dict[Sort, tuple[str, ...]] = {
    Sort.CHOICE: ("eq", "ne", "in"),
    Sort.TEXT: ("eq", "ne", "in", "contains", "exists"),
    Sort.PROSE: ("contains",),
    Sort.TAG: ("eq", "ne", "in", "exists"),
    Sort.NUMBER: ("eq", "ne", "in", "gt", "gte", "lt", "lte"),
    Sort.TRUTH: ("eq", "ne"),
    Sort.TIME: ("since", "until", "max_age", "exists"),
    Sort.PERIOD: ("since", "until", "max_age"),
    Sort.METADATA: ("eq", "ne", "in", "gt", "gte", "lt", "lte", "contains", "exists"),
}

FIELDS: dict[str, Sort] = {
    "id": Sort.TEXT,
    "kind": Sort.CHOICE,
    "state": Sort.CHOICE,
    "authority": Sort.CHOICE,
    "subject": Sort.TEXT,
    "attribute": Sort.TEXT,
    "value": Sort.TEXT,
    "key": Sort.TEXT,
    "title": Sort.TEXT,
    "text": Sort.PROSE,
    "tag": Sort.TAG,
    "user": Sort.TEXT,
    "agent": Sort.TEXT,
    "project": Sort.TEXT,
    "session": Sort.TEXT,
    "machine": Sort.TEXT,
    "channel": Sort.CHOICE,
    "source": Sort.TEXT,
    "review": Sort.TEXT,
    "pinned": Sort.TRUTH,
    "confidence": Sort.NUMBER,
    "importance": Sort.NUMBER,
    "version": Sort.NUMBER,
    "created": Sort.TIME,
    "updated": Sort.TIME,
    "occurred": Sort.TIME,
    "expires": Sort.TIME,
    "erases": Sort.TIME,
    "valid": Sort.PERIOD,
}

# Fields that a message has as well as a note.
OF_MESSAGES = frozenset(
    "id text title user agent project session machine channel source created updated occurred".split()
)

Scalar: TypeAlias = str | int | float | bool | datetime | timedelta


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field compared with a value, or with any of some for `in`. `since` is included, `until` is not."""

    field: str
    operator: str
    value: Scalar | tuple[Scalar, ...]

    @property
    def path(self) -> str:
        """The path of the value in the metadata that is meant; empty if it is another field."""
        return self.field.removeprefix(METADATA) if self.field.startswith(METADATA) else ""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds. Without parts it always does."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Condition


Condition: TypeAlias = Comparison | AllOf | AnyOf | Not


def sort_of(field: str) -> Sort | None:
    """The sort of a field; `None` if there is none of this name."""
    return Sort.METADATA if field.startswith(METADATA) else FIELDS.get(field)


def comparisons_in(condition: Condition) -> Iterator[Comparison]:
    """Every comparison of a condition, in the order in which they are written."""
    match condition:
        case Comparison():
            yield condition
        case Not(part):
            yield from comparisons_in(part)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from comparisons_in(part)


def resolved(condition: Condition, now: datetime) -> Condition:
    """The condition with each `max_age` as the moment since when; a store has no clock of its own."""
    match condition:
        case Comparison(field, "max_age", timedelta() as age):
            return Comparison(field, "since", _before(now, age))
        case Comparison():
            return condition
        case Not(part):
            return Not(resolved(part, now))
        case AllOf(parts) | AnyOf(parts):
            return replace(condition, parts=tuple(resolved(part, now) for part in parts))


def _before(now: datetime, age: timedelta) -> datetime:
    beginning = datetime.min.replace(tzinfo=UTC)
    return now - age if now - beginning > age else beginning
