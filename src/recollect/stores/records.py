"""Rows and records: notes, sessions, observations, slots and actions as rows, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any

from recollect.domain.clock import format_time
from recollect.domain.notes import Kind, Note, State
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
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import (
    ACTION_COLUMNS,
    NOTE_FIELDS,
    NOTE_WIDTH,
    OBSERVATION_COLUMNS,
    SESSION_COLUMNS,
    SLOT_COLUMNS,
    Row,
    Value,
    names_in,
)

if TYPE_CHECKING:
    from recollect.domain.desk import Action, Slot

# A search reads hundreds of notes, and looking a word up is several times as fast as making an enum of it.
_KINDS = {kind.value: kind for kind in Kind}
_STATES = {state.value: state for state in State}
_CHANNELS = {channel.value: channel for channel in Channel}
_AUTHORITIES = {authority.value: authority for authority in Authority}
_OBSERVATION_KINDS = {kind.value: kind for kind in ObservationKind}
_ACTIVITIES = {activity.value: activity for activity in Activity}
_STANDINGS = {standing.value: standing for standing in Standing}


def note_values(note: Note) -> dict[str, Value]:
    """A note's own columns, without its words."""
    scope, origin = note.scope, note.origin
    # Field by field and without calls for what is empty, as most fields are: an import writes thousands.
    return {
        "id": note.id,
        "space": note.space,
        "version": note.version,
        "kind": note.kind.value,
        "subject": note.subject,
        "attribute": note.attribute,
        "value": note.value,
        "scope_user": scope.user,
        "scope_agent": scope.agent,
        "scope_project": scope.project,
        "scope_session": scope.session,
        "scope_machine": scope.machine,
        "state": note.state.value,
        "confidence": note.confidence,
        "importance": note.importance,
        "pinned": int(note.pinned),
        "channel": origin.channel.value,
        "principal": origin.principal,
        "session": origin.session,
        "source": origin.source,
        "authority": note.authority.value,
        "recorded_at": format_time(note.recorded_at),
        "updated_at": format_time(note.updated_at),
        "valid_from": None if note.valid_from is None else format_time(note.valid_from),
        "valid_until": None if note.valid_until is None else format_time(note.valid_until),
        "occurred_at": None if note.occurred_at is None else format_time(note.occurred_at),
        "expires_at": None if note.expires_at is None else format_time(note.expires_at),
        "retired_at": None if note.retired_at is None else format_time(note.retired_at),
        "last_seen_at": None if note.last_seen_at is None else format_time(note.last_seen_at),
        "verified_at": None if note.verified_at is None else format_time(note.verified_at),
        "supersedes": as_json(note.supersedes) if note.supersedes else "[]",
        "derived_from": as_json(note.derived_from) if note.derived_from else "[]",
        "depends_on": as_json(note.depends_on) if note.depends_on else "[]",
        "related": as_json(note.related) if note.related else "[]",
        "review": note.review,
        "metadata": as_json(note.metadata) if note.metadata else "{}",
        "key": note.key,
        "erase_at": None if note.erase_at is None else format_time(note.erase_at),
    }


def note_words(note: Note) -> dict[str, Value]:
    """A note's words: what the text index is made of."""
    return {"title": note.title, "text": note.text, "tags": spelled_tags(note.tags)}


@reads("note", (*NOTE_FIELDS, "title", "text", "tags"))
def note_from_row(row: Row) -> Note:
    """A note from the columns of `NOTENOTE_FIELDS`."""
    (
        id, space, version, kind, subject, attribute, value,
        user, agent, project, scope_session, machine,
        state, confidence, importance, pinned, channel, principal, session, source, authority,
        recorded_at, updated_at, valid_from, valid_until, occurred_at, expires_at, retired_at,
        last_seen_at, verified_at, supersedes, derived_from, depends_on, related, review, metadata,
        key, erase_at, title, text, tags,
    ) = row[:NOTE_WIDTH]  # fmt: skip
    # By position and without calls: a search reads a hundred notes, and most of their fields are empty.
    return Note(
        id,
        space,
        version,
        _KINDS[kind],
        text,
        _parsed(recorded_at),
        _parsed(updated_at),
        title,
        subject,
        attribute,
        value,
        tuple(tags.split()),
        scope_of(user, agent, project, scope_session, machine),
        _STATES[state],
        confidence,
        importance,
        bool(pinned),
        origin_of(channel, principal, session, source),
        _AUTHORITIES[authority],
        None if valid_from is None else _parsed(valid_from),
        None if valid_until is None else _parsed(valid_until),
        None if occurred_at is None else _parsed(occurred_at),
        None if expires_at is None else _parsed(expires_at),
        None if retired_at is None else _parsed(retired_at),
        None if last_seen_at is None else _parsed(last_seen_at),
        None if verified_at is None else _parsed(verified_at),
        () if supersedes == "[]" else links_from(supersedes),
        () if derived_from == "[]" else links_from(derived_from),
        () if depends_on == "[]" else links_from(depends_on),
        () if related == "[]" else links_from(related),
        review,
        {} if metadata == "{}" else parsed_json(metadata),
        key,
        None if erase_at is None else _parsed(erase_at),
    )


# Most of what is read together has the same scope and the same origin.
@lru_cache(maxsize=256)
def scope_of(
    user: str | None, agent: str | None, project: str | None, session: str | None, machine: str | None
) -> Scope:
    return Scope(user, agent, project, session, machine)


@lru_cache(maxsize=256)
def origin_of(channel: str, principal: str, session: str | None, source: str | None) -> Origin:
    return Origin(_CHANNELS[channel], principal, session, source)


def links_from(spelled: str) -> tuple[str, ...]:
    return () if spelled == "[]" else tuple(parsed_json(spelled))  # hardly any note has links of each sort


_parsed = datetime.fromisoformat
_scanned = make_scanner(json.JSONDecoder())  # type: ignore[arg-type]  # the decoder is all it asks for


def parsed_json(spelled: str) -> Any:
    """Parse JSON as `json.loads` does, in a quarter of the time: our own JSON has no space around it."""
    try:
        value, end = _scanned(spelled, 0)
    except StopIteration as problem:
        raise json.JSONDecodeError("Expecting value", spelled, problem.value) from None
    if end != len(spelled):
        raise ValueError("there is something after the end of its JSON")
    return value


def notes_from_rows(rows: Sequence[Row]) -> list[Note]:
    return [note_from_row(row) for row in rows]


def time_from(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def time_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


def spelled_tags(tags: Sequence[str]) -> str:
    """Tags between spaces: ` a b `, so that ` a ` finds exactly the tag a."""
    return f" {' '.join(tags)} " if tags else ""


def scope_values(scope: Scope) -> dict[str, Value]:
    return {f"scope_{name}": getattr(scope, name) for name in SCOPE_FIELDS}


def origin_values(origin: Origin) -> dict[str, Value]:
    return {
        "channel": origin.channel.value,
        "principal": origin.principal,
        "session": origin.session,
        "source": origin.source,
    }


def as_json(value: Any) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return _JSON.encode(value)


_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


# -- what happened, and what is to be done -----------------------------------------------------------------------------


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
