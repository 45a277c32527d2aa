"""The rows of one space in any database: every table that has a column `space`, read and written by key.

Tables and their keys are looked up in the database itself, so a table that a later version adds goes along without
anybody naming it here. Each database pages in its own order of texts; the two orders are never compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.stores.database import Database, Row, Transaction, Value

PAGE = 200  # rows that are looked at together
_LARGE = 2  # likewise of files, which have megabytes each

# Tables of the store and not of a space, though they name one: who may come in, and what was paid from here.
_OF_THE_STORE = frozenset({"access_token", "sign_in", "sign_in_link", "spend"})
# Columns that each database fills by itself.
_OWN_COLUMNS = {"note_text": {"doc"}, "observation_text": {"doc"}, "embedding": {"place"}}
# Columns that never change under their key, and are large: equal keys are believed.
_SETTLED = {"attachment": {"content"}, "embedding": {"vector"}}

_TABLES = {
    "sqlite": """SELECT kept.name, info.name FROM sqlite_master AS kept, pragma_table_info(kept.name) AS info
WHERE kept.type = 'table' AND kept.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY kept.name, info.cid""",
    "postgres": """SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'recollect' AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position""",
}
# The unique indexes whose first column is the space, primary keys first, column by column.
_KEYS = {
    "sqlite": """SELECT part.name FROM pragma_index_list(:table_name) AS list, pragma_index_info(list.name) AS part
WHERE list."unique" AND NOT list.partial ORDER BY list.origin <> 'pk', list.seq DESC, part.seqno""",
    "postgres": """SELECT attribute.attname FROM pg_index AS list,
unnest(list.indkey) WITH ORDINALITY AS part (attnum, place)
JOIN pg_attribute AS attribute ON attribute.attnum = part.attnum
WHERE list.indrelid = to_regclass('recollect.' || :table_name) AND attribute.attrelid = list.indrelid
AND list.indisprimary ORDER BY part.place""",
}


@dataclass(frozen=True, slots=True)
class SpaceTable:
    """One table with rows of spaces: its columns, the key of a row within a space, and the columns that tell two
    versions of a row apart."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def compared(self) -> tuple[str, ...]:
        """The key first, then whatever may change under it."""
        settled = _SETTLED.get(self.name, set())
        return (*self.key, *(each for each in self.columns if each not in self.key and each not in settled))

    @property
    def page(self) -> int:
        return _LARGE if self.name == "attachment" else PAGE


def space_tables(database: Database) -> list[SpaceTable]:
    """The tables of a database that hold rows of spaces, by name."""
    columns: dict[str, list[str]] = {}
    with database.reading(None) as transaction:
        for table, column in transaction.query(_TABLES[database.dialect]):
            columns.setdefault(table, []).append(column)
        return [
            SpaceTable(
                name,
                tuple(each for each in found if each not in _OWN_COLUMNS.get(name, ())),
                _key(transaction, database.dialect, name),
            )
            for name, found in sorted(columns.items())
            if "space" in found and name not in _OF_THE_STORE
        ]


def _key(transaction: Transaction, dialect: str, table: str) -> tuple[str, ...]:
    """The columns that tell the rows of one space apart; none if it has one row."""
    found = [name for (name,) in transaction.query(_KEYS[dialect], table_name=table)]
    ends = [place for place, name in enumerate(found) if name == "space"][1:]
    return tuple(name for name in found[: ends[0] if ends else None] if name != "space")


def common_tables(source: Database, target: Database) -> list[SpaceTable]:
    """The tables of both; they are of one schema, and each leaves out what only it has."""
    there = {table.name: set(table.columns) for table in space_tables(target)}
    return [
        SpaceTable(table.name, tuple(each for each in table.columns if each in there[table.name]), table.key)
        for table in space_tables(source)
        if table.name in there
    ]


class SpaceRows:
    """The rows of a space in one table, within a transaction that was opened for that space."""

    def __init__(self, transaction: Transaction, table: SpaceTable, space: str) -> None:
        self._transaction, self._table, self._space = transaction, table, space

    def count(self) -> int:
        [(many,)] = self._query(f"SELECT COUNT(*) FROM {self._table.name} WHERE space = :space")  # noqa: S608 - our tables
        return int(many)

    def page(self, after: Sequence[Value] | None) -> list[Row]:
        """The next rows behind a key, in this database's own order; only the columns that are compared."""
        table = self._table
        where = ""
        values: dict[str, Value] = {}
        if after is not None:
            if not table.key:
                return []
            where = f" AND ({', '.join(table.key)}) > ({_marks('after', len(table.key))})"
            values = {f"after{place}": value for place, value in enumerate(after)}
        order = f" ORDER BY {', '.join(table.key)}" if table.key else ""
        sql = f"SELECT {', '.join(table.compared)} FROM {table.name} WHERE space = :space{where}{order} LIMIT :limit"  # noqa: S608
        return self._query(sql, limit=table.page, **values)

    def compared(self, keys: Sequence[Row]) -> dict[Row, Row]:
        """Those of some rows that are here, by key; only the columns that are compared."""
        return {row[: len(self._table.key)]: row for row in self._among(self._table.compared, keys)}

    def whole(self, keys: Sequence[Row]) -> list[Row]:
        """Those of some rows that are here, with all their columns."""
        return self._among(self._table.columns, keys)

    def of_records(self, column: str, ids: Sequence[str]) -> list[Row]:
        """The keys of all rows of some records."""
        table = self._table
        marks: dict[str, Value] = {f"id{place}": value for place, value in enumerate(ids)}
        named = ", ".join(f":{each}" for each in marks)
        key = ", ".join(table.key)
        sql = f"SELECT {key} FROM {table.name} WHERE space = :space AND {column} IN ({named}) ORDER BY {key}"  # noqa: S608
        return self._query(sql, **marks)

    def last(self) -> int:
        """The newest number of a table that only grows; 0 if it is empty."""
        [(seq,)] = self._query(f"SELECT COALESCE(MAX(seq), 0) FROM {self._table.name} WHERE space = :space")  # noqa: S608
        return int(seq)

    def drop(self, keys: Sequence[Row]) -> None:
        if keys:
            where, values = self._keyed(keys)
            self._query(f"DELETE FROM {self._table.name} WHERE space = :space{where}", **values)  # noqa: S608

    def erase(self) -> None:
        """Take all of them away, page by page: a server limits how long one statement may take."""
        width, page = len(self._table.key), self.page(None)
        while page:
            self.drop([row[:width] for row in page])
            page = self.page(page[-1][:width])

    def add(self, rows: Sequence[Row]) -> None:
        if not rows:
            return
        width = len(self._table.columns)
        values = {f"v{place}_{at}": value for place, row in enumerate(rows) for at, value in enumerate(row)}
        marks = ", ".join(f"({_marks(f'v{place}_', width)})" for place in range(len(rows)))
        sql = f"INSERT INTO {self._table.name} ({', '.join(self._table.columns)}) VALUES {marks}"  # noqa: S608
        self._transaction.query(sql, **values)

    def _among(self, columns: Sequence[str], keys: Sequence[Row]) -> list[Row]:
        if not keys:
            return []
        where, values = self._keyed(keys)
        sql = f"SELECT {', '.join(columns)} FROM {self._table.name} WHERE space = :space{where}"  # noqa: S608
        return self._query(sql, **values)

    def _keyed(self, keys: Sequence[Row]) -> tuple[str, dict[str, Value]]:
        key = self._table.key
        if not key:
            return "", {}
        marks = ", ".join(f"({_marks(f'k{place}_', len(key))})" for place in range(len(keys)))
        values = {f"k{place}_{at}": value for place, each in enumerate(keys) for at, value in enumerate(each)}
        return f" AND ({', '.join(key)}) IN (VALUES {marks})", values

    def _query(self, sql: str, **values: Value) -> list[Row]:
        return [tuple(row) for row in self._transaction.query(sql, space=self._space, **values)]


def _marks(prefix: str, many: int) -> str:
    return ", ".join(f":{prefix}{place}" for place in range(many))
