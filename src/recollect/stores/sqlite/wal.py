"""The write-ahead log: whether SQLite reads all of it, and a copy of what it would lose.

SQLite reads a log up to the first frame that does not fit its checksum and ignores the rest. Frames of the same
generation (equal salts) behind that place were committed once, or were being written when the machine stopped.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from recollect.domain.dataclass import dataclass
from recollect.stores.sqlite.damage import next_step, pieces
from recollect.stores.sqlite.files import make_file

if TYPE_CHECKING:
    from recollect.domain.answers.upkeep import Check

HEADER = 32  # bytes
FRAME_HEADER = 24
_MAGICS = (0x377F0682, 0x377F0683)


@dataclass(frozen=True, slots=True)
class LogHeader:
    """The salts stand in every frame of this generation; checksums are over big- or little-endian words."""

    page_size: int
    salts: bytes
    big_endian: bool
    checksum: tuple[int, int]


def header_of(start: bytes) -> LogHeader | None:
    """The header of a log; `None` if it is damaged."""
    magic = int.from_bytes(start[:4], "big")
    if len(start) < HEADER or magic not in _MAGICS:
        return None
    big_endian = magic == _MAGICS[1]
    found = (int.from_bytes(start[24:28], "big"), int.from_bytes(start[28:32], "big"))
    if checksum_of(start[:24], (0, 0), big_endian=big_endian) != found:
        return None
    return LogHeader(int.from_bytes(start[8:12], "big"), start[16:24], big_endian, found)


def checksum_of(content: bytes, before: tuple[int, int], *, big_endian: bool) -> tuple[int, int]:
    """SQLite's running checksum over pairs of 32-bit words."""
    first, second = before
    words = memoryview(content).cast("I") if _is_native(big_endian) else _swapped(content)
    pairs = iter(words)
    for one, two in zip(pairs, pairs, strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second


@dataclass(frozen=True, slots=True)
class UnreadCommits:
    """The part of a log that SQLite does not read: commits of this generation, and frames that are noise."""

    commits: int = 0
    noise: int = 0

    @property
    def is_damage(self) -> bool:
        """One commit alone may have been under way when the machine stopped, and was then never acknowledged."""
        return self.commits > 1 or self.noise > 0


def unread_part(path: Path, read: int, page_size: int, pages: int) -> UnreadCommits:
    """Frames in a log file behind the last one that SQLite reads; `read` counts those it does.

    Only headers of frames are looked at, and of those only three unless one of them is suspicious. The caller looks
    again if something was found: another process may have written it meanwhile.
    """
    try:
        if path.stat().st_size < HEADER + FRAME_HEADER + page_size:
            return UnreadCommits()
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_READONLY, 0])
    except (OSError, apsw.Error):
        return UnreadCommits()
    try:
        frame = FRAME_HEADER + page_size
        count = (file.xFileSize() - HEADER) // frame
        header = header_of(_exactly(file, HEADER, 0))
        # Without a header no frame is read at all; the frames then tell their generation themselves.
        salts = header.salts if header else _exactly(file, FRAME_HEADER, HEADER)[8:16]
        places = range(read, count)
        if not any(
            _kind_of(_exactly(file, FRAME_HEADER, HEADER + place * frame), salts, pages)
            for place in {*places[:2], *places[-1:]}
        ):
            return UnreadCommits()
        kinds = [_kind_of(_exactly(file, FRAME_HEADER, HEADER + place * frame), salts, pages) for place in places]
        return UnreadCommits(kinds.count(_COMMIT), kinds.count(_NOISE))
    except apsw.Error:
        return UnreadCommits(noise=1)
    finally:
        file.xClose()


_COMMIT, _PART, _NOISE = 1, 2, 3


def _kind_of(head: bytes, salts: bytes, pages: int) -> int:
    """Which sort of unread frame this is; 0 for one of an older generation, or one that was never written."""
    if not any(head):
        return 0
    if head[8:16] == salts:
        return _COMMIT if any(head[4:8]) else _PART
    # An older frame is a page of this database, too; noise names one that cannot be.
    return _NOISE if int.from_bytes(head[:4], "big") > 4 * pages + 10_000 else 0


def _exactly(file: apsw.VFSFile, wanted: int, place: int) -> bytes:
    return file.xRead(wanted, place).ljust(wanted, b"\x00")


def _is_native(big_endian: bool) -> bool:
    import sys

    return (sys.byteorder == "big") == big_endian


def _swapped(content: bytes) -> memoryview:
    from array import array

    words = array("I", content)
    words.byteswap()
    return memoryview(words)


_LOOKS = 5
DAMAGED_LOG = "damaged_log"


class LogKeeper:
    """Looks once, when the database is opened. `kept` is the file that the copy of a damaged log goes to."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._log = Path(f"{database}-wal")
        self.kept = Path(f"{database}-unread-log")
        self._unread = UnreadCommits()

    @property
    def is_damaged(self) -> bool:
        return self._unread.is_damage

    def look(self, connection: apsw.Connection, *, keep: bool) -> None:
        """Compare what SQLite reads of the log with what stands in it; costs three short reads if all is well."""
        if not self._log.exists() or not self._log.stat().st_size:
            return
        with contextlib.suppress(apsw.ReadOnlyError):  # how far it is read is told only to those who may write
            self._unread = self._compare(connection)
        if self._unread.is_damage:
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            if keep:
                self._keep()

    def check(self) -> Check:
        """The doctor's check of the log."""
        from recollect.domain.answers.upkeep import Check

        found = self._unread
        if not found.is_damage and self.kept.exists():
            detail = f"a log that was damaged is kept in {self.kept}"
            hint = f"`recollect rescue FILE` reads it, too. Remove {self.kept.name} when it is no longer needed."
            return Check("log", False, detail, hint, DAMAGED_LOG)
        if found.is_damage:
            lost = f"{found.commits:,} commits" if found.commits else "its end"
            detail = f"the log is damaged, and {lost} in it cannot be read"
            return Check("log", False, detail, next_step(self._database), DAMAGED_LOG)
        if found.commits:
            return Check("log", True, "the last commit in it is not whole: it was under way when the machine stopped")
        return Check("log", True, "read to its end")

    def clear(self) -> None:
        """Take the copy away: it has older pages of what is erased."""
        self.kept.unlink(missing_ok=True)

    def _compare(self, connection: apsw.Connection) -> UnreadCommits:
        pages, size = connection.pragma("page_count"), connection.pragma("page_size")
        for _ in range(_LOOKS):
            before = _frames_read(connection)
            found = unread_part(self._log, before, size, pages)
            # Others may have committed between the two looks; what they wrote is not unread.
            if not found.is_damage or _frames_read(connection) == before:
                return found
        return UnreadCommits()

    def _keep(self) -> None:
        # A disk without room for it is no reason to keep anybody from reading.
        with contextlib.suppress(OSError, apsw.Error):
            make_file(self.kept)
            with self.kept.open("wb") as copy:
                copy.writelines(pieces(self._log, 0, self._log.stat().st_size))
                copy.flush()
                os.fsync(copy.fileno())


def _frames_read(connection: apsw.Connection) -> int:
    frames: Any
    [(_, frames, _)] = connection.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()
    return max(int(frames), 0)
