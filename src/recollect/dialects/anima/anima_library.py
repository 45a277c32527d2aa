"""`from recollect.dialects.anima import Memory`: the Python class of Anima, on a memory of ours in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from recollect.dialects.anima import anima_actions as actions
from recollect.dialects.anima.anima_models import (
    DecayReport,
    Episode,
    MemoryExport,
    MemoryItem,
    MemoryListPage,
    SearchResult,
    UserProfile,
)
from recollect.dialects.library import InProcess
from recollect.domain.clock import SystemClock
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.handles.uuids import uuid_of
from recollect.settings import foreign_variables

T = TypeVar("T")

_WISHES = ("remember", "don't forget", "save this", "keep in mind", "note that")
_THEIRS = "sqlite:///./anima.db"  # the database of Anima itself, which is not ours to write to
# The fields of a configuration that are read from the environment, with what each is made of.
_FIELDS = {
    "openrouter_api_key": str, "openrouter_model": str, "openrouter_base_url": str, "database_url": str,
    "vector_store_path": Path, "graph_store_path": Path, "embedding_dim": int, "extraction_max_tokens": int,
    "chunk_size": int, "chunk_overlap": int, "bm25_weight": float, "profile_rebuild_threshold": int,
    "decay_rate_per_week": float, "decay_min_confidence": float, "log_level": str,
}  # fmt: skip


@dataclass(slots=True)
class Config:
    """The settings of Anima. `database_url` and `watch_keywords` are used; the others are kept, and change nothing."""

    openrouter_api_key: str = ""
    openrouter_model: str = "anthropic/claude-3.5-haiku"
    openrouter_base_url: str = "https://openrouter.ai/api/v1"
    database_url: str = _THEIRS
    vector_store_path: Path = Path("./data/faiss")
    graph_store_path: Path = Path("./data/graph")
    embedding_dim: int = 1536
    extraction_max_tokens: int = 2048
    chunk_size: int = 1000
    chunk_overlap: int = 200
    bm25_weight: float = 0.3
    profile_rebuild_threshold: int = 50
    decay_rate_per_week: float = 0.05
    decay_min_confidence: float = 0.1
    watch_keywords: list[str] = field(default_factory=lambda: list(_WISHES))
    log_level: str = "INFO"

    @classmethod
    def from_env(cls) -> Config:
        """The settings from variables of the environment, by their names in capital letters."""
        said = foreign_variables(name.upper() for name in (*_FIELDS, "watch_keywords"))
        given: dict[str, Any] = {
            name: kind(said[name.upper()]) for name, kind in _FIELDS.items() if name.upper() in said
        }
        words = [word.strip().lower() for word in said.get("WATCH_KEYWORDS", "").split(",") if word.strip()]
        if words:
            given["watch_keywords"] = words
        return cls(**given)


class AnimaMemory:
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
        given = {**({"store": store} if store else {}), **(settings or {})}
        self._doer = InProcess(memory, space) if memory is not None else InProcess.opened(space, **given)
        self._space = space or self._doer.memory.settings.space
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
        told = await _aside(actions.add, self._doer, conversation, user_id, **more)
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
        text = message.strip()
        if not any(word in text.lower() for word in self.config.watch_keywords):
            return False
        lead = next((word for word in self.config.watch_keywords if text.lower().startswith(word)), "")
        wish = text[len(lead) :].lstrip(" ,:")
        wish = wish[5:].lstrip() if lead and wish.lower().startswith("that ") else wish
        more = {"agent": agent_id, "session": session_id, "ttl_days": ttl_days, "metadata": {"source": "watch_signal"}}
        told = await _aside(actions.add, self._doer, wish or text, user_id, **more)
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
            told = actions.ingest_file(
                self._doer, str(file_path), namespace, user_id, agent=agent_id, ttl_days=ttl_days
            )
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
    ) -> SearchResult:
        """The facts, messages and passages that answer, with a block of text for a model."""
        found = actions.search(self._doer, query, user_id, top_k, history=include_history or bool(include_superseded))
        return SearchResult(
            _items(found["facts"]),
            [Episode.model_validate(each) for each in found["episodes"]],
            _items(found["chunks"]),
            found["injected_prompt"],
        )

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

    def episodes(self, user_id: str) -> list[Episode]:
        """The last messages of a user, oldest first."""
        return [Episode.model_validate(each) for each in actions.episodes(self._doer, user_id)]

    def profile(self, user_id: str) -> UserProfile | None:
        """The profile of a user; `None` if nothing is known."""
        known = actions.profile(self._doer, user_id, self._clock)
        return UserProfile.model_validate(known) if known else None

    async def rebuild_profile(self, user_id: str) -> UserProfile:
        """The same as `profile`, which is read from the facts each time."""
        return self.profile(user_id) or UserProfile(user_id)

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

    def decay_memories(self, user_id: str) -> DecayReport:  # noqa: ARG002 - it is done for everybody at once
        """End what has faded or has reached its end. Nothing is deleted but what was given a time to live."""
        tidied = self._doer.do("tidy")
        expired, faded = list(map(uuid_of, tidied.expired)), list(map(uuid_of, tidied.faded))
        return DecayReport(faded, list(map(uuid_of, tidied.erased)), expired)

    def reindex_vectors(self) -> int:
        """Make vectors that are missing; how many notes there are."""
        self._doer.do("reindex")
        return int(self._doer.do("count").total)

    def close(self) -> None:
        """Close the memory."""
        self._doer.close()

    def list(
        self, user_id: str, *, offset: int = 0, limit: int = 50, include_superseded: bool = True
    ) -> MemoryListPage:
        """One page of a user's facts, oldest first."""
        if offset < 0:
            raise ValueError("offset must be >= 0")
        if limit < 1:
            raise ValueError("limit must be >= 1")
        page = actions.listed(self._doer, user_id, offset, limit, superseded=include_superseded)
        return MemoryListPage.model_validate(page)


async def _aside(function: Callable[..., T], *given: Any, **named: Any) -> T:
    """Call on a thread, so that whatever else is awaited goes on."""
    import asyncio

    return await asyncio.to_thread(function, *given, **named)


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
    return config.database_url
