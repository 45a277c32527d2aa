"""What the store needs from a database: named statements inside a transaction, and a few words of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from recollect.domain.recollections import Check

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | float | bytes | None


class Transaction(Protocol):
    """An open transaction. Statements are named, see `statements/`; parameters are always bound, never pasted."""

    def rows(self, statement: str, **values: Value) -> list[Row]:
        """Run a statement and return what it yields."""
        ...

    def query(self, sql: str, **values: Value) -> list[Row]:
        """Run a statement the store put together from named ones."""
        ...

    def script(self, sql: str) -> None:
        """Run the text of a migration: several statements, no parameters."""
        ...


class Database(Protocol):
    """A database that is open."""

    @property
    def dialect(self) -> str: ...

    @property
    def location(self) -> str: ...

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        """A consistent view of one space; `None` sees the list of spaces and nothing in them."""
        ...

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        """A transaction that holds the right to write from its first moment; a rehearsal is always rolled back."""
        ...

    def migrating(self) -> AbstractContextManager[Transaction]:
        """A writing transaction that one process at a time can have."""
        ...

    def has_table(self, transaction: Transaction, name: str) -> bool: ...

    def search_terms(self, words: Sequence[str], space: str, *, beginnings: bool = False) -> str:
        """Words, or `beginnings` of words, in the database's own query language: quoted, so that none is grammar."""
        ...

    def clean_residue(self) -> str | None: ...

    def check(self) -> Sequence[Check]: ...

    def rebuild(self) -> None: ...

    def size(self) -> int | None: ...

    def close(self) -> None: ...
