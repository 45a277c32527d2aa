"""Every note of a space, read from the store page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from recollect.domain.notes import Note, State
from recollect.domain.ports import Store
from recollect.domain.selections import Selection

if TYPE_CHECKING:
    from recollect.domain.filters.conditions import Condition

_PAGE = 1000  # notes


def current_notes(
    store: Store, space: str, states: Iterable[State] = (), where: Condition | None = None
) -> Iterator[Note]:
    """The current version of every note of a space, the newest id first."""
    before, selection = None, Selection(states=frozenset(states), where=where)
    while page := store.notes(space, selection, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
