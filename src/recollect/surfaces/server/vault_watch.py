"""While a server runs, its vaults are looked at every moment: an edited file is in search shortly after.

It is a look at the names, sizes and times of the files; only when one of them or memory has changed is more done. A
look that fails is written down and tried again, and never ends the server.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import Busy, RecollectError
from recollect.domain.origin import Caller, Channel
from recollect.memory import Memory

EVERY = 1.0  # seconds between two looks

_log = logging.getLogger("recollect.vault")


@dataclass(slots=True)
class Watch:
    """Looks at the vaults of a home again and again, until it is stopped."""

    memory: Memory
    every: float = EVERY
    looks: int = 0
    _seen: dict[str, tuple[object, ...]] = field(default_factory=dict)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _looked: threading.Condition = field(default_factory=threading.Condition)

    def run(self) -> None:
        while not self._stopping.wait(self.every):
            for space in self.memory.vaults.spaces():
                try:
                    self.look_at(space)
                except Busy:
                    continue  # somebody is syncing, which does the same
                except (RecollectError, OSError) as problem:
                    _log.warning("the vault of %s could not be looked at: %s", space, problem)
            with self._looked:
                self.looks += 1
                self._looked.notify_all()

    def look_at(self, space: str) -> None:
        """Bring memory and folder in step, if either changed since the last look."""
        before = self.memory.vaults.signature(space)
        if self._seen.get(space) == before:
            return
        self.memory.scan_vault(space=space)
        # The signature from before the scan: a change during it makes the next look scan again.
        self._seen[space] = before

    def wait(self, looks: int, *, seconds: float) -> bool:
        """Wait until it has looked so many times more; whether it did within the time."""
        with self._looked:
            until = self.looks + looks
            return self._looked.wait_for(lambda: self.looks >= until, seconds)

    def stop(self) -> None:
        self._stopping.set()


@contextmanager
def watching(memory: Memory, *, every: float = EVERY) -> Iterator[Watch]:
    """Watch the vaults of a memory for as long as the block lasts."""
    watch = Watch(memory.acting_as(Caller(Channel.VAULT_EDIT, memory.settings.principal)), every)
    thread = threading.Thread(target=watch.run, name="recollect-vault", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.stop()
        thread.join()
