"""Files that are whole at every moment, after a power loss too.

A file is safe once its bytes were synced, its name only once the folder that holds it was. The standard library only:
hooks, which have no time, write with it as well.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False  # importing it from `typing` would take as long as this module
if TYPE_CHECKING:
    from collections.abc import Iterable

OWN = 0o600  # for its owner only


def write_whole(path: Path, content: bytes, *, mode: int = OWN) -> None:
    """Write a file so that at every moment it is whole: as it was or as it shall be."""
    write_draft_over(path, content, mode=mode)
    sync_folder(path.parent)


def write_draft_over(path: Path, content: bytes, *, mode: int = OWN) -> None:
    """Write a file whole or not at all; which of the two is settled once its folder is synced."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        write_draft(draft, content)
        if mode != OWN:
            draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def write_draft(draft: str | Path, content: bytes, *, sync: bool = True) -> os.stat_result:
    """Write a file that has not its own name yet; what it is then. Without `sync` its bytes are still to be synced."""
    descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), OWN)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(descriptor, left) :]
        if sync:
            os.fsync(descriptor)
        return os.fstat(descriptor)
    finally:
        os.close(descriptor)


def sync_files(folder: Path, files: Iterable[str]) -> None:
    """Return once the bytes of many files below a folder are safe.

    Linux can sync a whole file system at once, which takes a fraction of the time that each file by itself does.
    """
    if not _sync_file_system(folder):
        for file in files:
            descriptor = os.open(file, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _sync_file_system(folder: Path) -> bool:
    """Whether the system has such a call, and it went well; why it did not is told by the files one by one."""
    if sys.platform != "linux":
        return False
    import ctypes

    sync = getattr(ctypes.CDLL(None), "syncfs", None)
    if sync is None:
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return bool(sync(descriptor) == 0)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are safe. Windows has no such call and keeps names by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
