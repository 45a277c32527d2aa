"""Rows of a damaged database, sorted into the tables of the current schema.

A page that hangs on the tree of a table belongs to it. The others, whose tree is broken, are judged row by row: by
the number of columns, their types, and whether times are times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

import apsw

from recollect.domain.dataclass import dataclass, field
from recollect.stores.migrations import migrations
from recollect.stores.sqlite.page_rows import Cell, Pages, StoredRow, leaves_of, rows_in

Key: TypeAlias = tuple[Any, ...]

_KEYS = {
    "space": ("name",),
    "note": ("space", "id", "version"),
    "note_text": ("space", "note_id", "version"),
    "observation": ("space", "id"),
    "observation_text": ("space", "observation_id"),
    "session": ("space", "id"),
    "slot": ("space", "id"),
    "action": ("space", "id"),
    "tombstone": ("space", "note_id"),
    "change_log": ("space", "seq"),
    "migration": ("number",),
}
_FITTING: Mapping[str, tuple[type, ...]] = {
    "TEXT": (str,),
    "INTEGER": (int,),
    "BIGINT": (int,),
    "DOUBLE PRECISION": (int, float),
}


@dataclass(slots=True)
class SortedRows:
    """Rows by table and key, each by the names of its columns. `damaged` ones have a text that is not UTF-8."""

    rows: dict[str, dict[Key, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    damaged: dict[str, dict[Key, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    unreadable: int = 0  # rows of which not even the key is known


def sorted_rows(pages: Pages) -> SortedRows:
    """All rows of the tables that a rescue looks at."""
    tables = _schema()
    home = _homes(pages, tables)
    found = SortedRows()
    for row in rows_in(pages):
        if isinstance(row, int):
            found.unreadable += home.get(row, "") != ""
            continue
        place = home.get(row.page)
        if place == "":
            continue
        candidates = [tables[place]] if place is not None else list(tables.values())
        fitting = [
            (table, values)
            for table in candidates
            if (values := table.values(row)) is not None and (place is not None or table.accepts(values))
        ]
        if not fitting:
            found.unreadable += place is not None
            continue
        table, values = fitting[0]
        key = tuple(values[name] for name in _KEYS[table.name])
        (found.damaged if row.damaged else found.rows)[table.name][key] = values
    return found


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: str
    required: bool
    default: Cell
    is_rowid: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the current schema. `least` counts the columns it had before any were added."""

    name: str
    columns: tuple[_Column, ...]
    least: int

    def values(self, row: StoredRow) -> dict[str, Any] | None:
        """A row by the names of its columns; `None` if it cannot be one of this table."""
        if not self.least <= len(row.columns) <= len(self.columns):
            return None
        found: dict[str, Any] = {}
        for place, column in enumerate(self.columns):
            value = row.columns[place] if place < len(row.columns) else column.default
            if column.is_rowid:
                if value is not None:
                    return None
                value = row.rowid
            if value is None:
                if column.required:
                    return None
            elif not isinstance(value, _FITTING.get(column.kind, (str,))):
                return None
            found[column.name] = value
        return found

    def accepts(self, values: Mapping[str, Any]) -> bool:
        """Whether a row that fits by its types also fits by its times. Ledgers are believed only in their place."""
        try:
            for name, value in values.items():
                if name.endswith("_at") and value is not None:
                    datetime.fromisoformat(value)
        except ValueError:
            return False
        return self.name not in ("change_log", "migration")


def _schema() -> dict[str, _Table]:
    """The tables as the migrations make them."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute("CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)")
        scripts = [script for step in migrations("sqlite") for script in step.scripts]
        for script in scripts:
            connection.execute(script)
        found = {}
        for name in _KEYS:
            rows: list[tuple[Any, ...]] = connection.execute(f"PRAGMA table_info({name})").fetchall()
            alone = sum(bool(row[5]) for row in rows) == 1
            columns = tuple(
                _Column(
                    row[1],
                    row[2].upper(),
                    bool(row[3]),
                    None if row[4] is None else connection.execute(f"SELECT {row[4]}").get,
                    alone and bool(row[5]) and row[2].upper() == "INTEGER",
                )
                for row in rows
            )
            added = sum(script.count(f"ALTER TABLE {name} ADD COLUMN") for script in scripts)
            found[name] = _Table(name, columns, len(columns) - added)
        return found
    finally:
        connection.close()


def _homes(pages: Pages, tables: Mapping[str, _Table]) -> dict[int, str]:
    """The table that each page belongs to, as far as the trees can be read; an empty name for other tables."""
    schema = set(leaves_of(pages, 1))
    home = dict.fromkeys(schema, "")
    for row in rows_in(pages, only=schema):
        if isinstance(row, int) or len(row.columns) != 5:
            continue
        kind, name, _, root, _ = row.columns
        if kind == "table" and isinstance(root, int) and isinstance(name, str):
            home.update(dict.fromkeys(leaves_of(pages, root), name if name in tables else ""))
    return home
