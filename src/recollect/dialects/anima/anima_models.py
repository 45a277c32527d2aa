"""The records of Anima's Python library, with the fields and methods that programs use.

They are dataclasses with the few methods of pydantic's models that callers of Anima know: see `PlainModel`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from recollect.dialects.anima import anima_records as records
from recollect.dialects.plain_models import PlainModel, PlainSeries
from recollect.domain.clock import SystemClock, parse_time, uuid_of
from recollect.domain.dataclass import dataclass, field
from recollect.domain.errors import InvalidInput

_CLOCK = SystemClock()


def _new_id() -> str:
    return uuid_of(_CLOCK.new_id())


@dataclass(slots=True)
class MemoryItem(PlainModel):
    """A fact with the time in which it holds."""

    content: str
    user_id: str
    id: str = field(default_factory=_new_id)
    agent_id: str | None = None
    session_id: str | None = None
    created_at: datetime = field(default_factory=_CLOCK.now)
    valid_from: datetime = field(default_factory=_CLOCK.now)
    valid_until: datetime | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None
    confidence: float = 1.0
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        PlainModel.__post_init__(self)
        if not self.content:
            raise ValueError("content must not be empty")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError("confidence must be between 0 and 1")
        if self.valid_until is not None and self.valid_until < self.valid_from:
            raise ValueError(f"valid_until ({self.valid_until}) must be >= valid_from ({self.valid_from}).")

    @property
    def is_current(self) -> bool:
        return self.valid_until is None and self.superseded_by is None

    @property
    def is_pinned(self) -> bool:
        return bool(self.metadata.get("pinned"))

    @property
    def confidence_anchor(self) -> datetime:
        """The time from which confidence fades."""
        said = self.metadata.get("confidence_anchor")
        try:
            return parse_time(said, field="confidence_anchor") if isinstance(said, str) else self.created_at
        except InvalidInput:
            return self.created_at

    def is_expired(self, *, now: datetime | None = None) -> bool:
        """Whether its time to live is over."""
        return self.expires_at is not None and self.expires_at <= (now or _CLOCK.now())


@dataclass(slots=True)
class Episode(PlainModel):
    """Something that was said."""

    summary: str
    user_id: str
    id: str = field(default_factory=_new_id)
    session_id: str | None = None
    created_at: datetime = field(default_factory=_CLOCK.now)
    raw_turns: list[dict[str, str]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class UserProfile(PlainModel):
    """The profile of a user."""

    user_id: str
    expertise: list[str] = field(default_factory=list)
    preferences: list[str] = field(default_factory=list)
    location: str | None = None
    ongoing_projects: list[str] = field(default_factory=list)
    raw_json: dict[str, Any] = field(default_factory=dict)
    last_updated: datetime = field(default_factory=_CLOCK.now)
    memory_count: int = 0
    last_rebuild_count: int = 0

    @property
    def drift(self) -> int:
        """The number of facts since the last rebuild; none, since it is read from the facts."""
        return max(0, self.memory_count - self.last_rebuild_count)

    def to_prompt(self) -> str:
        """The profile as lines for the instructions of a model."""
        return records.profile_prompt(self.model_dump())


@dataclass(slots=True)
class MemoryListPage(PlainModel):
    """One page of a list."""

    items: list[MemoryItem]
    total: int
    offset: int
    limit: int
    has_more: bool

    def __post_init__(self) -> None:
        self.items = [MemoryItem.model_validate(each) for each in self.items]


@dataclass(slots=True)
class MemoryExport(PlainModel):
    """Everything of a user."""

    user_id: str
    version: int = records.VERSION
    exported_at: datetime = field(default_factory=_CLOCK.now)
    memories: list[MemoryItem] = field(default_factory=list)
    profile: UserProfile | None = None

    def __post_init__(self) -> None:
        PlainModel.__post_init__(self)
        self.memories = [MemoryItem.model_validate(each) for each in self.memories]
        self.profile = None if self.profile is None else UserProfile.model_validate(self.profile)


@dataclass(frozen=True, slots=True)
class ExtractionResult(PlainModel):
    """The facts and episodes of a text, as an extractor of Anima hands them on."""

    facts: list[str] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not self.facts and not self.episodes


@dataclass(slots=True)
class SearchResult(PlainSeries):
    """The finds of a search: facts, then episodes, then chunks."""

    facts: list[MemoryItem] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    chunks: list[MemoryItem] = field(default_factory=list)
    injected_prompt: str = ""

    @property
    def items(self) -> list[MemoryItem | Episode]:
        return [*self.facts, *self.episodes, *self.chunks]


@dataclass(slots=True)
class DecayReport:
    """The result of a sweep."""

    decayed_ids: list[str] = field(default_factory=list)
    deleted_ids: list[str] = field(default_factory=list)
    expired_ids: list[str] = field(default_factory=list)

    @property
    def deleted_count(self) -> int:
        return len(self.deleted_ids)

    @property
    def decayed_count(self) -> int:
        return len(self.decayed_ids)
