"""Keys that callers choose for their notes, so that they need not keep our ids.

A key is one of its space and of its scope: the user, the agent and the project. Parts that are not said are none, so
the key `profile` of one user is another note than that of the next, and than that of nobody.
"""

from __future__ import annotations

from collections.abc import Iterable

from recollect.domain.filters.conditions import AllOf, Comparison
from recollect.domain.notes import Note
from recollect.domain.origin import rank
from recollect.domain.scopes import BOUND_BY, Scope


def under_key(key: str, scope: Scope) -> AllOf:
    """The condition that a note has a key in that very scope."""
    parts = ((name, getattr(scope, name)) for name in BOUND_BY)
    return AllOf(
        (
            Comparison("key", "eq", key),
            *(
                Comparison(name, "exists", False) if said is None else Comparison(name, "eq", said)
                for name, said in parts
            ),
        )
    )


def holder_of(notes: Iterable[Note]) -> Note | None:
    """The note that a key means: of several, as sync can bring them, that of the highest authority, then the oldest."""
    return min(notes, key=lambda note: (-rank(note.authority), note.id), default=None)
