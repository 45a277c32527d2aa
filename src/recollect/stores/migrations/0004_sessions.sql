-- What happened, verbatim: sessions and the observations in them. Both databases read this file.

CREATE TABLE session (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    scope_user TEXT,
    scope_agent TEXT,
    scope_project TEXT,
    scope_session TEXT,
    scope_machine TEXT,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    source TEXT,
    PRIMARY KEY (space, id)
);

CREATE INDEX session_start ON session (space, started_at, id);

-- The words of an observation are in observation_text, as those of a note are in note_text.
CREATE TABLE observation (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role TEXT,
    observed_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    source TEXT,
    PRIMARY KEY (space, id)
);

CREATE UNIQUE INDEX observation_place ON observation (space, session_id, position);

-- Why candidates did not become notes, counted.
CREATE TABLE verdict (
    space TEXT NOT NULL,
    reason TEXT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (space, reason)
);

-- Files that were taken in: what each held the last time, and the session its passages are in.
CREATE TABLE ingested_file (
    space TEXT NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    session_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (space, root, path)
);
