"""The chosen parts, side by side, typed by ports."""

from __future__ import annotations

import threading
from collections import Counter

from recollect.domain.clock import Clock
from recollect.domain.dataclass import dataclass, field
from recollect.domain.meanings import Closeness, Embedder, Meaning, Nearness, Vectors
from recollect.domain.ports import AccessTokens, Archive, Desk, Receipts, Store
from recollect.settings import Settings


class Tally:
    """How often things happened since this process began, by what they are; never what they were about."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, ...]] = Counter()

    def add(self, counts: Counter[tuple[str, ...]]) -> None:
        with self._lock:
            self._counts.update(counts)

    def counts(self) -> dict[tuple[str, ...], int]:
        with self._lock:
            return dict(self._counts)


@dataclass(frozen=True, slots=True)
class Engine:
    """What every verb works with. Without an embedder there are no vectors, and words do the work.

    `pieces` is the second embedder, for comparing word by word.
    """

    settings: Settings
    clock: Clock
    store: Store
    archive: Archive
    desk: Desk
    vectors: Vectors
    receipts: Receipts
    tokens: AccessTokens
    embedder: Embedder | None = None
    nearness: Nearness | None = None
    pieces: Embedder | None = None
    closeness: Closeness | None = None
    meaning: Meaning | None = None
    tally: Tally = field(default_factory=Tally)

    @property
    def embedders(self) -> tuple[Embedder, ...]:
        """All that make vectors of a text that is written."""
        return tuple(each for each in (self.embedder, self.pieces) if each is not None)
