-- What a session was reminded of before an act, for a while: ids only, never a text of memory. Both databases read this
-- file. `bound` is the part of the space whose token asked; empty for all of it.
CREATE TABLE reminded (
    space TEXT NOT NULL,
    bound TEXT NOT NULL,
    session_id TEXT NOT NULL,
    record_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (space, bound, session_id, record_id)
);
