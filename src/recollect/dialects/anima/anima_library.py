"""`from recollect.dialects.anima import Memory`: the Python class of Anima, on a memory of ours in this process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.anima import anima_models as models
from recollect.dialects.anima.anima_models import MemoryExport, MemoryItem
from recollect.dialects.conversation import wish_in
from recollect.dialects.library import Opened, aside
from recollect.dialects.plain_models import TableSettings, settings_table
from recollect.domain.clock import SystemClock, uuid_of
from recollect.domain.errors import InvalidInput, NotFound

_THEIRS = "sqlite:///./anima.db"  # the database of Anima itself, which is not ours to write to


class Config(TableSettings):
    """The settings of Anima. `database_url` and `watch_keywords` are used; the others are kept, and change nothing."""

    DEFAULTS = settings_table(__package__ or "", "config.json")


class AnimaMemory(Opened):
    """Memory as Anima has it. Everything belongs to a `user_id`; ids are UUIDs.

    The parts that Anima is put together from (`embed_fn`, `llm`, stores, extractors) may be given, and are not used:
    memory reads, embeds and keeps by itself. `memory` is one of ours to work on, and `settings` are those of ours.
    """

    def __init__(
        self,
        config: Config | None = None,
        embed_fn: Any = None,
        llm: Any = None,  # noqa: ARG002 - given by programs that were written for Anima
        *_: Any,
        auto_embedder: bool = True,
        memory: Any = None,
        space: str | None = None,
        settings: Mapping[str, Any] | None = None,
        **__: Any,
    ) -> None:
        if embed_fn is None and not auto_embedder:
            raise ValueError("embed_fn is required when auto_embedder=False.")
        self.config = config or Config()
        store = _store_of(self.config)
        super().__init__(memory, space, **{**({"store": store} if store else {}), **(settings or {})})
        self._owns, self._space = True, space or self._doer.memory.settings.space
        self._clock = SystemClock()

    async def add(
        self,
        conversation: str,
        user_id: str,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_dedup: bool = True,  # noqa: ARG002
        ttl_days: float | None = None,
        enrich: bool = True,  # noqa: ARG002
    ) -> list[MemoryItem]:
        """Learn the facts of a conversation. They are reconciled with what is known, and a profile is never behind."""
        more = {"agent": agent_id, "session": session_id, "ttl_days": ttl_days}
        told = await aside(actions.add, self._doer, conversation, user_id, **more)
        return _items(told["memories"])

    async def enrich(self, user_id: str, saved: list[MemoryItem]) -> None:
        """Nothing is left to do after `add`."""

    async def watch(
        self,
        message: str,
        user_id: str,
        *,
        agent_id: str | None = None,
        session_id: str | None = None,
        ttl_days: float | None = None,
    ) -> bool:
        """Remember a message that asks to be remembered; whether it did."""
        wish = wish_in(message, self.config.watch_keywords)
        if wish is None:
            return False
        more = {"agent": agent_id, "session": session_id, "ttl_days": ttl_days, "metadata": {"source": "watch_signal"}}
        told = await aside(actions.add, self._doer, wish, user_id, **more)
        return bool(told["saved_count"])

    def ingest_file(
        self,
        file_path: str,
        namespace: str,
        user_id: str,
        *,
        agent_id: str | None = None,
        ttl_days: float | None = None,
    ) -> list[MemoryItem]:
        """Take a document in, passage by passage. Every kind of file that `recollect ingest` reads is taken."""
        try:
            more = {"agent": agent_id, "ttl_days": ttl_days}
            told = actions.ingest_file(self._doer, str(file_path), namespace, user_id, **more)
        except NotFound as problem:
            raise FileNotFoundError(problem.message) from None
        except InvalidInput as problem:
            raise ValueError(problem.message) from None
        return _items(told["memories"])

    def search(
        self,
        query: str,
        user_id: str,
        *,
        top_k: int = 10,
        include_history: bool = False,
        include_superseded: bool | None = None,
    ) -> models.SearchResult:
        """The facts, messages and passages that answer, with a block of text for a model."""
        found = actions.search(self._doer, query, user_id, top_k, history=include_history or bool(include_superseded))
        episodes = [models.Episode.model_validate(each) for each in found["episodes"]]
        return models.SearchResult(_items(found["facts"]), episodes, _items(found["chunks"]), found["injected_prompt"])

    def get(self, memory_id: str) -> MemoryItem | None:
        """One fact; `None` if there is none."""
        found = actions.found(self._doer, memory_id)
        return MemoryItem.model_validate(found) if found else None

    def delete(self, memory_id: str) -> None:
        """Erase one fact. What is not there is as if it had been erased."""
        actions.deleted(self._doer, memory_id)

    def pin(self, memory_id: str) -> MemoryItem:
        """Keep one fact for good."""
        pinned = actions.pinned(self._doer, memory_id)
        if pinned is None:
            raise ValueError(f"MemoryItem with id={memory_id!r} not found.")
        return MemoryItem.model_validate(pinned)

    def history(self, user_id: str, *, current_only: bool = False) -> list[MemoryItem]:
        """Every fact of a user, oldest first."""
        return _items(actions.listed(self._doer, user_id, 0, 100_000, superseded=not current_only)["items"])

    def episodes(self, user_id: str) -> list[models.Episode]:
        """The last messages of a user, oldest first."""
        return [models.Episode.model_validate(each) for each in actions.episodes(self._doer, user_id)]

    def profile(self, user_id: str) -> models.UserProfile | None:
        """The profile of a user; `None` if nothing is known."""
        known = actions.profile(self._doer, user_id, self._clock)
        return models.UserProfile.model_validate(known) if known else None

    async def rebuild_profile(self, user_id: str) -> models.UserProfile:
        """The same as `profile`, which is read from the facts each time."""
        return self.profile(user_id) or models.UserProfile(user_id)

    def export(self, user_id: str) -> MemoryExport:
        """Everything of a user, history included."""
        return MemoryExport.model_validate(actions.exported(self._doer, user_id, self._clock))

    def import_memories(self, data: MemoryExport | Mapping[str, Any]) -> int:
        """Take an export in; how many facts were new. A profile is read from the facts, so that of the file is not."""
        export = MemoryExport.model_validate(data).model_dump(mode="json")
        return int(actions.imported(self._doer, export, self._space, trust=True).imported)

    def graph_search(self, entity: str, *, user_id: str | None = None) -> list[str]:
        """The neighbours of an entity, as `Name (relationship)`."""
        return actions.related(self._doer, entity, user_id)

    def decay_memories(self, user_id: str) -> models.DecayReport:  # noqa: ARG002 - it is done for everybody at once
        """End what has faded or has reached its end. Nothing is deleted but what was given a time to live."""
        tidied = self._doer.do("tidy")
        expired, faded = list(map(uuid_of, tidied.expired)), list(map(uuid_of, tidied.faded))
        return models.DecayReport(faded, list(map(uuid_of, tidied.erased)), expired)

    def reindex_vectors(self) -> int:
        """Make vectors that are missing; how many notes there are."""
        self._doer.do("reindex")
        return int(self._doer.do("count").total)

    def list(
        self, user_id: str, *, offset: int = 0, limit: int = 50, include_superseded: bool = True
    ) -> models.MemoryListPage:
        """One page of a user's facts, oldest first."""
        if offset < 0:
            raise ValueError("offset must be >= 0")
        if limit < 1:
            raise ValueError("limit must be >= 1")
        page = actions.listed(self._doer, user_id, offset, limit, superseded=include_superseded)
        return models.MemoryListPage.model_validate(page)


def _items(plain: Any) -> list[MemoryItem]:
    return [MemoryItem.model_validate(each) for each in plain]


def _store_of(config: Config) -> str | None:
    """The store beside the database that the settings name; `None` for that of the home of Recollect.

    The file of Anima itself stays as it is: ours has `.recollect.db` at its end.
    """
    kind, _, place = config.database_url.partition("://")
    if config.database_url == _THEIRS:
        return None
    if kind.startswith("sqlite"):
        path = place.removeprefix("/")
        return ":memory:" if path in ("", ":memory:") else str(Path(path).with_suffix(".recollect.db"))
    return str(config.database_url)
