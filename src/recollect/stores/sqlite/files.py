"""Files and folders beside a database: durable after a power loss, or made anew from it at any time.

They hold what the database holds, in another form, so nobody else may read them, and all of them go when anything is
erased. The next process that needs one makes it again.

A name is safe only once the folder that holds it was synced, and the same is true of that folder's own name.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable
from pathlib import Path

from recollect.domain.clock import Clock
from recollect.domain.errors import StorageFull, StoreFailure


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, for their owner only, unless they are there."""
    if folder.is_dir():
        return
    from recollect.disk import sync_folder

    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def make_file(path: Path) -> None:
    """Make an empty file that only its owner can read; it must not be there yet."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def write_safely(path: Path, text: str, *, draft: Path) -> None:
    """Write a file so that at every moment it is whole, as it was or as it shall be."""
    from recollect.disk import sync_folder

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


class CacheFolder:
    """A folder named after its database."""

    def __init__(self, database: Path, clock: Clock) -> None:
        self._folder = database.with_name(f"{database.name}-cache")
        self._clock = clock

    def path(self, name: str) -> Path:
        return self._folder / name

    def put(self, name: str, pieces: Iterable[bytes | memoryview]) -> None:
        make_folder(self._folder)
        draft = self.path(f".{name}.{self._clock.new_id()}")
        make_file(draft)
        try:
            with draft.open("wb") as writer:
                for piece in pieces:
                    writer.write(piece)
                writer.flush()
                os.fsync(writer.fileno())
            draft.rename(self.path(name))
        finally:
            draft.unlink(missing_ok=True)

    def drop(self, name: str) -> None:
        with contextlib.suppress(OSError):
            self.path(name).unlink(missing_ok=True)

    def clear(self) -> None:
        """Take away every file, unfinished ones too: whoever writes one then finds it gone, and gives up."""
        if self._folder.is_dir():
            for file in self._folder.iterdir():
                file.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # another process may just have begun a file
                self._folder.rmdir()
