"""A target as a test sees it: behind the product's back, objects are looked at, changed and taken away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from recollect import Memory
from recollect.backups.addresses import parsed
from recollect.backups.targets import Target
from recollect.backups.transfer import opened


@dataclass(frozen=True)
class Place:
    """A target of some kind, by its address."""

    kind: str
    address: str
    folder: Path

    @cached_property
    def target(self) -> Target:
        """The target itself, made if it is not there."""
        scratch = self.folder / "behind-its-back"
        scratch.mkdir()
        return opened(parsed(self.address), scratch, making=True)

    def names(self) -> list[str]:
        return sorted(item.name for item in self.target.items())

    def content(self, name: str) -> bytes:
        file = self.folder / "looked-at"
        self.target.fetch(name, file, lambda _: None)
        content = file.read_bytes()
        file.unlink()
        return content

    def put(self, name: str, content: bytes) -> None:
        """Put something there, in place of what may be there by that name."""
        file = self.folder / "put"
        file.write_bytes(content)
        self.target.remove([name])
        self.target.put(name, file, lambda _: None)
        file.unlink()

    def drop(self, name: str) -> None:
        self.target.remove([name])


def everything(memory: Memory) -> list[str]:
    """All that a memory holds, line by line."""
    lines: list[str] = []
    cursor = None
    while True:
        page = memory.export(cursor=cursor)
        lines.extend(str(record) for record in page.records)
        cursor = page.next_cursor
        if cursor is None:
            return lines
