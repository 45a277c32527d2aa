"""The only place that chooses: settings become an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.clock import Clock, SystemClock
from recollect.domain.dataclass import replace
from recollect.domain.scopes import checked_space
from recollect.engine import Deferred, Engine, Inference, ServedModels
from recollect.process_state import Bell
from recollect.settings import EMBEDDING_ELSEWHERE, Settings, without_password
from recollect.stores.opening import file_of, is_in_memory, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from recollect.domain.answers.recollections import Rescue
    from recollect.domain.chat.provider_settings import ProviderSettings
    from recollect.domain.links.statement_link import Judge
    from recollect.domain.meanings import Embedder, EmbeddingChoice, Nearness, Relevance, Vectors
    from recollect.domain.ports import Backups, ChangeLog, Store
    from recollect.domain.readings import Reader
    from recollect.engine import WholeStore
    from recollect.providers.configured_models import ConfiguredModels
    from recollect.sealing import Sealing
    from recollect.signal_bus import SignalBus
    from recollect.stores.database import Database
    from recollect.stores.moves.space_move import MoveReport
    from recollect.stores.sql_store import SqlStore


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


def role_script(**roles: str) -> str:
    """The statements that make the roles of a shared database."""
    try:
        from recollect.stores.postgres.roles import grants
    except ImportError:
        from recollect.stores.opening import extra_missing

        raise extra_missing() from None
    return grants(**roles)


def move_space(
    settings: Settings,
    space: str,
    to: str,
    *,
    dry_run: bool = False,
    erase: bool = False,
    cancel: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> MoveReport:
    """Move a space into another store while it is in use, or go on with a move that was interrupted."""
    from contextlib import closing

    from recollect.domain.errors import InvalidInput, Unsupported
    from recollect.domain.origin import Channel, Origin
    from recollect.stores.moves.space_move import SpaceMove

    at = settings.routes.get(space, settings.store)
    here, there, clock = _known_as(at), _known_as(to), SystemClock()
    if here == there:
        raise InvalidInput(f"The space is in {here} already.", code="same_store")
    if is_in_memory(at) or is_in_memory(to):
        raise Unsupported("A store in memory is gone with its process; no space is moved from it or into it.")
    with (
        closing(_opened(settings, at, clock)) as source,
        closing(_opened(settings, _tried(to, dry_run), clock)) as target,
    ):
        move = SpaceMove(
            checked_space(space),
            (source.database, here),
            (target.database, there),
            clock=clock,
            origin=Origin(Channel.CLI, settings.principal),
            tell=tell,
        )
        if dry_run:
            return move.rehearse()
        return move.cancel() if cancel else move.run(erase=erase)


def copies_of(store: Store, space: str, clock: Clock, home: Path) -> Backups:
    """One space of a store, as something that is copied and taken back beside all others."""
    from recollect.backups.transfer import scratch
    from recollect.stores.moves.space_copy import SpaceCopy
    from recollect.stores.sql_store import SqlStore

    if not isinstance(store, SqlStore):
        raise AssertionError("every store is one of SQL")
    return SpaceCopy(store.database, space, clock, lambda: scratch(home, clock.new_id().lower()))


def _opened(settings: Settings, address: str, clock: Clock) -> SqlStore:
    limits = {"busy_timeout": settings.busy_timeout, "statement_timeout": settings.statement_timeout}
    replica = settings.replica if address == settings.store else ""
    return open_store(address, clock=clock, **limits, replica=replica)


def _routed(settings: Settings, store: SqlStore, clock: Clock) -> SqlStore:
    """The store, with some of its spaces in other databases."""
    from recollect.stores.sql_store import SqlStore

    if store.kind != "postgres":
        from recollect.domain.errors import Misconfigured

        store.close()
        raise Misconfigured("The setting `routes` is for a store in PostgreSQL.", code="routes_without_server")
    from recollect.stores.postgres.routed_database import RoutedDatabase

    def open_at(address: str) -> Database:
        return _opened(settings, address, clock).database

    return SqlStore(RoutedDatabase(store.database, settings.routes, open_at), store.schema)


def _tried(address: str, dry_run: bool) -> str:
    """The store to open: a dry run makes no file, and an empty store in memory stands in for one that is not there."""
    file = file_of(address)
    return ":memory:" if dry_run and file is not None and not file.exists() else address


def _known_as(address: str) -> str:
    """An address as another store remembers it: the whole path of a file, or without a password."""
    file = file_of(address)
    return without_password(address) if file is None else str(file)


def assemble(settings: Settings, *, clock: Clock | None = None) -> Engine:
    """Open everything the settings name."""
    clock = clock or SystemClock()
    # A wrong name is told at once.
    checked_space(settings.space)
    if settings.embedding == EMBEDDING_ELSEWHERE:
        _embedding_elsewhere(settings, settings.embedding)
    named = settings.embedding in ("auto", "off", EMBEDDING_ELSEWHERE) or _embedder_here(settings, settings.embedding)
    judge = None if settings.judge in ("auto", "off") else _judge(settings)
    relevance = None if settings.reranker in ("auto", "off") else _relevance(settings)
    store = _opened(settings, settings.store, clock)
    if settings.routes:
        store = _routed(settings, store, clock)
    seals = Deferred(lambda: _sealing(settings))
    chat: Deferred[ConfiguredModels] = Deferred(lambda: _chat_models(settings, store, seals, clock))

    def models(choice: EmbeddingChoice) -> Inference:
        serving = _or_words(settings, chat, choice.serving) if choice.serving else None
        if not choice.serving:
            serving = named if not isinstance(named, bool) else embedder_named(settings, chat, settings.embedding)
        pieces = _pieces(settings) if serving is not None else None
        return replace(
            _inference(serving, pieces, store, store.log, store.vectors),
            judge=judge or _judge(settings),
            relevance=relevance or _relevance(settings),
            beside=_or_words(settings, chat, choice.beside) if choice.beside else None,
        )

    def unchosen() -> Inference:
        from recollect.domain.meanings import EmbeddingChoice

        return models(EmbeddingChoice())

    def chosen() -> EmbeddingChoice:
        return store.vectors.choice()

    is_off = settings.embedding == "off"
    inference = Deferred(unchosen) if is_off else ServedModels(models, chosen)
    return Engine(
        settings,
        clock,
        store,
        inference,
        Deferred(lambda: _reader(settings, inference)),
        seals,
        chat,
        bell=Bell(_bus(settings)),
    )


def _bus(settings: Settings) -> SignalBus | None:
    """The way to other processes, if there is one. Nothing is connected yet."""
    if not settings.redis:
        return None
    from recollect.signal_bus import SignalBus

    return SignalBus(settings.redis, without_password(settings.store))


def _reader(settings: Settings, inference: Deferred[Inference]) -> Reader:
    """The reader, with a second opinion on what it reads where there is a judge."""
    from recollect.readers.choice import choose_reader

    reader, judge = choose_reader(settings.reader), inference.get().judge
    if judge is None:
        return reader
    from recollect.readers.choice import JudgedReader

    return JudgedReader(reader, judge)


def _sealing(settings: Settings) -> Sealing:
    """Nothing of a store that is in memory outlives it, and neither does its key."""
    from recollect.sealing import Sealing, new_key

    return Sealing(settings.home, settings.sealing_key or (new_key() if is_in_memory(settings.store) else ""))


def _chat_models(settings: Settings, store: WholeStore, seals: Deferred[Sealing], clock: Clock) -> ConfiguredModels:
    from recollect.domain.chat.provider_settings import seal_context
    from recollect.providers.configured_models import ConfiguredModels

    def own_key(space: str, provider: str) -> str | None:
        for each in store.provider_keys.keys(space):
            if each.shown.provider == provider:
                return seals.get().open(each.sealed, seal_context(space, provider)).decode()
        return None

    return ConfiguredModels(settings, store.spend, clock, own_key)


def embedder_named(settings: Settings, chat: Deferred[ConfiguredModels], name: str) -> Embedder | None:
    """The embedder of a name, as the setting `embedding` has it, or `PROVIDER:MODEL/DIMENSION`. Nothing is loaded yet.

    Raises `Misconfigured`, `NotFound` or `Unsupported` where this machine has no such model.
    """
    elsewhere = _embedding_elsewhere(settings, name)
    if elsewhere is None:
        return _embedder_here(settings, name)
    from recollect.providers.provider_embedder import ProviderEmbedder

    return ProviderEmbedder(*elsewhere, chat.get())


def _or_words(settings: Settings, chat: Deferred[ConfiguredModels], name: str) -> Embedder | None:
    """The embedder that was chosen for the store; where this machine does not have it, words do the work here."""
    from recollect.domain.errors import RecollectError

    try:
        return embedder_named(settings, chat, name)
    except RecollectError as problem:
        import logging

        logging.getLogger("recollect.models").warning("The model `%s` of this store is not here: %s", name, problem)
        return None


def _embedding_elsewhere(settings: Settings, name: str) -> tuple[ProviderSettings, str] | None:
    """The provider and the model that make vectors, if a name means one of them."""
    if name != EMBEDDING_ELSEWHERE and not any(name.startswith(f"{each.name}:") for each in settings.providers):
        return None
    from recollect.providers.provider_embedder import embedding_choice, embedding_spelled

    return embedding_choice(settings) if name == EMBEDDING_ELSEWHERE else embedding_spelled(settings, name)


def _embedder_here(settings: Settings, name: str) -> Embedder | None:
    from recollect.inference.choice import choose_embedder

    return choose_embedder(name, settings.models)


def _pieces(settings: Settings) -> Embedder | None:
    """The embedder of pieces of texts, not loaded yet."""
    if settings.embedding == EMBEDDING_ELSEWHERE:
        return None
    from recollect.inference.choice import choose_pieces

    return choose_pieces(settings.embedding, settings.models)


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
    from recollect.domain.meanings import RemoteModel
    from recollect.inference.ways_of_asking import ways_of_asking
    from recollect.recall.vectors.background import VectorIndexes
    from recollect.recall.vectors.late_interaction import WordByWord

    nearness: Nearness = VectorIndexes(store, log, vectors, embedder)
    if isinstance(embedder, RemoteModel):  # where it fails, words do the work
        from recollect.providers.provider_embedder import NearnessOrWords

        nearness = NearnessOrWords(nearness)
    return Inference(
        embedder,
        nearness,
        pieces,
        WordByWord(vectors, pieces) if pieces else None,
        ways_of_asking(embedder),
    )
