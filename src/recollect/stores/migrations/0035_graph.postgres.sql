-- Which notes name which entities, by folded names and parts: derived from every version of the notes. `attribute` is
-- empty for projects, tags and files. Keys are ordered by their code points.
CREATE TABLE note_entity (
    space TEXT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    note_id TEXT NOT NULL,
    role TEXT NOT NULL,
    attribute TEXT NOT NULL,
    PRIMARY KEY (space, key, note_id, role, attribute)
);

CREATE INDEX note_entity_note ON note_entity (space, note_id);
CREATE INDEX note_entity_attribute ON note_entity (space, role, attribute, key);

-- They belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE note_entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE note_entity FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON note_entity USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
