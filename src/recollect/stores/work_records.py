"""Sessions, observations, slots and actions as rows. A list of notes needs none of them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.domain.clock import format_time
from recollect.domain.observations import (
    Activity,
    AttachedFile,
    Commit,
    Observation,
    ObservationKind,
    Session,
    Standing,
)
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value
from recollect.stores.records import (
    ACTION_COLUMNS,
    OBSERVATION_COLUMNS,
    SESSION_COLUMNS,
    SLOT_COLUMNS,
    as_json,
    links_from,
    names_in,
    origin_of,
    origin_values,
    parsed_json,
    scope_of,
    scope_values,
    time_from,
    time_or_none,
)

if TYPE_CHECKING:
    from recollect.domain.desk import Action, Slot

_OBSERVATION_KINDS = {kind.value: kind for kind in ObservationKind}
_ACTIVITIES = {activity.value: activity for activity in Activity}
_STANDINGS = {standing.value: standing for standing in Standing}


def session_values(session: Session) -> dict[str, Value]:
    """A session's columns."""
    own: dict[str, Value] = {
        "id": session.id,
        "space": session.space,
        "title": session.title,
        "started_at": format_time(session.started_at),
        "ended_at": time_or_none(session.ended_at),
        "branch": session.branch,
        "folder": session.folder,
        "commits": as_json([[each.sha, format_time(each.at), each.message, each.branch] for each in session.commits]),
        "reflected": session.reflected,
        "read_to": session.read_to,
    }
    return {**own, **scope_values(session.scope), **origin_values(session.origin)}


@reads("session", names_in(SESSION_COLUMNS))
def session_from_row(row: Row) -> Session:
    """A session from the columns of `SESSION_COLUMNS`."""
    id, space, started_at, ended_at, title, user, agent, project, scope_session, machine, *origin = row[:-5]
    branch, folder, commits, reflected, read_to = row[-5:]
    return Session(
        id=id,
        space=space,
        started_at=datetime.fromisoformat(started_at),
        ended_at=time_from(ended_at),
        title=title,
        scope=Scope(user, agent, project, scope_session, machine),
        origin=Origin(Channel(origin[0]), *origin[1:]),
        branch=branch,
        folder=folder,
        commits=tuple(
            Commit(sha, datetime.fromisoformat(at), message, on) for sha, at, message, on in json.loads(commits)
        ),
        reflected=reflected,
        read_to=read_to,
    )


def observation_values(observation: Observation) -> dict[str, Value]:
    """An observation's own columns, without its words."""
    return {
        "id": observation.id,
        "space": observation.space,
        "session_id": observation.session_id,
        "position": observation.position,
        "kind": observation.kind.value,
        "role": observation.role,
        "standing": observation.standing.value if observation.standing else None,
        "activity": observation.activity.value if observation.activity else None,
        "files": as_json(observation.files),
        "observed_at": format_time(observation.observed_at),
        "recorded_at": format_time(observation.recorded_at),
        "scope_user": observation.scope.user,
        "scope_agent": observation.scope.agent,
        "scope_project": observation.scope.project,
        "scope_machine": observation.scope.machine,
        "metadata": as_json(observation.metadata),
        "erase_at": time_or_none(observation.erase_at),
        "attachments": as_json([[getattr(each, name) for name in _OF_A_FILE] for each in observation.attachments]),
        **origin_values(observation.origin),
    }


_OF_A_FILE = ("digest", "name", "media_type", "size", "alt", "caption")


def attached_from(spelled: str) -> tuple[AttachedFile, ...]:
    """The files of an observation."""
    return () if spelled == "[]" else tuple(AttachedFile(*each) for each in parsed_json(spelled))


@reads("observation", names_in(OBSERVATION_COLUMNS))
def observation_from_row(row: Row) -> Observation:
    """An observation from the columns of `OBSERVATION_COLUMNS`."""
    (
        id, space, session_id, position, kind, text, observed_at, recorded_at, role, speaker, title, standing,
        channel, principal, session, source, activity, files, user, agent, project, machine,
        metadata, erase_at, attachments,
    ) = row  # fmt: skip
    return Observation(
        id=id,
        space=space,
        session_id=session_id,
        position=position,
        kind=_OBSERVATION_KINDS[kind],
        text=text,
        observed_at=datetime.fromisoformat(observed_at),
        recorded_at=datetime.fromisoformat(recorded_at),
        role=role,
        speaker=speaker,
        title=title,
        standing=_STANDINGS[standing] if standing else None,
        origin=origin_of(channel, principal, session, source),
        activity=_ACTIVITIES[activity] if activity else None,
        files=links_from(files),
        scope=scope_of(user, agent, project, None, machine),
        metadata={} if metadata == "{}" else parsed_json(metadata),
        erase_at=time_from(erase_at),
        attachments=attached_from(attachments),
    )


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
    from recollect.domain.desk import Slot

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
    from recollect.domain.desk import Action, ActionStatus

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
