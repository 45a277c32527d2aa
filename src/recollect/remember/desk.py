"""Pure: what becomes of a slot that is written into, and of a work item.

Nobody writes into a slot what a higher authority wrote. A work item may be settled by anybody; its words stay as worthy
as whoever wrote them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.clock import just_after
from recollect.domain.dataclass import replace
from recollect.domain.desk import (
    MOST_PINNED,
    MOST_SLOTS,
    PURPOSES,
    Action,
    ActionStatus,
    Slot,
    checked_action,
    checked_slot,
    in_view,
    refuse_cycle,
)
from recollect.domain.errors import InvalidInput, NotFound, TooLarge
from recollect.domain.origin import lowest
from recollect.domain.trust.authority_table import may_change, require_rank
from recollect.remember.decisions import Occasion


def place_of(label: str, project: str | None) -> str | None:
    """The project a slot is of; some labels mean nothing without one."""
    purpose = PURPOSES.get(label)
    if purpose is not None and purpose.of_project and project is None:
        raise InvalidInput(
            f"The slot `{label}` is of a project, and none was named.",
            code="field_missing",
            hint="Name one with `project`; on the command line `--project .` means that of this folder.",
        )
    return project


def replaced(
    occasion: Occasion,
    slot: Slot,
    text: str,
    *,
    size: int | None = None,
    pinned: bool | None = None,
    description: str | None = None,
) -> Slot:
    """The slot with another text. What is not said stays as it was."""
    refuse_overreach(occasion, slot, "slots.set")
    return checked_slot(
        replace(
            _next(occasion, slot),
            text=text,
            limit=slot.limit if size is None else size,
            pinned=slot.pinned if pinned is None else pinned,
            description=slot.description if description is None else description,
            authority=occasion.caller.authority(None),
        )
    )


def appended(occasion: Occasion, slot: Slot, text: str) -> Slot:
    """The slot with one more line. The whole is worth what its least part is."""
    refuse_overreach(occasion, slot, "slots.append")
    given = occasion.caller.authority(None)
    return checked_slot(
        replace(
            _next(occasion, slot),
            text=f"{slot.text}\n{text}" if slot.text else text,
            authority=lowest([slot.authority, given]) if slot.text else given,
        )
    )


def refuse_overreach(occasion: Occasion, slot: Slot, verb: str) -> None:
    """Raise if whoever writes could not have written what is there."""
    if slot.text and not may_change(occasion.caller, slot.authority, verb):
        raise InvalidInput(
            f"The slot `{slot.label}` was written by a person; what comes through {occasion.caller.channel.value} "
            "cannot change it.",
            code="authority_too_low",
            hint="Write into another slot, or let the person change it: `recollect slots set`.",
        )


def no_slot(label: str, project: str | None) -> NotFound:
    """There is no such slot."""
    where = f" in the project {project}" if project else ""
    return NotFound(f"There is no slot `{label}`{where}.", code="slot_not_found", hint="`recollect slots` shows them.")


def refuse_crowd(slot: Slot, others: Sequence[Slot]) -> None:
    """Raise if there would be more slots than can be kept, or more pinned ones than any block has room for."""
    beside = [each for each in others if (each.project, each.label) != (slot.project, slot.label)]
    if sum(each.project == slot.project for each in beside) >= MOST_SLOTS:
        raise TooLarge(f"There are {MOST_SLOTS} slots already.", code="too_many_slots", hint="Delete one first.")
    # A slot for all projects is seen in each of them.
    views = {slot.project} if slot.project else {None, *(each.project for each in beside)}
    for view in views:
        if slot.pinned and sum(each.pinned for each in in_view([*beside, slot], view)) > MOST_PINNED:
            raise TooLarge(
                f"{MOST_PINNED} slots are pinned already; each needs room in everything an agent is told.",
                code="too_many_pinned",
                hint="Write it with `--no-pinned`, or unpin another one.",
            )


def _next(occasion: Occasion, slot: Slot) -> Slot:
    return replace(
        slot,
        id=slot.id or occasion.new_id,
        version=slot.version + 1,
        updated_at=max(occasion.at, just_after(slot.updated_at)),
        origin=occasion.caller.origin(),
    )


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
            raise no_action(each)


def no_action(action_id: str) -> NotFound:
    """There is no such action."""
    return NotFound(f"There is no action {action_id}.", code="action_not_found", hint="`recollect actions` shows them.")


def statuses_of(actions: Mapping[str, Action]) -> dict[str, ActionStatus]:
    """How far each has come."""
    return {action_id: action.status for action_id, action in actions.items()}
