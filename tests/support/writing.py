"""Notes and changes for store tests, made in one line each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from recollect.domain.changes import Changes, Edit, Idempotency, Receipt, WriteNote
from recollect.domain.notes import Kind, Note, revised
from recollect.domain.origin import Authority, Channel, Origin
from recollect.domain.ports import Store
from recollect.domain.scopes import Scope
from tests.support.clock import SteadyClock

TESTER = Origin(Channel.LIBRARY, "tester")


def at(text: str) -> datetime:
    """A moment in UTC from the way people write it."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def a_note(clock: SteadyClock, text: str = "Alice prefers tea", *, space: str = "alice", **fields: Any) -> Note:
    """The first version of a new note, true since it was written down."""
    now = clock.now()
    own = {"kind": Kind.SEMANTIC, "origin": TESTER, "authority": Authority.FACT, "valid_from": now, **fields}
    return Note(id=clock.new_id(), space=space, version=1, text=text, recorded_at=now, updated_at=now, **own)


def a_full_note(clock: SteadyClock, *, space: str = "alice") -> Note:
    """A note in which every field says something of its own."""
    return a_note(
        clock,
        "Deploy with `make release`,\n\tnever from CI. \u202eשלום\u202c 🙂",  # noqa: RUF001 - people write in every script
        space=space,
        kind=Kind.PROCEDURAL,
        title="Deploying",
        subject="project:storefront",
        attribute="deploy",
        value="make release",
        tags=("deploy", "émigré"),
        scope=Scope("alice", "coder", "storefront", "session-1", "laptop"),
        confidence=0.123456789012345,
        importance=0.75,
        pinned=True,
        origin=Origin(Channel.MCP, "bot", "session-9", "https://example.com/a?b=c"),
        authority=Authority.QUOTED,
        valid_from=at("0001-01-01T00:00:00"),
        valid_until=at("9999-12-31T23:59:59.999999"),
        occurred_at=at("2025-02-03T04:05:06.000007"),
        expires_at=at("2099-01-01"),
        retired_at=at("2026-05-01"),
        last_seen_at=at("2026-05-02"),
        verified_at=at("2026-05-03"),
        supersedes=(clock.new_id(), clock.new_id()),
        derived_from=(clock.new_id(),),
        metadata={"list": [1, 2.5, None, True], "object": {"ключ": "значение"}, "": ""},
    )


def changes(
    clock: SteadyClock, *edits: Edit, space: str = "alice", reason: str = "test", key: str = "", body: str = "body"
) -> Changes:
    """One decision; with a key, under that idempotency key."""
    request = Idempotency(key, body) if key else None
    return Changes(space, reason, clock.now(), TESTER, edits, request)


def write(store: Store, clock: SteadyClock, *notes: Note) -> Receipt:
    """Write notes of one space in one decision."""
    return store.apply(changes(clock, *(WriteNote(note) for note in notes), space=notes[0].space))


def saved(store: Store, clock: SteadyClock, text: str = "Alice prefers tea", **fields: Any) -> Note:
    """A new note that is written already."""
    note = a_note(clock, text, **fields)
    write(store, clock, note)
    return note


def edited(store: Store, clock: SteadyClock, note: Note, **fields: Any) -> Note:
    """The next version of a note, written already."""
    revision = revised(note, clock.now(), **fields)
    write(store, clock, revision)
    return revision
