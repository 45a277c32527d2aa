-- How often a note was told, by day and by whom: counts, never what was asked. Both databases read this file. They are
-- written some time after the answers, and go with their note. `actor` is the principal; empty if none is known.
CREATE TABLE note_use (
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    day TEXT NOT NULL,
    actor TEXT NOT NULL,
    recalled BIGINT NOT NULL,
    found BIGINT NOT NULL,
    PRIMARY KEY (space, note_id, day, actor)
);
CREATE INDEX note_use_day ON note_use (space, day);
