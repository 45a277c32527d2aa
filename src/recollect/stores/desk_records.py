"""Rows, slots and actions: which column holds what."""

from __future__ import annotations

import json
from datetime import datetime

from recollect.domain.actions import Action, ActionStatus
from recollect.domain.clock import format_time
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.slots import Slot
from recollect.stores.columns import ACTION_COLUMNS, SLOT_COLUMNS
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value
from recollect.stores.records import origin_values


def slot_values(slot: Slot) -> dict[str, Value]:
    """A slot's columns."""
    return {
        "id": slot.id,
        "space": slot.space,
        "label": slot.label,
        "project": slot.project or "",
        "text": slot.text,
        "description": slot.description,
        "size_limit": slot.limit,
        "pinned": int(slot.pinned),
        "version": slot.version,
        "updated_at": format_time(slot.updated_at),
        "authority": slot.authority.value,
        **origin_values(slot.origin),
    }


@reads("slot", SLOT_COLUMNS.replace(" ", "").split(","))
def slot_from_row(row: Row) -> Slot:
    """A slot from the columns of `SLOT_COLUMNS`."""
    id, space, label, project, text, description, limit, pinned, version, updated_at, authority, *origin = row
    return Slot(
        id=id,
        space=space,
        label=label,
        text=text,
        version=version,
        updated_at=datetime.fromisoformat(updated_at),
        project=project or None,
        limit=limit,
        description=description,
        pinned=bool(pinned),
        origin=Origin(Channel(origin[0]), *origin[1:]),
        authority=Authority(authority),
    )


def action_values(action: Action) -> dict[str, Value]:
    """An action's columns."""
    return {
        "id": action.id,
        "space": action.space,
        "version": action.version,
        "text": action.text,
        "status": action.status.value,
        "priority": action.priority,
        "depends_on": json.dumps(action.depends_on),
        "project": action.project,
        "created_at": format_time(action.created_at),
        "updated_at": format_time(action.updated_at),
        "authority": action.authority.value,
        **origin_values(action.origin),
    }


@reads("action", ACTION_COLUMNS.replace(" ", "").split(","))
def action_from_row(row: Row) -> Action:
    """An action from the columns of `ACTION_COLUMNS`."""
    id, space, version, text, status, priority, depends_on, project, created_at, updated_at, authority, *origin = row
    return Action(
        id=id,
        space=space,
        version=version,
        text=text,
        created_at=datetime.fromisoformat(created_at),
        updated_at=datetime.fromisoformat(updated_at),
        status=ActionStatus(status),
        priority=priority,
        depends_on=tuple(json.loads(depends_on)),
        project=project,
        origin=Origin(Channel(origin[0]), *origin[1:]),
        authority=Authority(authority),
    )
