"""Which notes a read is about, and one page of a list of them."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from recollect.domain.dataclass import dataclass
from recollect.domain.notes import Kind, State
from recollect.domain.origin import Authority
from recollect.domain.scopes import Scope
from recollect.domain.values import Series

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


@dataclass(frozen=True, slots=True, repr=False)
class Page(Series[T]):
    """One page of a list. Hand `next_cursor` back to go on; `None` means this was the last."""

    items: tuple[T, ...]
    next_cursor: str | None = None
