-- Notes that wait for a person are few among many.
CREATE INDEX CONCURRENTLY IF NOT EXISTS note_review ON recollect.note (space, id)
WHERE replaced_at IS NULL AND review IS NOT NULL;
