"""Several PostgreSQL databases as one store: each space in the database that a table of routes names.

What belongs to the whole store (tokens, the spend ledger, which models serve) stands in the first. What is asked about
all spaces is asked everywhere, and of each database only its own spaces count. A database is opened when one of its
spaces is first asked for; jobs of the others go on while one is away.
"""

from __future__ import annotations

import logging
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from recollect.domain.answers.upkeep import Check
from recollect.domain.dataclass import replace
from recollect.domain.errors import Unreachable
from recollect.stores.postgres.pgvector import nearest_of
from recollect.stores.sql_vectors import SqlVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from recollect.domain.meanings import Near, ServedVectors, Vector
    from recollect.domain.scopes import Scope
    from recollect.stores.database import Database, Row, Search, Transaction, Value

# Statements about all spaces whose rows begin with the name of one.
_OF_ALL = frozenset({"spaces", "spaces_with_jobs", "spaces_without_timer", "timers_due", "count_jobs"})
_NEXT = "next_due"  # yields one moment, or none
_TO_BE_COMPLETE = "spaces"  # a list of spaces with some missing would be a lie; jobs of others may wait

_log = logging.getLogger("recollect.routes")


class RoutedDatabase:
    """Implements `Database` with one database for each address. `routes` names the addresses of spaces that are not in
    the first."""

    dialect = "postgres"
    cache = None

    def __init__(self, first: Database, routes: Mapping[str, str], open_at: Callable[[str], Database]) -> None:
        self._first, self._routes, self._open_at = first, routes, open_at
        self._lock = threading.Lock()
        self._opened: dict[str, Database] = {}
        self.location = first.location

    @property
    def vector_search(self) -> str:
        return self._first.vector_search

    def of(self, space: str) -> Database:
        """The database of a space."""
        address = self._routes.get(space)
        return self._first if address is None else self._at(address)

    def _at(self, address: str) -> Database:
        with self._lock:
            found = self._opened.get(address)
            if found is None:
                found = self._opened[address] = self._open_at(address)
            return found

    def everywhere(self) -> Iterator[Callable[[], Database]]:
        """Every database, each opened when it is asked for."""
        yield lambda: self._first
        for address in dict.fromkeys(self._routes.values()):
            yield lambda address=address: self._at(address)  # type: ignore[misc]

    def served_vectors(self, model_id: str, dimension: int) -> ServedVectors | None:
        if self._first.served_vectors(model_id, dimension) is None:
            return None
        return _RoutedVectors(self, model_id, dimension)

    def reading(self, space: str | None) -> AbstractContextManager[Transaction]:
        return self._reading_all() if space is None else self.of(space).reading(space)

    @contextmanager
    def _reading_all(self) -> Iterator[Transaction]:
        with self._first.reading(None) as transaction, ExitStack() as held:
            yield _Everywhere(self, transaction, held)

    def reading_within(self, space: str, within: Scope) -> AbstractContextManager[Transaction]:
        return self.of(space).reading_within(space, within)

    def writing(self, space: str | None, *, rehearse: bool = False) -> AbstractContextManager[Transaction]:
        return (self._first if space is None else self.of(space)).writing(space, rehearse=rehearse)

    def jotting(self, space: str | None) -> AbstractContextManager[Transaction]:
        return (self._first if space is None else self.of(space)).jotting(space)

    def moving(self, space: str) -> AbstractContextManager[Transaction]:
        return self.of(space).moving(space)

    def migrating(self) -> AbstractContextManager[Transaction]:
        return self._first.migrating()

    def build(self, script: str) -> bool:
        return self._first.build(script)

    def has_table(self, transaction: Transaction, name: str) -> bool:
        return self._first.has_table(transaction, name)

    def terms(self, words: Sequence[str], space: str, *, beginnings: bool) -> str:
        return self._first.terms(words, space, beginnings=beginnings)

    def searches(
        self, transaction: Transaction, index: str, words: Sequence[str], space: str, *, beginnings: bool
    ) -> Iterator[Search]:
        return self._first.searches(transaction, index, words, space, beginnings=beginnings)

    def tagged(self, transaction: Transaction, tag: str, space: str) -> Search | None:
        return self._first.tagged(transaction, tag, space)

    def clean_residue(self) -> str | None:
        told = [opened().clean_residue() for opened in self.everywhere()]
        return next((each for each in told if each), None)

    def check(self) -> Sequence[Check]:
        found = list(self._first.check())
        for address in dict.fromkeys(self._routes.values()):
            try:
                database = self._at(address)
            except Unreachable as problem:
                found.append(Check.failed("route", problem))
                continue
            found += [replace(each, name=f"{each.name} at {database.location}") for each in database.check()]
        return found

    def rebuild(self) -> None:
        for opened in self.everywhere():
            opened().rebuild()

    def size(self) -> int | None:
        sizes = [opened().size() for opened in self.everywhere()]
        return sum(each for each in sizes if each is not None)

    def close(self) -> None:
        self._first.close()
        for database in self._opened.values():
            database.close()


class _Everywhere:
    """A view of what is of the whole store; questions about all spaces are asked in every database."""

    def __init__(self, routed: RoutedDatabase, first: Transaction, held: ExitStack) -> None:
        self._routed, self._first, self._held = routed, first, held

    def rows(self, statement: str, **values: Value) -> list[Row]:
        if statement not in _OF_ALL and statement != _NEXT:
            return self._first.rows(statement, **values)
        found: list[Row] = []
        for number, opened in enumerate(self._routed.everywhere()):
            try:
                database = opened()
                there = self._held.enter_context(database.reading(None)) if number else self._first
                rows = there.rows(statement, **values)
            except Unreachable as problem:
                if statement == _TO_BE_COMPLETE or not number:
                    raise
                _log.warning("jobs of a database are passed over: %s", problem)
                continue
            found += rows if statement == _NEXT else [row for row in rows if self._routed.of(row[0]) is database]
        if statement == _NEXT:
            return [(min((due_at for (due_at,) in found if due_at is not None), default=None),)]
        return found

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        self._first.each(statement, values)

    def query(self, sql: str, **values: Value) -> list[Row]:
        return self._first.query(sql, **values)

    def script(self, sql: str) -> None:
        self._first.script(sql)


class _RoutedVectors:
    """Implements `ServedVectors`: each space is compared by its own server, or in the process where that cannot."""

    def __init__(self, routed: RoutedDatabase, model_id: str, dimension: int) -> None:
        self._routed, self._model_id, self._dimension = routed, model_id, dimension

    def _of(self, space: str) -> ServedVectors | None:
        return self._routed.of(space).served_vectors(self._model_id, self._dimension)

    def nearest(self, space: str, question: Vector, *, limit: int, among: Collection[str] | None) -> Sequence[Near]:
        served = self._of(space)
        if served is not None:
            return served.nearest(space, question, limit=limit, among=among)
        every = SqlVectors(self._routed.of(space)).every(space, self._model_id)
        allowed = None if among is None else frozenset(among)
        return nearest_of(question, [each for each in every if allowed is None or each.record_id in allowed], limit)

    def place(self, space: str) -> None:
        if (served := self._of(space)) is not None:
            served.place(space)

    def drop_index(self, space: str) -> None:
        if (served := self._of(space)) is not None:
            served.drop_index(space)
