"""A disk that fails when it is told to: a shim below SQLite, and a hook before Python's own calls.

The shim is the default one of its process, so everything that SQLite opens there is on the failing disk.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw


@dataclass(frozen=True, slots=True)
class Fault:
    """The n-th call of a kind fails, or the next after it; with `lasting` all do, until the disk is mended."""

    call: str
    error: str
    at: int
    lasting: bool

    def __str__(self) -> str:
        return f"{self.error} from {self.call} {self.at}{' on' if self.lasting else ''}"


class FailingDisk(apsw.VFS):
    """Passes everything on to the real disk, counts it, and fails where the faults say, one after the other."""

    def __init__(self, root: Path) -> None:
        self.done: Counter[str] = Counter()
        self.failed = 0  # faults that came about
        self._fault: Fault | None = None
        self._failing = False
        self.left: list[Fault] = []  # faults that are still to come
        self._quiet = False
        self._real = apsw.vfs_names()[0]
        self._root = str(root)
        super().__init__("failing", self._real, makedefault=True)
        sys.addaudithook(self._before)

    def arm(self, faults: Iterable[Fault]) -> None:
        """Begin to count anew, and fail where the first of these faults says."""
        self.done.clear()
        self.mend()
        self.left, self.failed = sorted(faults, key=lambda fault: fault.at), 0
        self.fail_again()

    def mend(self) -> None:
        """Let nothing fail until there is another fault."""
        if self._fault is not None and not self._failing:
            self.left.insert(0, self._fault)
        self._fault, self._failing = None, False

    def fail_again(self) -> None:
        """Go on to the next fault, if the one before has come about and is over."""
        if self._fault is None and self.left:
            self._fault = self.left.pop(0)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """For a look at the state of things: nothing fails and nothing is counted."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        self.about_to("open")
        return _FailingFile(self, self._real, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.about_to("delete")
        super().xDelete(filename, syncdir)

    def _before(self, event: str, arguments: tuple[object, ...]) -> None:
        """Called by Python before it touches a file by name; what is raised here is raised there."""
        if event in _EVENTS and isinstance(arguments[0], str | Path) and str(arguments[0]).startswith(self._root):
            self.about_to(_EVENTS[event])

    def about_to(self, call: str) -> None:
        """Count a call, and fail it if it is its turn."""
        if self._quiet:
            return
        self.done[call] += 1
        fault = self._fault
        if fault is None or fault.call != call or self.done[call] < fault.at:
            return
        self.failed += not self._failing
        self._failing = fault.lasting
        if not fault.lasting:
            self._fault = None
        raise _error(fault)


class _FailingFile(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, real: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(real, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.about_to("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.about_to("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.about_to("sync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.about_to("truncate")
        super().xTruncate(newsize)


_EVENTS = {
    "open": "open a file",
    "os.rename": "name a file",
    "os.link": "name a file",
    "os.mkdir": "name a file",
    "os.remove": "remove a file",
}


def _error(fault: Fault) -> Exception:
    if fault.call in _EVENTS.values():
        number = errno.ENOSPC if fault.error == "full" else errno.EIO
        return OSError(number, os.strerror(number))
    codes = {
        ("write", "full"): apsw.SQLITE_FULL,
        ("write", "failed"): apsw.SQLITE_IOERR_WRITE,
        ("sync", "failed"): apsw.SQLITE_IOERR_FSYNC,
        ("truncate", "failed"): apsw.SQLITE_IOERR_TRUNCATE,
        ("read", "failed"): apsw.SQLITE_IOERR_READ,
        ("delete", "failed"): apsw.SQLITE_IOERR_DELETE,
        ("open", "failed"): apsw.SQLITE_CANTOPEN,
    }
    return apsw.exception_for(codes[fault.call, fault.error])
