"""A transaction on one connection: named statements with their values, and one that somebody else holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import apsw

from recollect.domain.errors import RecollectError
from recollect.domain.late import Late
from recollect.stores.damaged_rows import damaged_record
from recollect.stores.database import Row, Transaction, Value

_TABLE = Late(r"(?:FROM|UPDATE|INTO)\s+(\w+)")  # the first table that a statement names


class HeldTransaction:
    """The view that a thread has open, entered once more. No generator: a search enters it twenty times."""

    def __init__(self, transaction: Transaction, ours: Callable[[apsw.Error], RecollectError]) -> None:
        self._transaction, self._ours = transaction, ours

    def __enter__(self) -> Transaction:
        return self._transaction

    def __exit__(self, _kind: object, problem: BaseException | None, _trace: object) -> None:
        if isinstance(problem, apsw.Error):
            raise self._ours(problem) from problem


class SqliteTransaction:
    """Statements on one connection, between its beginning and its end."""

    def __init__(self, connection: apsw.Connection, named: Mapping[str, str]) -> None:
        self._connection = connection
        self._named = named

    def rows(self, statement: str, **values: Value) -> list[Row]:
        return self.query(self._named[statement], **values)

    def each(self, statement: str, values: Sequence[Mapping[str, Value]]) -> None:
        self._connection.executemany(self._named[statement], values)

    def query(self, sql: str, **values: Value) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeDecodeError as problem:
            table = _TABLE.search(sql)
            raise damaged_record(table[1] if table else "", "", "a text in it is not UTF-8") from problem

    def script(self, sql: str) -> None:
        self._connection.execute(sql)
