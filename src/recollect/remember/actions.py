"""Pure: what becomes of a work item. It may be settled by anybody; its words stay as worthy as whoever wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.clock import just_after
from recollect.domain.dataclass import replace
from recollect.domain.desk import Action, ActionStatus, checked_action, refuse_cycle
from recollect.domain.errors import InvalidInput, NotFound
from recollect.domain.origin import lowest
from recollect.domain.trust.authority_table import require_rank
from recollect.remember.decisions import Occasion


def added(occasion: Occasion, text: str, *, priority: int, depends_on: Sequence[str], project: str | None) -> Action:
    """A new work item."""
    return checked_action(
        Action(
            id=occasion.new_id,
            space=occasion.space,
            version=1,
            text=text,
            created_at=occasion.at,
            updated_at=occasion.at,
            priority=priority,
            depends_on=tuple(depends_on),
            project=project,
            origin=occasion.caller.origin(),
            authority=occasion.caller.authority(None),
        )
    )


def updated(occasion: Occasion, action: Action, others: Mapping[str, Action], fields: Mapping[str, Any]) -> Action:
    """The work item as it is by now. Other words are worth no more than whoever writes them."""
    if not fields:
        raise InvalidInput("Nothing to change was given.", code="nothing_to_do", hint="Give a status or another field.")
    changed = replace(
        action,
        version=action.version + 1,
        updated_at=max(occasion.at, just_after(action.updated_at)),
        origin=occasion.caller.origin(),
        **fields,
    )
    if changed.text != action.text:
        require_rank(occasion.caller, action.authority, "actions.update", what=f"Action {action.id}")
        changed = replace(changed, authority=lowest([action.authority, occasion.caller.ceiling]))
    refuse_cycle(changed, others)
    return checked_action(changed)


def refuse_unknown(depends_on: Sequence[str], known: Mapping[str, Action]) -> None:
    """Raise if an action should wait for one that is not here."""
    for each in depends_on:
        if each not in known:
            raise missing(each)


def missing(action_id: str) -> NotFound:
    """There is no such action."""
    return NotFound(f"There is no action {action_id}.", code="action_not_found", hint="`recollect actions` shows them.")


def statuses_of(actions: Mapping[str, Action]) -> dict[str, ActionStatus]:
    """How far each has come."""
    return {action_id: action.status for action_id, action in actions.items()}
