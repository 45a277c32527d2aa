"""Files of other programs, opened to be read: never followed out of their folder, never locked, never changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.remember.files.decoding import decoded
from recollect.remember.files.documents import Unreadable
from recollect.remember.files.opening import read_bytes
from recollect.remember.foreign.findings import Unread

_LARGEST = 500_000_000  # bytes of one export or transcript


def named_files(folder: Path, pattern: str) -> Iterator[Path]:
    """The files of a folder in the order of their names; none if there is no such folder."""
    try:
        yield from sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return


def text_of(path: Path, root: Path) -> str | Unread:
    """The text of a file below the root."""
    found = read_bytes(path, root=root, max_bytes=_LARGEST)
    if isinstance(found, Unreadable):
        return Unread(str(path), found.message)
    text = decoded(found[1], known_text=True, declares_charset=False)
    return Unread(str(path), "It is not text.") if text is None else text


def json_of(path: Path) -> Any:
    """What a JSON file says, or `Unread`."""
    text = text_of(path, path.parent)
    if isinstance(text, Unread):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        return Unread(str(path), f"It is not JSON: {problem}.")


def rows_of(path: Path, tables: tuple[str, ...]) -> dict[str, list[dict[str, Any]]] | Unread:
    """The rows of some tables of a SQLite file, column by column; a table that is not there has none."""
    import apsw

    try:
        connection = apsw.Connection(
            path.resolve().as_uri() + "?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        try:
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not there.intersection(tables):
                return Unread(str(path), f"It has none of the tables {', '.join(tables)}.")
            found: dict[str, list[dict[str, Any]]] = {}
            for table in tables:
                cursor = connection.cursor()
                rows = cursor.execute(f'SELECT * FROM "{table}"') if table in there else ()  # noqa: S608 - our names
                found[table] = [
                    dict(zip((column[0] for column in cursor.get_description()), row, strict=True)) for row in rows
                ]
            return found
        finally:
            connection.close()
    except apsw.Error as problem:
        return Unread(str(path), f"It is not a database that can be read: {problem}.")
