"""What happened, verbatim: sessions and the observations in them, the evidence notes point to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from recollect.domain.origin import Origin
from recollect.domain.scopes import Scope


class ObservationKind(StrEnum):
    """What sort of thing was observed."""

    MESSAGE = "message"
    PROMPT = "prompt"
    TOOL_USE = "tool_use"
    TOOL_FAILURE = "tool_failure"
    NOTIFICATION = "notification"
    TASK = "task"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Session:
    """A run of observations with a start, an end, a project and an agent."""

    id: str
    space: str
    started_at: datetime
    ended_at: datetime | None = None
    scope: Scope = Scope()
    title: str | None = None
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that happened in a session. `position` orders the observations of one session."""

    id: str
    space: str
    session_id: str
    position: int
    kind: ObservationKind
    text: str
    observed_at: datetime
    role: str | None = None
    speaker: str | None = None
    origin: Origin = Origin()
