-- What is canonical: notes with all their versions, what was erased, and what was done. Both databases read this file.

CREATE TABLE space (
    name TEXT PRIMARY KEY,
    description TEXT NOT NULL,
    created_at TEXT NOT NULL,
    deleted_at TEXT,
    seq BIGINT NOT NULL,
    audit_seq BIGINT NOT NULL,
    audit_head TEXT NOT NULL
);

-- One row per version. replaced_at IS NULL marks the current one; the words of a version are in note_text,
-- under the number of the version that first had them.
CREATE TABLE note (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    text_version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT,
    attribute TEXT,
    value TEXT,
    scope_user TEXT,
    scope_agent TEXT,
    scope_project TEXT,
    scope_session TEXT,
    scope_machine TEXT,
    state TEXT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    pinned INTEGER NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    source TEXT,
    authority TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    replaced_at TEXT,
    valid_from TEXT,
    valid_until TEXT,
    occurred_at TEXT,
    expires_at TEXT,
    retired_at TEXT,
    last_seen_at TEXT,
    verified_at TEXT,
    supersedes TEXT NOT NULL,
    derived_from TEXT NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (space, id, version)
);

CREATE UNIQUE INDEX note_current ON note (space, id) WHERE replaced_at IS NULL;
CREATE INDEX note_subject ON note (space, subject, attribute, id) WHERE replaced_at IS NULL AND subject IS NOT NULL;
CREATE INDEX note_project ON note (space, scope_project, id) WHERE replaced_at IS NULL AND scope_project IS NOT NULL;

-- Links between notes, for walking them; the same ids stand in the note itself.
CREATE TABLE note_link (
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    relation TEXT NOT NULL,
    target_id TEXT NOT NULL,
    PRIMARY KEY (space, note_id, relation, target_id)
);

CREATE INDEX note_link_target ON note_link (space, target_id, relation);

-- What stays of an erased note.
CREATE TABLE tombstone (
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    erased_at TEXT NOT NULL,
    PRIMARY KEY (space, note_id)
);

-- What changed, in the order of commits: caches and indexes follow it.
CREATE TABLE change_log (
    space TEXT NOT NULL,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (space, seq)
);

-- Who did what, as a chain of digests. It names records and never quotes them, so erasing does not break it.
CREATE TABLE audit (
    space TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    summary TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (space, seq)
);

-- Requests that carried a key, and what they did.
CREATE TABLE idempotency (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    receipt TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (space, key)
);
