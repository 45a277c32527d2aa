"""Files beside a database of what can always be made anew from it.

They hold what the database holds, in another form, so nobody else may read them, and all of them go when anything is
erased. The next process that needs one makes it again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from recollect.domain.clock import Clock
from recollect.stores.sqlite.folders import make_file, make_folder


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
