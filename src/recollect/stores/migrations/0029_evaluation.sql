-- Questions that a space is tried with, and the runs that asked them. Both databases read this file.
-- A question quotes the note it is about, and is erased with it; a run has ids and figures only.
CREATE TABLE evaluation_question (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    note_id TEXT NOT NULL,
    text TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE INDEX evaluation_question_note ON evaluation_question (space, note_id);

CREATE TABLE evaluation_run (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (space, id)
);
