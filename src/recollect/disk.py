"""Files that are whole at every moment, after a power loss too.

A file is safe once its bytes were synced, its name only once the folder that holds it was. The standard library only:
hooks, which have no time, write with it as well.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWN = 0o600  # for its owner only


def write_whole(path: Path, content: bytes, *, mode: int = OWN) -> None:
    """Write a file so that at every moment it is whole: as it was or as it shall be."""
    write_draft_over(path, content, mode=mode)
    sync_folder(path.parent)


def write_draft_over(path: Path, content: bytes, *, mode: int = OWN) -> None:
    """Write a file whole or not at all; which of the two is settled once its folder is synced."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        descriptor = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), OWN)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode != OWN:
            draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are safe. Windows has no such call and keeps names by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
