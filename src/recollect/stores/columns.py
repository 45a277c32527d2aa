"""The columns of each kind of record, in the order in which the readers of rows take them."""

from __future__ import annotations

NOTE_FIELDS = (
    "id", "space", "version", "kind", "subject", "attribute", "value",
    "scope_user", "scope_agent", "scope_project", "scope_session", "scope_machine",
    "state", "confidence", "importance", "pinned", "channel", "principal", "session", "source", "authority",
    "recorded_at", "updated_at", "valid_from", "valid_until", "occurred_at", "expires_at", "retired_at",
    "last_seen_at", "verified_at", "supersedes", "derived_from", "depends_on", "related", "review", "metadata",
)  # fmt: skip

NOTE_COLUMNS = ", ".join(f"note.{name}" for name in NOTE_FIELDS) + ", words.title, words.text, words.tags"
NOTE_WIDTH = len(NOTE_FIELDS) + 3

SESSION_COLUMNS = (
    "id, space, started_at, ended_at, title, scope_user, scope_agent, scope_project, scope_session, scope_machine,"
    " channel, principal, session, source, branch, folder, commits"
)

OBSERVATION_COLUMNS = (
    "observation.id, observation.space, observation.session_id, observation.position, observation.kind, words.text,"
    " observation.observed_at, observation.recorded_at, observation.role, words.speaker, words.title,"
    " observation.standing,"
    " observation.channel, observation.principal, observation.session, observation.source,"
    " observation.activity, observation.files,"
    " observation.scope_user, observation.scope_agent, observation.scope_project, observation.scope_machine"
)

SLOT_COLUMNS = (
    "id, space, label, project, text, description, size_limit, pinned, version, updated_at,"
    " authority, channel, principal, session, source"
)
ACTION_COLUMNS = (
    "id, space, version, text, status, priority, depends_on, project, created_at, updated_at,"
    " authority, channel, principal, session, source"
)


def names_in(columns: str) -> tuple[str, ...]:
    """The bare names in a list of columns."""
    return tuple(name.strip().rpartition(".")[2] for name in columns.split(","))
