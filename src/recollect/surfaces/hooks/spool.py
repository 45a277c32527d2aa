"""The spool of events that hooks leave while no server can take them: a line each, on disk before the hook ends.

Writers share a lock and never wait for each other. Draining moves the file aside while nobody writes, so that no line
is written to a file that has been read. A line that cannot be read is put aside, not lost. Standard library only.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from recollect.disk import sync_folder
from recollect.locks import take_lock

FILE = "hooks.spool"
BROKEN = "hooks.broken"  # lines that nobody could read
MOST_BYTES = 32_000_000  # of the spool: weeks of work; beyond it nothing more is taken, and the disk stays usable
LONGEST_LINE = 1_000_000  # bytes

_TAKEN = f"{FILE}.taken."  # and a number: moved aside, to be taken in
_DRAINING = "hooks.lock"
_GUARD = "hooks.guard"
_OPEN_FILES_STAY = os.name == "nt"  # a file that is open cannot be renamed
_TRIES = 20  # at a file that is being moved aside just now
_MOST_BROKEN = 1_000_000  # bytes of lines put aside


def append(home: Path, line: bytes) -> bool:
    """Put one line on disk; false if there is no room for it. Raises `OSError` where nothing can be written."""
    if b"\n" in line or len(line) > LONGEST_LINE:
        return False
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    for _ in range(_TRIES):
        with _guarded(home, shared=True) as guarded, _opened(home / FILE) as file:
            if not guarded or not _lock(file, shared=True) or not _is_still(home / FILE, file):
                continue
            before = os.fstat(file.fileno()).st_size
            if before + len(line) > MOST_BYTES:
                return False
            # A line feed on both sides: whoever was cut off before us cannot spoil this line.
            data = b"\n" + line + b"\n"
            if os.write(file.fileno(), data) != len(data):
                return False  # the disk is full: the part that was written is a line nobody can read
            os.fsync(file.fileno())
            if before == 0:
                with contextlib.suppress(OSError):  # the line itself is safe; some file systems sync no folders
                    sync_folder(home)
            return True
    return False


def size(home: Path) -> int:
    """Bytes that wait to be taken in."""
    written = _size_of(home / FILE)  # before what is aside: what is moved there just now is counted twice, never missed
    return written + sum(map(_size_of, _taken(home)))


class SpoolState(NamedTuple):
    """How many lines wait to be taken in, how many nobody could read, and whether there is no room for more."""

    waiting: int
    broken: int
    is_full: bool


def state(home: Path) -> SpoolState:
    """How a spool stands. It is read whole, for whoever asks how things are."""
    waiting = sum(_lines_in(file) for file in (home / FILE, *_taken(home)))
    return SpoolState(waiting, _lines_in(home / BROKEN), _size_of(home / FILE) + LONGEST_LINE > MOST_BYTES)


@contextlib.contextmanager
def draining(home: Path) -> Iterator[list[Path]]:
    """The files to be taken in, oldest first; none while somebody else does so. Whoever has done so unlinks them, and
    what is left is there the next time."""
    if not size(home):
        yield []
        return
    with _opened(home / _DRAINING) as lock:
        if not _lock(lock, shared=False):
            yield []
            return
        _move_aside(home)
        yield _taken(home)


def lines_of(file: Path) -> Iterator[bytes]:
    """The lines of a file, without empty ones; one that is too long to be ours counts as one."""
    with file.open("rb") as reader:
        for line in reader:
            if line.strip():
                yield line.strip()


def put_aside(home: Path, line: bytes) -> None:
    """Keep a line that cannot be read, as far as there is room, for somebody to look at."""
    with contextlib.suppress(OSError):
        if _size_of(home / BROKEN) + len(line) < _MOST_BROKEN:
            with _opened(home / BROKEN) as file:
                file.write(line + b"\n")


def _move_aside(home: Path) -> None:
    """Unless somebody is writing this very moment: then it is for the next time."""
    with contextlib.suppress(OSError), _guarded(home, shared=False) as guarded:
        if not guarded:
            return
        if _OPEN_FILES_STAY:  # nobody has it open: the guard says so
            _set_aside(home)
            return
        with _opened(home / FILE) as file:
            if _lock(file, shared=False) and _is_still(home / FILE, file):
                _set_aside(home)


def _set_aside(home: Path) -> None:
    if _size_of(home / FILE):
        last = max((int(each.name.removeprefix(_TAKEN)) for each in _taken(home)), default=0)
        (home / FILE).rename(home / f"{_TAKEN}{last + 1:08}")


@contextlib.contextmanager
def _guarded(home: Path, *, shared: bool) -> Iterator[bool]:
    """Whether the spool may be used. Windows renames no open file, so there a file beside it is locked as well."""
    if not _OPEN_FILES_STAY:
        yield True
        return
    with _opened(home / _GUARD) as guard:
        yield _lock(guard, shared=shared)


def _taken(home: Path) -> list[Path]:
    return sorted(file for file in home.glob(f"{_TAKEN}*") if file.name.removeprefix(_TAKEN).isdigit())


def _is_still(path: Path, file: IO[bytes]) -> bool:
    """Whether a file is the one at its path, and has not been moved aside since it was opened."""
    try:
        there = path.stat()
    except OSError:
        return False
    mine = os.fstat(file.fileno())
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _opened(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600), "ab", buffering=0)


def _lock(file: IO[bytes], *, shared: bool) -> bool:
    return take_lock(file.fileno(), shared=shared)


def _lines_in(file: Path) -> int:
    try:
        return sum(1 for _ in lines_of(file)) if file.is_file() else 0
    except OSError:
        return 0


def _size_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
