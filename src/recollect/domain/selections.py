"""Which notes a read is about, one page of a list of them, all of them page by page, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from recollect.domain.dataclass import dataclass, field
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority
from recollect.domain.scopes import Scope
from recollect.domain.values import Series, Value

if TYPE_CHECKING:
    from recollect.domain.filters.conditions import Condition
    from recollect.domain.ports import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which notes a read is about. `None` and empty mean: any.

    `valid_at` asks what was true then; `known_at` asks it of the versions we had then.
    """

    states: frozenset[State] = frozenset()
    valid_at: datetime | None = None
    known_at: datetime | None = None
    kinds: frozenset[Kind] = frozenset()
    subject: str | None = None
    attribute: str | None = None
    tag: str | None = None
    scope: Scope = Scope()
    pinned: bool | None = None
    within: str | None = None  # a project: what is of it, and what is of none
    authorities: frozenset[Authority] = frozenset()
    where: Condition | None = None  # of a filter, resolved to a moment
    kept_at: datetime | None = None  # not those that were to be erased by then


@dataclass(frozen=True, slots=True, repr=False)
class Page(Series[T]):
    """One page of a list. Hand `next_cursor` back to go on; `None` means this was the last.

    `total` is how many there are on all pages together, if that was asked for.
    """

    items: tuple[T, ...]
    next_cursor: str | None = None
    total: int | None = None


MOST_VALUES = 100  # of one field; the most common are told


class Facet(StrEnum):
    """A field that notes are counted by. A note with several tags counts for each; `day` is when it was created."""

    KIND = "kind"
    STATE = "state"
    TAG = "tag"
    SUBJECT = "subject"
    ATTRIBUTE = "attribute"
    USER = "user"
    AGENT = "agent"
    PROJECT = "project"
    SESSION = "session"
    MACHINE = "machine"
    DAY = "day"


@dataclass(frozen=True, slots=True, repr=False)
class Count(Value):
    """How many notes were found. `by` has the most common values of each field first, days in their order.

    Notes without a value stand under the empty text. `others` says how many values of a field are not told.
    """

    total: int
    by: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)


def most_common(counts: Mapping[str, int], facet: Facet) -> dict[str, int]:
    """The counts that are told, in their order: of many the most common, and of equals the first in the alphabet."""
    if facet is Facet.DAY:
        return dict(sorted(counts.items())[-MOST_VALUES:])
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_VALUES])


_PAGE = 1000  # notes


def current_notes(
    store: Store, space: str, states: Iterable[State] = (), where: Condition | None = None
) -> Iterator[Note]:
    """The current version of every note of a space, the newest id first."""
    before, selection = None, Selection(states=frozenset(states), where=where)
    while page := store.notes(space, selection, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
