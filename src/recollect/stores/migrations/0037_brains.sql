-- A space as a brain: its owner, its tier, and whether everybody may read it. Both databases read this file.
CREATE TABLE brain (
    space TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    public INTEGER NOT NULL,
    tier INTEGER,
    tier_at TEXT
);

-- Numbered conversations of a brain. They hold no words: those are messages of a session, or stand in a receipt.
CREATE TABLE brain_conversation (
    space TEXT NOT NULL,
    collection TEXT NOT NULL,
    id BIGINT NOT NULL,
    job_id TEXT,
    record_id TEXT,
    label TEXT NOT NULL,
    formed BIGINT NOT NULL,
    stage TEXT NOT NULL,
    learned INTEGER NOT NULL,
    principal TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (space, collection, id)
);

-- A job that is settled settles its conversation.
CREATE INDEX brain_conversation_job ON brain_conversation (space, job_id);
