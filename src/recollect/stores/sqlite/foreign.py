"""Somebody else's SQLite file, opened to be read: nothing in it is changed, and nobody who writes it has to wait."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from recollect.domain.errors import InvalidInput


def rows_of(path: Path, tables: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """The rows of some tables, column by column; a table that is not there has none. Raises if none of them is."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not there.intersection(tables):
                raise InvalidInput(f"It has none of the tables {', '.join(tables)}.", code="unknown_format")
            return {table: _rows(connection, table) if table in there else [] for table in tables}
        finally:
            connection.close()
    except apsw.Error as problem:
        raise InvalidInput(f"It is not a database that can be read: {problem}.", code="unknown_format") from None


def _rows(connection: apsw.Connection, table: str) -> list[dict[str, Any]]:
    cursor = connection.cursor()
    rows = cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a name of ours, which cannot be bound
    return [dict(zip((column[0] for column in cursor.get_description()), row, strict=True)) for row in rows]
