"""A folder as a target: another disk, a share, a stick."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from recollect.backups.addresses import FolderAddress
from recollect.backups.targets import (
    MOST_MANIFEST_BYTES,
    Item,
    Moved,
    disk_failure,
    not_there,
    object_not_there,
)
from recollect.disk import sync_folder

_CHUNK = 1 << 20  # bytes


class Folder:
    """Files of a folder. Only the folder itself is made, never those above: a disk that is not mounted is missed."""

    def __init__(self, address: FolderAddress, *, making: bool) -> None:
        self.shown = address.shown
        self._path = address.path
        if self._path.is_dir():
            return
        if not making or self._path.exists() or not self._path.parent.is_dir():
            raise not_there(f"folder {self.shown}", "Make it, or check that its disk is mounted.")
        with self._telling():
            self._path.mkdir(mode=0o700)
            sync_folder(self._path.parent)

    def items(self) -> Sequence[Item]:
        with self._telling():
            found = [each for each in self._path.iterdir() if not each.name.startswith(".") and each.is_file()]
            return [Item(each.name, each.stat().st_size) for each in found]

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        with self._telling():
            for name in names:
                with suppress(FileNotFoundError), (self._path / name).open("rb") as file:
                    content = file.read(MOST_MANIFEST_BYTES + 1)
                    found[name] = content if len(content) <= MOST_MANIFEST_BYTES else b""
        return found

    def put(self, name: str, file: Path, moved: Moved) -> None:
        draft = self._path / f".{name}.draft"
        with self._telling():
            try:
                _copied(file, draft, moved)
                draft.replace(self._path / name)
                sync_folder(self._path)
            finally:
                with suppress(OSError):
                    draft.unlink(missing_ok=True)

    def fetch(self, name: str, into: Path, moved: Moved) -> None:
        with self._telling():
            try:
                _copied(self._path / name, into, moved)
            except FileNotFoundError:
                raise object_not_there(self.shown, name) from None

    def remove(self, names: Collection[str]) -> None:
        with self._telling():
            for name in names:
                (self._path / name).unlink(missing_ok=True)
            sync_folder(self._path)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise disk_failure(problem, self.shown) from problem


def _copied(source: Path, target: Path, moved: Moved) -> None:
    done = 0
    with source.open("rb") as reader, target.open("xb") as writer:
        target.chmod(0o600)
        while chunk := reader.read(_CHUNK):
            writer.write(chunk)
            done += len(chunk)
            moved(done)
        writer.flush()
        os.fsync(writer.fileno())
