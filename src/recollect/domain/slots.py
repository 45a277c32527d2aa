"""What is always in context, and what is to be done: slots and actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from recollect.domain.scopes import Scope


@dataclass(frozen=True, slots=True)
class Slot:
    """A small named text block that is always in context. `limit` is in characters."""

    space: str
    label: str
    text: str
    limit: int
    version: int
    updated_at: datetime
    scope: Scope = Scope()
    pinned: bool = True


class ActionStatus(StrEnum):
    """How far a work item has come."""

    OPEN = "open"
    ACTIVE = "active"
    BLOCKED = "blocked"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Action:
    """A work item. It can be done next when everything in `depends_on` is done."""

    id: str
    space: str
    version: int
    text: str
    created_at: datetime
    updated_at: datetime
    status: ActionStatus = ActionStatus.OPEN
    priority: int = 0
    depends_on: tuple[str, ...] = ()
    scope: Scope = Scope()
