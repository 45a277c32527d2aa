"""Databases opened only to be read: in a place that cannot be written, or somebody else's file.

SQLite reads a log only with a shared-memory file beside it, which it cannot make here. If another process has made
one, it is used. Otherwise a file without a log is opened as immutable, and one with a log is read from a copy.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import Any

import apsw

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, StoreFailure
from recollect.stores.sqlite.damage import pieces

_LOGS = ("-wal", "-journal")


class CopyFolder:
    """A folder for a copy of the file. It goes when nobody refers to it any more, and in the process that made it."""

    def __init__(self) -> None:
        import tempfile

        self.path = Path(tempfile.mkdtemp(prefix="recollect-"))
        self.remove = weakref.finalize(self, _remove, self.path, os.getpid())


@dataclass(frozen=True, slots=True)
class Way:
    """One way to open the file. `stamp` is `None` when SQLite's own locks keep readers from a change under them."""

    target: str
    flags: int
    stamp: tuple[tuple[int, int], ...] | None
    folder: CopyFolder | None = None


def cannot_be_written(path: Path) -> bool:
    """Whether a database that is there can be read at most."""
    if not path.exists():
        return False
    if not os.access(path, os.W_OK):
        return True
    beside = [Path(f"{path}{end}") for end in ("-wal", "-shm")]
    # Without the right to make files a writer needs those that another process made.
    return not os.access(path.parent, os.W_OK) and not all(os.access(file, os.W_OK) for file in beside)


def way_to_read(path: Path) -> Way:
    """How to open a file that cannot be written, as it is now."""
    only = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    if Path(f"{path}-shm").exists():
        return Way(f"{path.as_uri()}?mode=ro", only, None)
    if os.access(path.parent, os.W_OK):
        return Way(f"{path.as_uri()}?mode=ro", only, None)
    stamp = stamp_of(path)
    if not any(_size(path, end) for end in _LOGS):
        return Way(f"{path.as_uri()}?immutable=1", only, stamp)
    folder = CopyFolder()
    try:
        for end in ("", *_LOGS):
            if _size(path, end):
                with (folder.path / f"{path.name}{end}").open("wb") as copy:
                    copy.writelines(pieces(Path(f"{path}{end}"), 0, _size(path, end)))
    except OSError as problem:
        folder.remove()
        raise StoreFailure(
            f"{path} cannot be read here: its log needs a copy, and {problem.strerror or problem}.",
            code="not_readable",
            hint="Free some space for temporary files, or copy the folder to a place that can be written.",
        ) from problem
    return Way(str(folder.path / path.name), apsw.SQLITE_OPEN_READWRITE, stamp, folder)


def stamp_of(path: Path) -> tuple[tuple[int, int], ...]:
    """Changes when the file or its log does."""
    found = []
    for end in ("", *_LOGS):
        try:
            state = Path(f"{path}{end}").stat()
            found.append((state.st_size, state.st_mtime_ns))
        except OSError:
            found.append((-1, 0))
    return tuple(found)


def read_only(where: str, problem: str = "its file or folder is write-protected") -> StoreFailure:
    """The error for a write to what can only be read."""
    return StoreFailure(
        f"{where} can be read, but not written: {problem}. Nothing was written.",
        code="read_only",
        hint="Check who owns the folder and its files, and whether the disk is mounted read-only.",
    )


def _size(path: Path, end: str) -> int:
    try:
        return Path(f"{path}{end}").stat().st_size
    except OSError:
        return 0


def _remove(folder: Path, pid: int) -> None:
    if os.getpid() == pid:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


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
