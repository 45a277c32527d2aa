"""Rows read straight from the pages of a damaged database, sorted into the tables of the current schema.

Every page that looks like a leaf of a table is decoded by itself. A row that makes no sense is left out and counted;
nothing that is read here is followed without a bound.

A page that hangs on the tree of a table belongs to it. The others, whose tree is broken, are judged row by row: by
the number of columns, their types, and whether times are times.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

import apsw

from recollect.domain.dataclass import dataclass, field
from recollect.stores.migrations import migrations
from recollect.stores.sqlite.damage import MAGIC, header_in, pieces
from recollect.stores.sqlite.wal import FRAME_HEADER, HEADER, checksum_of, header_of

Cell: TypeAlias = "str | bytes | int | float | None"

_USUAL_PAGE = 4096  # bytes; a database of ours has no other, unless somebody copied it with one
_LEAF, _INNER = 0x0D, 0x05
_MOST_COLUMNS = 200
_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes by serial type, up to 9


class UnreadablePage(Exception):
    """A cell that makes no sense."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row: the page it stands on, its row id, and its columns. `damaged` if a text in it was not UTF-8."""

    page: int
    rowid: int
    columns: tuple[Cell, ...]
    damaged: bool = False


@dataclass(slots=True)
class DatabasePages:
    """The pages of a file as its log left them. Numbers begin at one; a page past the end of the file is missing."""

    size: int
    main: bytes
    newer: dict[int, bytes] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return max(-(-len(self.main) // self.size), max(self.newer, default=0))

    def page(self, number: int) -> bytes:
        if number in self.newer:
            return self.newer[number]
        return self.main[(number - 1) * self.size : number * self.size].ljust(self.size, b"\x00")


def pages_of(path: Path | None, log: Path, *, page_size: int = _USUAL_PAGE) -> DatabasePages:
    """A file and its log in memory, or a log alone. They may be damaged in any way.

    The page size is what the header of the file says, and otherwise the one that is given.
    """
    main = b"" if path is None else b"".join(pieces(path, 0, path.stat().st_size))
    header = header_in(main) if main.startswith(MAGIC) else None
    found = DatabasePages(header.page_size if header else page_size, main)
    if log.is_file():
        found.newer.update(_pages_in_log(b"".join(pieces(log, 0, log.stat().st_size)), found.size))
    return found


def _pages_in_log(log: bytes, page_size: int) -> Iterator[tuple[int, bytes]]:
    """Every page of this generation whose checksum follows from the frame before, behind a broken one as well."""
    header = header_of(log[:HEADER])
    salts = header.salts if header else log[HEADER + 8 : HEADER + 16]
    before = header.checksum if header else None
    big_endian = header.big_endian if header else False
    frame = FRAME_HEADER + page_size
    for place in range(HEADER, len(log) - frame + 1, frame):
        head, page = log[place : place + FRAME_HEADER], log[place + FRAME_HEADER : place + frame]
        told = struct.unpack(">II", head[16:24])
        if head[8:16] == salts and any(salts):
            if before is not None:
                found = checksum_of(head[:8], before, big_endian=big_endian)
                sound = checksum_of(page, found, big_endian=big_endian) == told
            else:
                sound = False
            number = int.from_bytes(head[:4], "big")
            if sound and number:
                yield number, page
        before = told


def rows_in(pages: DatabasePages, only: Collection[int] | None = None) -> Iterator[StoredRow | int]:
    """Every row on every leaf page, or on some; the number of the page for one that cannot be read."""
    for number in range(1, pages.count + 1) if only is None else sorted(only):
        page = pages.page(number)
        start = 100 if number == 1 else 0
        if page[start] != _LEAF:
            continue
        cells = int.from_bytes(page[start + 3 : start + 5], "big")
        for index in range(min(cells, (pages.size - start - 8) // 2)):
            place = start + 8 + 2 * index
            try:
                yield _row(pages, number, int.from_bytes(page[place : place + 2], "big"))
            except (UnreadablePage, IndexError, struct.error, OverflowError):
                yield number


def leaves_of(pages: DatabasePages, root: int) -> Iterator[int]:
    """The leaf pages that can be reached from the root of a table."""
    seen: set[int] = set()
    left = [root]
    while left:
        number = left.pop()
        if number in seen or not 1 <= number <= pages.count:
            continue
        seen.add(number)
        page = pages.page(number)
        start = 100 if number == 1 else 0
        if page[start] == _LEAF:
            yield number
        elif page[start] == _INNER:
            cells = min(int.from_bytes(page[start + 3 : start + 5], "big"), (pages.size - start - 12) // 2)
            places = [int.from_bytes(page[start + 12 + 2 * i : start + 14 + 2 * i], "big") for i in range(cells)]
            left += [int.from_bytes(page[place : place + 4], "big") for place in places]
            left.append(int.from_bytes(page[start + 8 : start + 12], "big"))


def _row(pages: DatabasePages, number: int, place: int) -> StoredRow:
    page = pages.page(number)
    length, place = _varint(page, place)
    rowid, place = _varint(page, place)
    payload = _payload(pages, page, place, length)
    columns, damaged = _columns(payload)
    return StoredRow(number, rowid - (1 << 64) if rowid >> 63 else rowid, columns, damaged)


def _payload(pages: DatabasePages, page: bytes, place: int, length: int) -> bytes:
    """The bytes of a row, with those that did not fit on its page."""
    if length < 2 or length > pages.count * pages.size:
        raise UnreadablePage
    most = pages.size - 35
    if length <= most:
        if place + length > len(page):
            raise UnreadablePage
        return page[place : place + length]
    least = (pages.size - 12) * 32 // 255 - 23
    here = least + (length - least) % (pages.size - 4)
    here = here if here <= most else least
    found = bytearray(page[place : place + here])
    further = int.from_bytes(page[place + here : place + here + 4], "big")
    seen: set[int] = set()
    while len(found) < length:
        if not 1 <= further <= pages.count or further in seen:
            raise UnreadablePage
        seen.add(further)
        overflow = pages.page(further)
        found += overflow[4 : 4 + length - len(found)]
        further = int.from_bytes(overflow[:4], "big")
    if further:
        raise UnreadablePage
    return bytes(found)


def _columns(payload: bytes) -> tuple[tuple[Cell, ...], bool]:
    end, place = _varint(payload, 0)
    if not place <= end <= len(payload):
        raise UnreadablePage
    kinds: list[int] = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != end or len(kinds) > _MOST_COLUMNS:
        raise UnreadablePage
    columns: list[Cell] = []
    damaged = False
    for kind in kinds:
        value, end, bad = _value(payload, end, kind)
        columns.append(value)
        damaged |= bad
    if end != len(payload):
        raise UnreadablePage
    return tuple(columns), damaged


def _value(payload: bytes, place: int, kind: int) -> tuple[Cell, int, bool]:
    if kind in (10, 11):
        raise UnreadablePage
    width = _WIDTHS[kind] if kind < 10 else (kind - 12) // 2
    raw = payload[place : place + width]
    if len(raw) < width:
        raise UnreadablePage
    end = place + width
    if kind >= 13 and kind % 2:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("utf-8", "replace"), end, True
        return text, end, "\x00" in text
    if kind >= 12:
        return raw, end, False
    match kind:
        case 0:
            return None, end, False
        case 7:
            return struct.unpack(">d", raw)[0], end, False
        case 8 | 9:
            return kind - 8, end, False
        case _:
            return int.from_bytes(raw, "big", signed=True), end, False


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = 0
    for index in range(8):
        byte = content[place + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + index + 1
    return value << 8 | content[place + 8], place + 9


Key: TypeAlias = tuple[Any, ...]

_KEYS = {
    "space": ("name",),
    "note": ("space", "id", "version"),
    "note_text": ("space", "note_id", "version"),
    "observation": ("space", "id"),
    "observation_text": ("space", "observation_id"),
    "attachment": ("space", "digest"),
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
    "BYTEA": (bytes,),
}


@dataclass(slots=True)
class SortedRows:
    """Rows by table and key, each by the names of its columns. `damaged` ones have a text that is not UTF-8."""

    rows: dict[str, dict[Key, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    damaged: dict[str, dict[Key, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    unreadable: int = 0  # rows of which not even the key is known


def sorted_rows(pages: DatabasePages) -> SortedRows:
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


def _homes(pages: DatabasePages, tables: Mapping[str, _Table]) -> dict[int, str]:
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
