"""Rows, sessions and observations: which column holds what."""

from __future__ import annotations

import json
from datetime import datetime

from recollect.domain.clock import format_time
from recollect.domain.observations import Activity, Commit, Observation, ObservationKind, Session, Standing
from recollect.domain.origin import Channel, Origin
from recollect.domain.scopes import Scope
from recollect.stores.columns import OBSERVATION_COLUMNS, SESSION_COLUMNS, names_in
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value
from recollect.stores.records import (
    as_json,
    links_from,
    origin_of,
    origin_values,
    scope_of,
    scope_values,
    time_from,
    time_or_none,
)

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
    }
    return {**own, **scope_values(session.scope), **origin_values(session.origin)}


@reads("session", names_in(SESSION_COLUMNS))
def session_from_row(row: Row) -> Session:
    """A session from the columns of `SESSION_COLUMNS`."""
    id, space, started_at, ended_at, title, user, agent, project, scope_session, machine, *origin = row[:-3]
    branch, folder, commits = row[-3:]
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
        **origin_values(observation.origin),
    }


@reads("observation", names_in(OBSERVATION_COLUMNS))
def observation_from_row(row: Row) -> Observation:
    """An observation from the columns of `OBSERVATION_COLUMNS`."""
    (
        id, space, session_id, position, kind, text, observed_at, recorded_at, role, speaker, title, standing,
        channel, principal, session, source, activity, files, user, agent, project, machine,
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
    )
