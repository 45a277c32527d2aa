"""The records of Anima's Python library, with the fields and methods that programs use.

They are dataclasses with the few methods of pydantic's models that callers of Anima know: `model_dump`,
`model_dump_json`, `model_validate` and `model_copy`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Self

from recollect.dialects.anima import anima_records as records
from recollect.domain.clock import SystemClock, format_time, parse_time
from recollect.domain.dataclass import dataclass, field, names_of, replace
from recollect.domain.errors import InvalidInput
from recollect.domain.handles.uuids import uuid_of

_CLOCK = SystemClock()


def _new_id() -> str:
    return uuid_of(_CLOCK.new_id())


class AnimaModel:
    """A record that can be written as plain values and read again."""

    __slots__ = ()

    def model_dump(self, *, mode: str = "python") -> dict[str, Any]:
        """The fields as plain values; with `mode="json"` times are texts."""
        return {name: _plain(getattr(self, name), mode) for name in names_of(type(self))}

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """The fields as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=indent)

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """The same with other values."""
        return replace(self, **(update or {}))  # type: ignore[type-var]

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """The record that plain values describe; fields that it does not have are left out."""
        if isinstance(data, cls):
            return data
        if not isinstance(data, Mapping):
            raise ValueError(f"A {cls.__name__} is an object.")
        try:
            return cls(**{name: data[name] for name in names_of(cls) if name in data})
        except TypeError as problem:
            raise ValueError(str(problem)) from None


@dataclass(slots=True)
class MemoryItem(AnimaModel):
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
        _read_times(self, "created_at", "valid_from", "valid_until", "expires_at")
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
class Episode(AnimaModel):
    """Something that was said."""

    summary: str
    user_id: str
    id: str = field(default_factory=_new_id)
    session_id: str | None = None
    created_at: datetime = field(default_factory=_CLOCK.now)
    raw_turns: list[dict[str, str]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _read_times(self, "created_at")


@dataclass(slots=True)
class UserProfile(AnimaModel):
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

    def __post_init__(self) -> None:
        _read_times(self, "last_updated")

    @property
    def drift(self) -> int:
        """The number of facts since the last rebuild; none, since it is read from the facts."""
        return max(0, self.memory_count - self.last_rebuild_count)

    def to_prompt(self) -> str:
        """The profile as lines for the instructions of a model."""
        return records.profile_prompt(self.model_dump())


@dataclass(slots=True)
class MemoryListPage(AnimaModel):
    """One page of a list."""

    items: list[MemoryItem]
    total: int
    offset: int
    limit: int
    has_more: bool

    def __post_init__(self) -> None:
        self.items = [MemoryItem.model_validate(each) for each in self.items]


@dataclass(slots=True)
class MemoryExport(AnimaModel):
    """Everything of a user."""

    user_id: str
    version: int = records.VERSION
    exported_at: datetime = field(default_factory=_CLOCK.now)
    memories: list[MemoryItem] = field(default_factory=list)
    profile: UserProfile | None = None

    def __post_init__(self) -> None:
        _read_times(self, "exported_at")
        self.memories = [MemoryItem.model_validate(each) for each in self.memories]
        self.profile = None if self.profile is None else UserProfile.model_validate(self.profile)


@dataclass(frozen=True, slots=True)
class ExtractionResult(AnimaModel):
    """The facts and episodes of a text, as an extractor of Anima hands them on."""

    facts: list[str] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not self.facts and not self.episodes


@dataclass(slots=True)
class SearchResult:
    """The finds of a search: facts, then episodes, then chunks."""

    facts: list[MemoryItem] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    chunks: list[MemoryItem] = field(default_factory=list)
    injected_prompt: str = ""

    @property
    def items(self) -> list[MemoryItem | Episode]:
        return [*self.facts, *self.episodes, *self.chunks]

    @property
    def is_empty(self) -> bool:
        return not self.items

    def __iter__(self) -> Iterator[MemoryItem | Episode]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> MemoryItem | Episode:
        return self.items[index]


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


def _read_times(record: Any, *names: str) -> None:
    for name in names:
        said = getattr(record, name)
        if said is not None:
            setattr(record, name, parse_time(said, field=name))


def _plain(value: Any, mode: str) -> Any:
    match value:
        case AnimaModel():
            return value.model_dump(mode=mode)
        case datetime() if mode == "json":
            return format_time(value)
        case list():
            return [_plain(each, mode) for each in value]
        case dict():
            return {name: _plain(each, mode) for name, each in value.items()}
        case _:
            return value
