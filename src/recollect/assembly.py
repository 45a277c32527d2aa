"""The only place that chooses: settings become an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.clock import Clock, SystemClock
from recollect.domain.dataclass import replace
from recollect.engine import Deferred, Engine, Inference
from recollect.settings import EMBEDDING_ELSEWHERE, Settings
from recollect.stores.opening import file_of, is_in_memory, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from recollect.domain.answers.recollections import Rescue
    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.domain.links.link_ports import Judge
    from recollect.domain.meanings import Embedder, Relevance, Vectors
    from recollect.domain.ports import ChangeLog, Store
    from recollect.domain.readings import Reader
    from recollect.domain.spend.spend_ledger import SpendLedger
    from recollect.engine import WholeStore
    from recollect.providers.configured_models import ConfiguredModels
    from recollect.sealing import Sealing


def rescue_from(settings: Settings, source: Path | None, write: Callable[[dict[str, Any]], None]) -> Rescue:
    """Hand out every record that a damaged store, or another file, still holds. Nothing is opened or changed."""
    path = source.expanduser().absolute() if source else file_of(settings.store)
    if path is None:
        from recollect.domain.errors import Unsupported

        raise Unsupported(
            "Only a file can be rescued.", hint="A server's own tools mend its database; `--from FILE` names a file."
        )
    from recollect.stores.sqlite.rescue import rescue

    return rescue(path, write)


def assemble(settings: Settings, *, clock: Clock | None = None) -> Engine:
    """Open everything the settings name."""
    clock = clock or SystemClock()
    # A wrong name is told at once.
    elsewhere = _embedding_elsewhere(settings)
    named = None if elsewhere or settings.embedding in ("auto", "off") else _models(settings)
    judge = None if settings.judge in ("auto", "off") else _judge(settings)
    relevance = None if settings.reranker in ("auto", "off") else _relevance(settings)
    store = open_store(settings.store, clock=clock, busy_timeout=settings.busy_timeout)
    chat: Deferred[ConfiguredModels] = Deferred(lambda: _chat_models(settings, store.spend, clock))
    inference = Deferred(
        lambda: replace(
            _inference_elsewhere(elsewhere, chat.get(), store)
            if elsewhere
            else _inference(*(named or _models(settings)), store, store.log, store.vectors),
            judge=judge or _judge(settings),
            relevance=relevance or _relevance(settings),
        )
    )
    return Engine(
        settings,
        clock,
        store,
        store,
        inference,
        Deferred(lambda: _reader(settings, inference)),
        Deferred(lambda: _sealing(settings)),
        chat,
    )


def _reader(settings: Settings, inference: Deferred[Inference]) -> Reader:
    """The reader, with a second opinion on what it reads where there is a judge."""
    from recollect.readers.choice import choose_reader

    reader, judge = choose_reader(settings.reader), inference.get().judge
    if judge is None:
        return reader
    from recollect.readers.judged_reader import JudgedReader

    return JudgedReader(reader, judge)


def _sealing(settings: Settings) -> Sealing:
    """Nothing of a store that is in memory outlives it, and neither does its key."""
    from recollect.sealing import Sealing, new_key

    return Sealing(settings.home, settings.sealing_key or (new_key() if is_in_memory(settings.store) else ""))


def _chat_models(settings: Settings, ledger: SpendLedger, clock: Clock) -> ConfiguredModels:
    from recollect.providers.configured_models import ConfiguredModels

    return ConfiguredModels(settings, ledger, clock)


def _embedding_elsewhere(settings: Settings) -> tuple[ProviderSettings, str] | None:
    """The provider and the model that make vectors, if the settings leave it to one."""
    if settings.embedding != EMBEDDING_ELSEWHERE:
        return None
    from recollect.providers.provider_embedder import embedding_choice

    return embedding_choice(settings)


def _inference_elsewhere(
    choice: tuple[ProviderSettings, str], models: ConfiguredModels, store: WholeStore
) -> Inference:
    """Vectors of a provider; where it fails, words do the work."""
    from recollect.providers.provider_embedder import NearnessOrWords, ProviderEmbedder

    found = _inference(ProviderEmbedder(*choice, models), None, store, store.log, store.vectors)
    return replace(found, nearness=NearnessOrWords(found.nearness) if found.nearness else None)


def _models(settings: Settings) -> tuple[Embedder | None, Embedder | None]:
    """The embedder of texts and the one of their pieces. Neither is loaded yet."""
    from recollect.inference.choice import choose_embedder, choose_pieces

    return choose_embedder(settings.embedding, settings.models), choose_pieces(settings.embedding, settings.models)


def _judge(settings: Settings) -> Judge | None:
    """The model that judges statements, not loaded yet. Where no vectors are made, only one that was asked for."""
    if settings.judge == "off" or (settings.judge, settings.embedding) == ("auto", "off"):
        return None
    from recollect.inference.choice import choose_judge

    return choose_judge(settings.judge, settings.models)


def _relevance(settings: Settings) -> Relevance | None:
    """The model that reads hits beside the question, likewise."""
    if settings.reranker == "off" or (settings.reranker, settings.embedding) == ("auto", "off"):
        return None
    from recollect.inference.choice import choose_reranker

    return choose_reranker(settings.reranker, settings.models)


def _inference(
    embedder: Embedder | None, pieces: Embedder | None, store: Store, log: ChangeLog, vectors: Vectors
) -> Inference:
    if embedder is None:
        return Inference()
    from recollect.inference.ways_of_asking import ways_of_asking
    from recollect.recall.vectors.background import VectorIndexes
    from recollect.recall.vectors.late_interaction import WordByWord

    return Inference(
        embedder,
        VectorIndexes(store, log, vectors, embedder),
        pieces,
        WordByWord(vectors, pieces) if pieces else None,
        ways_of_asking(embedder),
    )
