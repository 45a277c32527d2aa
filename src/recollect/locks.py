"""Locks of open files that end with their process: shared or exclusive, and never waited for.

POSIX has `flock`. Windows has exclusive locks of byte ranges only, so a shared lock is one of several slots and an
exclusive lock is all of them. The slots lie far behind the end of any file of ours: a locked byte cannot be written.
The standard library only: hooks, which have no time, take locks as well.
"""

from __future__ import annotations

import os
from typing import Protocol

SLOTS = 64  # processes that can share a lock on Windows at the same moment
PLACE = 0x7FFF_0000  # of the first slot; `msvcrt.locking` knows positions of 32 bits only


class ByteLocks(Protocol):
    """The part of `msvcrt` that is used: `locking` locks bytes from where the file stands, or raises `OSError`."""

    LK_NBLCK: int

    def locking(self, descriptor: int, mode: int, count: int, /) -> None: ...


def take_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file, unless somebody else has it in a way that excludes this. It is let go of by closing it."""
    if os.name == "nt":
        import msvcrt

        return lock_bytes(msvcrt, descriptor, shared=shared)  # type: ignore[arg-type,unused-ignore]
    import fcntl

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def lock_bytes(system: ByteLocks, descriptor: int, *, shared: bool) -> bool:
    """The same with locks of bytes. A file that is appended to is written at its end, wherever it stands."""
    if not shared:
        return _locked(system, descriptor, PLACE, SLOTS)
    first = os.getpid() % SLOTS
    return any(_locked(system, descriptor, PLACE + (first + turn) % SLOTS, 1) for turn in range(SLOTS))


def _locked(system: ByteLocks, descriptor: int, place: int, count: int) -> bool:
    was = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, place, os.SEEK_SET)
        system.locking(descriptor, system.LK_NBLCK, count)
    except OSError:
        return False
    finally:
        os.lseek(descriptor, was, os.SEEK_SET)
    return True
