-- The values in the metadata of each version of a note, one by one: derived from the notes, so that filters compare them
-- by an index. `beginning` is as much of the text as an index can hold. Texts are ordered by their code points.
CREATE TABLE note_metadata (
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    place INTEGER NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    beginning TEXT NOT NULL,
    text TEXT NOT NULL,
    number DOUBLE PRECISION,
    PRIMARY KEY (space, note_id, version, place)
);

CREATE INDEX note_metadata_value ON note_metadata (space, path, beginning, note_id);
CREATE INDEX note_metadata_number ON note_metadata (space, path, number, note_id) WHERE number IS NOT NULL;
