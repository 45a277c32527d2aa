"""The log of one database: whether SQLite reads all of it, and a copy of it before the unread part is overwritten."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import apsw

from recollect.domain.checks import Check
from recollect.stores.sqlite.damage import next_step, pieces
from recollect.stores.sqlite.folders import make_file
from recollect.stores.sqlite.wal import Unread, unread_part

_LOOKS = 5
DAMAGED_LOG = "damaged_log"


class LogKeeper:
    """Looks once, when the database is opened. `kept` is the file that the copy of a damaged log goes to."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._log = Path(f"{database}-wal")
        self.kept = Path(f"{database}-unread-log")
        self._unread = Unread()

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

    def _compare(self, connection: apsw.Connection) -> Unread:
        pages, size = connection.pragma("page_count"), connection.pragma("page_size")
        for _ in range(_LOOKS):
            before = _frames_read(connection)
            found = unread_part(self._log, before, size, pages)
            # Others may have committed between the two looks; what they wrote is not unread.
            if not found.is_damage or _frames_read(connection) == before:
                return found
        return Unread()

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
