"""A database as a bound reader sees it. Writing is as ever: what is written is compared where it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from recollect.domain.errors import NotAllowed

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.domain.meanings import Cache
    from recollect.domain.scopes import Scope
    from recollect.stores.database import Database, Search, Transaction


class BoundDatabase:
    """Another database, of which a part of each space is seen."""

    def __init__(self, database: Database, within: Scope) -> None:
        self._database, self.within = database, within
        self.dialect, self.location = database.dialect, database.location

    @property
    def cache(self) -> Cache | None:
        return None

    @property
    def vector_search(self) -> str:
        return self._database.vector_search

    def served_vectors(self, _model_id: str, _dimension: int) -> None:
        """None: the index of the whole space is asked, about what the part holds."""

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.reading_within(space, self.within)

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.writing(space, rehearse=rehearse)

    def jotting(self, space: str | None) -> AbstractContextManager[Transaction]:
        if space is None:
            raise _beyond()
        return self._database.jotting(space)

    def reading_within(self, _space: str, _within: Scope) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def moving(self, _space: str) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def migrating(self) -> AbstractContextManager[Transaction]:
        raise _beyond()

    def build(self, _script: str) -> bool:
        raise _beyond()

    def has_table(self, transaction: Transaction, name: str) -> bool:
        return self._database.has_table(transaction, name)

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        return self._database.terms(words, space, beginnings=beginnings)

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        return self._database.searches(transaction, index, words, space, beginnings=beginnings)

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        return self._database.tagged(transaction, tag, space)

    def clean_residue(self) -> str | None:
        return self._database.clean_residue()

    def check(self) -> Sequence[Check]:
        raise _beyond()

    def rebuild(self) -> None:
        raise _beyond()

    def size(self) -> int | None:
        return None

    def close(self) -> None:
        """The database belongs to whoever opened it."""


def _beyond() -> NotAllowed:
    return NotAllowed(
        "This is about more than the part of a space that you are bound to.",
        code="scope_bound",
        hint="Use another token.",
    )
