-- What work needs beside notes: slots, actions, more of sessions and observations, and what notes are related to.
-- Both databases read this file.

-- `project` is empty for a slot that is for all projects. Only the newest version is kept.
CREATE TABLE slot (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    project TEXT NOT NULL,
    text TEXT NOT NULL,
    description TEXT NOT NULL,
    size_limit INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    version INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    source TEXT,
    authority TEXT NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE UNIQUE INDEX slot_label ON slot (space, project, label);

CREATE TABLE action (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    depends_on TEXT NOT NULL,
    project TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    source TEXT,
    authority TEXT NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE INDEX action_status ON action (space, status, id);

-- Where a session was held, and what came of it in the repository.
ALTER TABLE session ADD COLUMN branch TEXT;
ALTER TABLE session ADD COLUMN folder TEXT;
ALTER TABLE session ADD COLUMN commits TEXT NOT NULL DEFAULT '[]';

-- What a tool did, and to which files.
ALTER TABLE observation ADD COLUMN activity TEXT;
ALTER TABLE observation ADD COLUMN files TEXT NOT NULL DEFAULT '[]';

-- What happened before and after a moment, in whichever session.
CREATE INDEX observation_time ON observation (space, observed_at, id);

-- Notes that have to do with each other.
ALTER TABLE note ADD COLUMN related TEXT NOT NULL DEFAULT '[]';
