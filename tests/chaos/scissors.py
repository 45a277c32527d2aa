"""A sync that is cut off in the middle: as a killed process leaves it, and as often as a test likes."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from recollect import Memory, disk
from recollect.vault import folder
from recollect.vault.git import GitRepository

STEPS = 80  # more than a sync takes: git commands, files of ours, and writes to memory


class Cut(BaseException):
    """The process ends here."""


class Scissors:
    """Counts the steps of a sync and ends it before a given one."""

    def __init__(self, at: int) -> None:
        self.left = at
        self._run, self._write, self._apply = GitRepository._run_bytes, disk.write_draft_over, Memory._apply

    def __enter__(self) -> Scissors:
        self._patches = [
            patch.object(GitRepository, "_run_bytes", self._counting(self._run)),
            patch.object(disk, "write_draft_over", self._counting(self._write)),
            patch("recollect.vault.folder.write_draft", self._counting(disk.write_draft)),
            patch("recollect.vault.folder._landed", self._counting(folder._landed)),
            patch.object(Memory, "_apply", self._counting(self._apply)),
        ]
        for each in self._patches:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._patches:
            each.stop()

    def _counting(self, step: Any) -> Any:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise Cut
            return step(*arguments, **named)

        return counted
