"""The only place that chooses: settings become an engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect.domain.clock import Clock, SystemClock
from recollect.domain.errors import Unsupported
from recollect.domain.recollections import Rescue
from recollect.engine import Engine
from recollect.inference.choosing import choose_embedder, choose_pieces
from recollect.inference.ways_of_asking import ways_of_asking
from recollect.recall.warming import VectorIndexes
from recollect.recall.word_by_word import WordByWord
from recollect.settings import Settings
from recollect.stores.opening import open_store


def rescue_from(settings: Settings, source: Path | None, write: Callable[[dict[str, Any]], None]) -> Rescue:
    """Hand out every record that a damaged store, or another file, still holds. Nothing is opened or changed."""
    scheme, separator, rest = settings.store.partition("://")
    if source is None and (settings.store == ":memory:" or (separator and scheme != "sqlite")):
        raise Unsupported(
            "Only a file can be rescued.", hint="A server's own tools mend its database; `--from FILE` names a file."
        )
    from recollect.stores.sqlite.rescue import rescue

    path = source or Path(rest.removeprefix("/") if separator else settings.store)
    return rescue(path.expanduser().absolute(), write)


def assemble(settings: Settings, *, clock: Clock | None = None) -> Engine:
    """Open everything the settings name."""
    clock = clock or SystemClock()
    embedder = choose_embedder(settings.embedding, settings.models)
    pieces = choose_pieces(settings.embedding, settings.models)
    store = open_store(settings.store, clock=clock, busy_timeout=settings.busy_timeout)
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
        VectorIndexes(store, store.vectors, embedder) if embedder else None,
        pieces,
        WordByWord(store.vectors, pieces) if pieces else None,
        ways_of_asking(embedder),
    )
