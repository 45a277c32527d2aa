-- Notes that wait for a person are few among many.
CREATE INDEX note_review ON note (space, id) WHERE replaced_at IS NULL AND review IS NOT NULL;
