"""A folder for the time of one transfer, in our own home: private, and where there is room for a copy of the store.

A lock beside it says that somebody is at work in it. What a killed process left behind, perhaps a whole copy, the next
one removes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from recollect.backups.targets import disk_failure
from recollect.locks import take_lock

_BEGINNING, _LOCK = ".backup-", ".lock"


@contextmanager
def scratch(home: Path, chance: str) -> Iterator[Path]:
    """An empty folder that is gone afterwards. What the disk refuses is raised as one of our errors."""
    folder = home / f"{_BEGINNING}{chance}"
    lock = folder.with_name(folder.name + _LOCK)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_abandoned(home)
        held = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            take_lock(held)
            folder.mkdir(mode=0o700)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)
            os.close(held)
    except OSError as problem:
        raise disk_failure(problem, str(home)) from problem


def _remove_abandoned(home: Path) -> None:
    for lock in home.glob(f"{_BEGINNING}*{_LOCK}"):
        with suppress(OSError):  # somebody else removes it
            held = os.open(lock, os.O_RDWR)
            try:
                if take_lock(held):
                    shutil.rmtree(lock.with_name(lock.name.removesuffix(_LOCK)), ignore_errors=True)
                    lock.unlink(missing_ok=True)
            finally:
                os.close(held)
