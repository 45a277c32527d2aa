-- Links by `relate` are few among those of notes to what they were made from and took the place of.
CREATE INDEX note_link_related ON note_link (space, note_id, target_id) WHERE relation = 'related';
