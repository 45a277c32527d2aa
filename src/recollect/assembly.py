"""The only place that chooses: settings become an engine."""

from __future__ import annotations

from recollect.domain.clock import Clock, SystemClock
from recollect.engine import Engine
from recollect.inference.choosing import choose_embedder
from recollect.recall.warming import VectorIndexes
from recollect.settings import Settings
from recollect.stores.opening import open_store


def assemble(settings: Settings, *, clock: Clock | None = None) -> Engine:
    """Open everything the settings name."""
    clock = clock or SystemClock()
    embedder = choose_embedder(settings.embedding, settings.models)
    store = open_store(settings.store, clock=clock, busy_timeout=settings.busy_timeout)
    nearness = VectorIndexes(store, store.vectors, embedder) if embedder else None
    return Engine(
        settings,
        clock,
        store,
        store.archive,
        store.desk,
        store.vectors,
        store.receipts,
        store.tokens,
        embedder,
        nearness,
    )
