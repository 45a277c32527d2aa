"""Actions: work items that wait for each other, and the frontier of those that can be started now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from recollect.domain.dataclass import dataclass
from recollect.domain.errors import InvalidInput, TooLarge
from recollect.domain.origin import Authority, Origin
from recollect.domain.values import Value

MOST_DEPENDENCIES = 64
LARGEST_PRIORITY = 1000


class ActionStatus(StrEnum):
    """How far a work item has come."""

    OPEN = "open"
    ACTIVE = "active"
    BLOCKED = "blocked"  # by something that is not in the list
    DONE = "done"
    DROPPED = "dropped"


SETTLED = frozenset({ActionStatus.DONE, ActionStatus.DROPPED})
UNSETTLED = frozenset(ActionStatus) - SETTLED


@dataclass(frozen=True, slots=True, repr=False)
class Action(Value):
    """A work item. It can be started when everything in `depends_on` is settled; a higher priority comes first."""

    id: str
    space: str
    version: int
    text: str
    created_at: datetime
    updated_at: datetime
    status: ActionStatus = ActionStatus.OPEN
    priority: int = 0
    depends_on: tuple[str, ...] = ()
    project: str | None = None
    origin: Origin = Origin()
    authority: Authority = Authority.QUOTED


def checked_action(action: Action) -> Action:
    """The action, if it is sound by itself."""
    priority = action.priority
    if isinstance(priority, bool) or not isinstance(priority, int) or abs(priority) > LARGEST_PRIORITY:
        raise InvalidInput(
            f"`priority` is {priority!r}; it must be a whole number from -{LARGEST_PRIORITY} to {LARGEST_PRIORITY}.",
            code="invalid_number",
        )
    if len(action.depends_on) > MOST_DEPENDENCIES:
        raise TooLarge(
            f"`depends_on` has {len(action.depends_on)} ids; an action waits for at most {MOST_DEPENDENCIES}."
        )
    return action


def refuse_cycle(action: Action, others: Mapping[str, Action]) -> None:
    """Raise if an action would wait for itself, at any remove."""
    waiting, seen = list(action.depends_on), set[str]()
    while waiting:
        each = waiting.pop()
        if each == action.id:
            raise InvalidInput(
                f"Action {action.id} would wait for itself.",
                code="circular_dependency",
                hint="`recollect actions` shows what waits for what.",
            )
        if each not in seen and each in others:
            seen.add(each)
            waiting.extend(others[each].depends_on)


def frontier(actions: Iterable[Action], statuses: Mapping[str, ActionStatus]) -> list[Action]:
    """Actions that can be started now, by priority, then oldest first. A dependency that is gone holds nothing up."""
    ready = [action for action in actions if action.status in _STARTABLE and not waits_for(action, statuses)]
    return in_order(ready)


def waits_for(action: Action, statuses: Mapping[str, ActionStatus]) -> Sequence[str]:
    """The ids of what has to be settled first."""
    return [each for each in action.depends_on if statuses.get(each, ActionStatus.DONE) not in SETTLED]


def in_order(actions: Iterable[Action]) -> list[Action]:
    """By priority, then the oldest first."""
    return sorted(actions, key=lambda action: (-action.priority, action.created_at, action.id))


_STARTABLE = frozenset({ActionStatus.OPEN, ActionStatus.ACTIVE})
