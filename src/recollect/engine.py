"""The chosen parts, side by side, typed by ports."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.domain.clock import Clock
from recollect.domain.ports import AccessTokens, Archive, Desk, Embedder, Nearness, Receipts, Store, Vectors
from recollect.settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """What every verb works with. Without an embedder there are no vectors, and words do the work."""

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
