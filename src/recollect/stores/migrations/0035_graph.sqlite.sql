-- Which notes name which entities, by folded names and parts: derived from every version of the notes. `attribute` is
-- empty for projects, tags and files. Keys are ordered by their code points.
CREATE TABLE note_entity (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    note_id TEXT NOT NULL,
    role TEXT NOT NULL,
    attribute TEXT NOT NULL,
    PRIMARY KEY (space, key, note_id, role, attribute)
) WITHOUT ROWID;

CREATE INDEX note_entity_note ON note_entity (space, note_id);
CREATE INDEX note_entity_attribute ON note_entity (space, role, attribute, key);
