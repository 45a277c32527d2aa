"""Records from their rows: notes, sessions, observations, slots and actions."""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache, lru_cache
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any

from recollect.domain.clock import format_time
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import (
    ACTION_COLUMNS,
    NOTE_FIELDS,
    NOTE_WIDTH,
    OBSERVATION_COLUMNS,
    SESSION_COLUMNS,
    SLOT_COLUMNS,
    Row,
    names_in,
)

if TYPE_CHECKING:
    from recollect.domain.desk import Action, Slot
    from recollect.domain.observations import Activity, AttachedFile, Observation, ObservationKind, Session, Standing

# A search reads hundreds of notes, and looking a word up is several times as fast as making an enum of it.
_KINDS = {kind.value: kind for kind in Kind}
_STATES = {state.value: state for state in State}
_CHANNELS = {channel.value: channel for channel in Channel}
_AUTHORITIES = {authority.value: authority for authority in Authority}


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


def time_from(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def time_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


# -- what happened, and what is to be done -----------------------------------------------------------------------------


@reads("session", names_in(SESSION_COLUMNS))
def session_from_row(row: Row) -> Session:
    """A session from the columns of `SESSION_COLUMNS`."""
    from recollect.domain.observations import Commit, Session

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


def attached_from(spelled: str) -> tuple[AttachedFile, ...]:
    """The files of an observation."""
    if spelled == "[]":
        return ()
    from recollect.domain.observations import AttachedFile

    return tuple(AttachedFile(*each) for each in parsed_json(spelled))


@cache
def _observed() -> tuple[type[Observation], dict[str, ObservationKind], dict[str, Activity], dict[str, Standing]]:
    """An observation and its enums by their words, loaded with the first one: a list of notes needs none of them."""
    from recollect.domain.observations import Activity, Observation, ObservationKind, Standing

    kinds = {kind.value: kind for kind in ObservationKind}
    activities = {activity.value: activity for activity in Activity}
    return Observation, kinds, activities, {standing.value: standing for standing in Standing}


@reads("observation", names_in(OBSERVATION_COLUMNS))
def observation_from_row(row: Row) -> Observation:
    """An observation from the columns of `OBSERVATION_COLUMNS`."""
    (
        id, space, session_id, position, kind, text, observed_at, recorded_at, role, speaker, title, standing,
        channel, principal, session, source, activity, files, user, agent, project, machine,
        metadata, erase_at, attachments,
    ) = row  # fmt: skip
    made, kinds, activities, standings = _observed()
    return made(
        id=id,
        space=space,
        session_id=session_id,
        position=position,
        kind=kinds[kind],
        text=text,
        observed_at=datetime.fromisoformat(observed_at),
        recorded_at=datetime.fromisoformat(recorded_at),
        role=role,
        speaker=speaker,
        title=title,
        standing=standings[standing] if standing else None,
        origin=origin_of(channel, principal, session, source),
        activity=activities[activity] if activity else None,
        files=links_from(files),
        scope=scope_of(user, agent, project, None, machine),
        metadata={} if metadata == "{}" else parsed_json(metadata),
        erase_at=time_from(erase_at),
        attachments=attached_from(attachments),
    )


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
