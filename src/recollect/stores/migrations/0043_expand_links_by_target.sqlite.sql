-- Links are found by what they point to. Without the notes in it the index is passed over for the key of the table, which
-- has every column, and every link of the space is read.
CREATE INDEX note_link_to ON note_link (space, target_id, relation, note_id);
