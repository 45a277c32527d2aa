"""Folders and small files that are still there after a power loss.

A name is safe only once the folder that holds it was synced, and the same is true of that folder's own name.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from recollect.disk import sync_folder
from recollect.domain.errors import StorageFull, StoreFailure


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, for their owner only, unless they are there."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def make_file(path: Path) -> None:
    """Make an empty file that only its owner can read; it must not be there yet."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def write_safely(path: Path, text: str, *, draft: Path) -> None:
    """Write a file so that at every moment it is whole, as it was or as it shall be."""
    make_file(draft)
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def not_writable(path: Path, problem: OSError, *, hint: str) -> StoreFailure:
    """Why a file or a folder could not be made, as one of our errors."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull()
    return StoreFailure(f"{path} cannot be written: {problem.strerror}.", code="not_writable", hint=hint)
