"""Rows and records: which column holds what, and notes from rows. Other records are read in `work_records`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from recollect.domain.clock import format_time
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value

NOTE_FIELDS = (
    "id", "space", "version", "kind", "subject", "attribute", "value",
    "scope_user", "scope_agent", "scope_project", "scope_session", "scope_machine",
    "state", "confidence", "importance", "pinned", "channel", "principal", "session", "source", "authority",
    "recorded_at", "updated_at", "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at",
    "last_seen_at", "verified_at", "supersedes", "derived_from", "depends_on", "related", "review", "metadata",
    "key", "erase_at",
)  # fmt: skip

NOTE_COLUMNS = ", ".join(f"note.{name}" for name in NOTE_FIELDS) + ", words.title, words.text, words.tags"
NOTE_WIDTH = len(NOTE_FIELDS) + 3

SESSION_COLUMNS = (
    "id, space, started_at, ended_at, title, scope_user, scope_agent, scope_project, scope_session, scope_machine,"
    " channel, principal, session, source, branch, folder, commits, reflected, read_to"
)

OBSERVATION_COLUMNS = (
    "observation.id, observation.space, observation.session_id, observation.position, observation.kind, words.text,"
    " observation.observed_at, observation.recorded_at, observation.role, words.speaker, words.title,"
    " observation.standing,"
    " observation.channel, observation.principal, observation.session, observation.source,"
    " observation.activity, observation.files,"
    " observation.scope_user, observation.scope_agent, observation.scope_project, observation.scope_machine,"
    " observation.metadata, observation.erase_at,"
    " observation.attachments"
)

SLOT_COLUMNS = (
    "id, space, label, project, text, description, size_limit, pinned, version, updated_at,"
    " authority, channel, principal, session, source"
)
ACTION_COLUMNS = (
    "id, space, version, text, status, priority, depends_on, project, created_at, updated_at,"
    " authority, channel, principal, session, source"
)

LINK_COLUMNS = (
    "older, newer, relation, score, model_id, judged_at, refuted_at, refuted_by,"
    " settled_as, settled_by, settled_because, settled_at"
)

JOB_COLUMNS = (
    "id, space, seq, kind, payload, unique_key, lane, priority, stage, due_at, attempts, max_attempts, generation,"
    " worker, claimed_at, phase, done, total, failure, detail, created_at, settled_at, channel, principal"
)

WEBHOOK_COLUMNS = (
    "id, space, name, host, events, content, allow_private, allow_http, configured, scope_user, scope_agent,"
    " scope_project, created_at, channel, principal, seq, url, secret"
)


def names_in(columns: str) -> tuple[str, ...]:
    """The bare names in a list of columns."""
    return tuple(name.strip().rpartition(".")[2] for name in columns.split(","))


# A search reads hundreds of notes, and looking a word up is several times as fast as making an enum of it.
_KINDS = {kind.value: kind for kind in Kind}
_STATES = {state.value: state for state in State}
_CHANNELS = {channel.value: channel for channel in Channel}
_AUTHORITIES = {authority.value: authority for authority in Authority}


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
_decoded = json.JSONDecoder().raw_decode


def parsed_json(spelled: str) -> Any:
    """Parse JSON as `json.loads` does, in a third of the time: our own JSON has no space around it."""
    value, end = _decoded(spelled)
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
