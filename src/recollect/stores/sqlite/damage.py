"""Kinds of damage to a database file, told apart by its bytes before it is opened.

The bytes are read through SQLite's own file layer: closing a descriptor that we opened ourselves would drop the
locks which other connections of this process hold on the file.

SQLite 3.7.0 to 3.51.2 can lose committed pages when two connections checkpoint at once (the WAL-reset bug;
3.44.6 and 3.50.7 carry the fix). On network file systems its locks do not hold between machines.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import Damaged, Refused, StoreFailure
from recollect.domain.late import Late

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check
    from recollect.stores.sqlite.database import SqliteDatabase

MAGIC = b"SQLite format 3\x00"
# Tables of the first migration and of every later schema; a database with only some of them has lost the others.
ESSENTIAL = frozenset({"migration", "space", "note"})
# Names that hardly any other program has for its tables.
OURS = frozenset({"note_text", "note_words", "change_log", "tombstone", "observation_text"})

_CHUNK = 1 << 20
_LOOKED_AT = 64 << 20  # bytes searched for signs of what a file was; this runs only after an error
_SIGN = b"CREATE TABLE note_text"
_OTHER_SCHEMA = Late(r"no such|has no column|malformed|unsupported file format|syntax error")
ELSEWHERE = "Point RECOLLECT_STORE or RECOLLECT_HOME to another place."


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of a database header that say how long the file should be. `free` counts unused pages."""

    page_size: int
    pages: int
    free: int


def next_step(path: Path) -> str:
    """The way out of a damaged file, in commands."""
    return (
        f"`recollect rescue FILE` writes what can still be read to an export. Then move {path.name} and "
        f"{path.name}-wal away, and `recollect restore` the newest backup or `recollect import` that export."
    )


def damage_of(path: Path, problem: str) -> StoreFailure:
    """The error for a file that SQLite cannot read: truncated, zeroed, damaged otherwise, or no database at all."""
    try:
        size = path.stat().st_size
        with_first = b"".join(pieces(path, 0, min(size, _CHUNK)))
    except (OSError, apsw.Error):
        return Damaged(f"{path} is damaged: {problem}.", hint=next_step(path))
    if size == 0:
        return truncated(path, "it is empty, but its log is not")
    if not any(with_first[:100]):
        return zeroed(path, "it begins with zeros")
    header = header_in(with_first)
    if not with_first.startswith(MAGIC):
        if not MAGIC.startswith(with_first[:16]) and not _has_sign(path, size):
            return Refused(f"{path} is not a database.", code="foreign_database", hint=ELSEWHERE)
        if size < 512:
            return truncated(path, f"it has {size} bytes")
        return Damaged(f"{path} is damaged: its header was overwritten.", hint=next_step(path))
    if size < 512:
        return truncated(path, f"it has {size} bytes")
    if header is None:
        return Damaged(f"{path} is damaged: its header makes no sense.", hint=next_step(path))
    if size < header.pages * header.page_size or size % header.page_size:
        return truncated(path, f"it has {size:,} of {header.pages * header.page_size:,} bytes")
    if (empty := _empty_pages(path, size, header.page_size)) > header.free:
        return zeroed(path, f"{empty - header.free:,} or more of its {header.pages:,} pages are empty")
    return Damaged(f"{path} is damaged: {problem}.", hint=next_step(path))


def tells_of_damage(problem: apsw.Error) -> bool:
    """Whether SQLite met something that a sound database of this schema cannot hold."""
    match problem:
        case apsw.CorruptError() | apsw.NotADBError() | apsw.TooBigError():
            return True
        case apsw.SQLError():
            # Every statement of ours fits the schema, so the schema is not what the migrations made.
            return _OTHER_SCHEMA.search(str(problem)) is not None
        case apsw.IOError():
            return getattr(problem, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ
        case _:
            return False


def forbids_writing(path: Path) -> bool:
    """Whether the header asks for a newer SQLite to write to it, which no file of ours does."""
    try:
        return b"".join(pieces(path, 18, 19)) not in (b"\x01", b"\x02")
    except (OSError, apsw.Error):
        return False


def truncated(path: Path, detail: str) -> Damaged:
    return Damaged(f"{path} was cut off: {detail}.", code="truncated", hint=next_step(path))


def zeroed(path: Path, detail: str) -> Damaged:
    return Damaged(f"{path} was overwritten with zeros: {detail}.", code="zeroed", hint=next_step(path))


def header_in(start: bytes) -> Header | None:
    """The header in the first bytes of a file; `None` if they are none."""
    size = int.from_bytes(start[16:18], "big")
    size = 65536 if size == 1 else size
    if len(start) < 100 or size < 512 or size & (size - 1):
        return None
    # The page count is kept up to date only by programs that also copy the change counter.
    counted = start[24:28] == start[92:96]
    pages = int.from_bytes(start[28:32], "big") if counted else 0
    return Header(size, pages, int.from_bytes(start[36:40], "big"))


def pieces(path: Path, begin: int, end: int) -> Iterator[bytes]:
    """The bytes of a file between two places, some at a time. Raises `apsw.Error` if they cannot be read."""
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        end = min(end, file.xFileSize())
        for place in range(begin, end, _CHUNK):
            wanted = min(_CHUNK, end - place)
            yield file.xRead(wanted, place).ljust(wanted, b"\x00")
    finally:
        file.xClose()


def _has_sign(path: Path, size: int) -> bool:
    """Whether the text of our schema stands somewhere in a file that lost its header."""
    before = b""
    for piece in pieces(path, 0, min(size, _LOOKED_AT)):
        if _SIGN in before + piece:
            return True
        before = piece[-len(_SIGN) :]
    return False


def _empty_pages(path: Path, size: int, page_size: int) -> int:
    blank = bytes(page_size)
    return sum(
        piece[place : place + page_size] == blank
        for piece in pieces(path, 0, min(size, _LOOKED_AT))
        for place in range(0, len(piece), page_size)
    )


_FIXED = (3, 51, 3)
_BACKPORTED = {(3, 44): 6, (3, 50): 7}

_NETWORK_FILE_SYSTEMS = frozenset(
    {
        "9p", "afs", "afpfs", "beegfs", "ceph", "cifs", "davfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs",
        "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
        "smb2", "smb3", "smbfs", "virtiofs", "webdav",
    }
)  # fmt: skip

MOUNTS = Path("/proc/self/mountinfo")
_ESCAPE = Late(r"\\([0-7]{3})")  # a space in the name of a mount is written \040


def require_sound_sqlite(version: str | None = None) -> None:
    """Refuse an SQLite with the WAL-reset bug."""
    found = version or apsw.sqlite_lib_version()
    major, minor, patch = (int(part) for part in found.split(".")[:3])
    if (major, minor, patch) >= _FIXED or patch >= _BACKPORTED.get((major, minor), patch + 1):
        return
    raise Refused(
        f"SQLite {found} can lose committed data when several processes write (the WAL-reset bug).",
        code="unsafe_sqlite",
        hint="Install the `apsw` package as a wheel: it brings SQLite 3.51.3 or newer.",
    )


def require_local_file_system(path: Path, mounts: Iterable[str] | None = None) -> None:
    """Refuse a place whose locks cannot be relied on. Where the mounts are not known, it is let pass."""
    if str(path).startswith("\\\\"):
        raise _unsafe(path, "a network share")
    if mounts is None:
        if not MOUNTS.exists():
            return
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    kind = _file_system(os.path.realpath(path), mounts)
    if kind in _NETWORK_FILE_SYSTEMS:
        raise _unsafe(path, kind)


def _file_system(path: str, mounts: Iterable[str]) -> str:
    """The kind of the file system a path is on: of the mounts above it, the deepest and newest."""
    best, kind = "", ""
    for line in mounts:
        before, separator, after = line.partition(" - ")
        fields = before.split(" ")
        if not separator or len(fields) < 5:
            continue
        point = _ESCAPE.sub(lambda octal: chr(int(octal[1], 8)), fields[4]) if "\\" in fields[4] else fields[4]
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, after.split(" ")[0]
    return kind


def _unsafe(path: Path, kind: str) -> Refused:
    return Refused(
        f"{path} is on {kind}, where file locks do not hold: several processes could damage the database.",
        code="unsafe_file_system",
        hint="Set RECOLLECT_HOME to a folder on a local disk, or use a PostgreSQL server for shared memory.",
    )


# -- a look at the whole file ------------------------------------------------------------------------------------------

INDEXES = {
    "note_words": "notes",
    "observation_words": "observations",
    "note_forms": "other languages in notes",
    "observation_forms": "other languages in observations",
}


def checks(database: SqliteDatabase) -> list[Check]:
    """Look at the whole file, for `doctor`: the rights, the pages, the text indexes and the log."""
    from recollect.domain.answers.upkeep import Check

    found = [Check("sqlite", True, f"SQLite {apsw.sqlite_lib_version()}, several processes can write")]
    if database.read_only:
        found.append(Check("rights", True, "it can be read, but not written"))
    found.append(_check_pages(database))
    found.extend(_check_index(database, index, source) for index, source in INDEXES.items())
    if database.log is not None:
        found.append(database.log.check())
    return found


def _check_pages(database: SqliteDatabase) -> Check:
    from recollect.domain.answers.upkeep import Check

    try:
        with database.reading(None) as transaction:
            for index in INDEXES:  # the check alone would go by pages that others have since arranged anew
                transaction.query(f"SELECT rowid FROM {index} LIMIT 1")  # noqa: S608
            damage = [row[0] for row in transaction.query("PRAGMA integrity_check(20)")]
    except StoreFailure as problem:
        return Check.failed("database", problem)
    if damage == ["ok"]:
        return Check("database", True, "every page is sound")
    hint = next_step(database.path) if database.path is not None else ""
    return Check("database", False, "; ".join(damage), hint, Damaged.code)


def _check_index(database: SqliteDatabase, index: str, source: str) -> Check:
    from recollect.domain.answers.upkeep import Check

    name = f"index of {source}"
    if database.read_only:
        return Check(name, True, "not compared with the texts, because that needs the right to write")
    try:
        with database.writing(None) as transaction:
            # The second argument makes it compare the index with the texts it was made from.
            transaction.query(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
    except Damaged as problem:
        return Check(name, False, problem.message, "Run `recollect reindex`.", problem.code)
    except StoreFailure as problem:
        return Check.failed(name, problem)
    return Check(name, True, "equal to the texts")
