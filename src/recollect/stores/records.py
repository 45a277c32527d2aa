"""Rows and notes: which column holds what, and the parts of a row that other records share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from recollect.domain.clock import format_time
from recollect.domain.notes import Kind, Note, State
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.scopes import SCOPE_FIELDS, Scope
from recollect.stores.columns import NOTE_FIELDS, NOTE_WIDTH
from recollect.stores.damaged_rows import reads
from recollect.stores.database import Row, Value

# A search reads hundreds of notes, and looking a word up is several times as fast as making an enum of it.
_KINDS = {kind.value: kind for kind in Kind}
_STATES = {state.value: state for state in State}
_CHANNELS = {channel.value: channel for channel in Channel}
_AUTHORITIES = {authority.value: authority for authority in Authority}


def note_values(note: Note) -> dict[str, Value]:
    """A note's own columns, without its words."""
    plain: dict[str, Value] = {name: _spelled(getattr(note, name)) for name in _OWN}
    plain.update({f"scope_{name}": getattr(note.scope, name) for name in SCOPE_FIELDS})
    origin = note.origin
    plain.update(channel=origin.channel.value, principal=origin.principal, session=origin.session, source=origin.source)
    return plain


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
        title, text, tags,
    ) = row[:NOTE_WIDTH]  # fmt: skip
    # By position: a search reads a hundred notes, and thirty keywords take as long as the rest of it.
    return Note(
        id,
        space,
        version,
        _KINDS[kind],
        text,
        datetime.fromisoformat(recorded_at),
        datetime.fromisoformat(updated_at),
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
        time_from(valid_from),
        time_from(valid_until),
        time_from(occurred_at),
        time_from(expires_at),
        time_from(retired_at),
        time_from(last_seen_at),
        time_from(verified_at),
        links_from(supersedes),
        links_from(derived_from),
        links_from(depends_on),
        links_from(related),
        review,
        {} if metadata == "{}" else _from_json(metadata),
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
    return () if spelled == "[]" else tuple(_from_json(spelled))  # hardly any note has links of each sort


_decoded = json.JSONDecoder().raw_decode


def _from_json(spelled: str) -> Any:
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


_OWN = tuple(
    name
    for name in NOTE_FIELDS
    if not name.startswith("scope_") and name not in ("channel", "principal", "session", "source")
)


def scope_values(scope: Scope) -> dict[str, Value]:
    return {f"scope_{name}": getattr(scope, name) for name in SCOPE_FIELDS}


def origin_values(origin: Origin) -> dict[str, Value]:
    return {
        "channel": origin.channel.value,
        "principal": origin.principal,
        "session": origin.session,
        "source": origin.source,
    }


def _spelled(value: Any) -> Value:
    convert = _SPELLINGS.get(type(value))
    return convert(value) if convert else value


def as_json(value: Any) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return _JSON.encode(value)


_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


_SPELLINGS: dict[type, Callable[[Any], Value]] = {
    datetime: format_time,
    tuple: as_json,
    dict: as_json,
    bool: int,
    Kind: lambda kind: kind.value,
    State: lambda state: state.value,
    Authority: lambda authority: authority.value,
}
