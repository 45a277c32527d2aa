"""The interface of a database for the store: named statements inside a transaction, and a few words of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from recollect.domain.scopes import moved_away

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.domain.meanings import Cache, ServedVectors
    from recollect.domain.scopes import Scope

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | float | bytes | None
# One way to look for words: what the statements that look for them bind, which each database has of its own.
Search: TypeAlias = dict[str, Value]


class Transaction(Protocol):
    """An open transaction. Statements are named, see `statements/`; parameters are always bound, never pasted."""

    def rows(self, statement: str, **values: Value) -> list[Row]:
        """Run a statement and return what it yields."""
        ...

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        """Run a statement that yields nothing once with each of the values, prepared once for all of them."""
        ...

    def query(self, sql: str, **values: Value) -> list[Row]:
        """Run a statement the store put together from named ones."""
        ...

    def script(self, sql: str) -> None:
        """Run the text of a migration: several statements, no parameters."""
        ...


def require_served(transaction: Transaction, space: str) -> None:
    """Refuse to write into a space that another store serves. The transaction holds the right to write."""
    if any(address is not None for (address,) in transaction.rows("serving_store", space=space)):
        raise moved_away(space)


class Database(Protocol):
    """A database that is open."""

    @property
    def dialect(self) -> str: ...

    @property
    def location(self) -> str: ...

    @property
    def cache(self) -> Cache | None:
        """Where files that can be made anew may be kept."""
        ...

    @property
    def vector_search(self) -> str:
        """Where vectors are compared, in words; empty if nobody would ask."""
        ...

    def served_vectors(self, model_id: str, dimension: int) -> ServedVectors | None:
        """The vectors of a model, compared by the database; `None` if it cannot."""
        ...

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        """A consistent view of one space; `None` sees the list of spaces and nothing in them, and the access tokens.

        Within another one of the same space, by the same thread, it is the same view. Raises `Busy` once the deadline
        of the thread has passed.
        """
        ...

    def reading_within(self, space: str, within: Scope) -> AbstractContextManager[Transaction]:
        """A consistent view of the part of a space that a scope includes, under the names of the tables; see `bound/`.

        Within another one of the same part, by the same thread, it is the same view.
        """
        ...

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        """A transaction that holds the right to write from its first moment; a rehearsal is always rolled back.

        Raises `Conflict` with the code `space_moved` for a space that another store serves.
        """
        ...

    def jotting(self, space: str | None) -> AbstractContextManager[Transaction]:
        """A transaction for what is no memory: it never waits for another writer, and need not survive a power cut.

        Raises `Busy` at once when somebody else is writing; only another jot of the same process is waited for.
        """
        ...

    def moving(self, space: str) -> AbstractContextManager[Transaction]:
        """A writing transaction that holds a space alone, whichever store serves it: nobody else writes in it."""
        ...

    def migrating(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that one process at a time can have."""
        ...

    def build(self, script: str) -> bool:
        """Run a statement that others need not wait for, outside of any transaction; false if another process does so
        just now, or this one may not."""
        ...

    def has_table(self, transaction: Transaction, name: str) -> bool: ...

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        """Any of the words in texts of a space, in the database's own query language."""
        ...

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        """Ways to look for any of the words, or for words with such `beginnings`, in a text index.

        The quick ones come first, and the last one leaves nothing out.
        """
        ...

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        """The parameters of the condition `tagged`, which the notes with a tag meet, and few others; `None` where it is
        of no use, because so many have the tag or the text index cannot tell.
        """
        ...

    def clean_residue(self) -> str | None: ...

    def check(self) -> Sequence[Check]: ...

    def rebuild(self) -> None: ...

    def size(self) -> int | None: ...

    def close(self) -> None: ...
