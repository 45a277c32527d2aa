-- Indexes for filters by time: notes that were written down, changed or happened in a range are found without reading
-- the others. Both databases read this file.
CREATE INDEX note_created ON note (space, recorded_at, id) WHERE replaced_at IS NULL;
CREATE INDEX note_updated ON note (space, updated_at, id) WHERE replaced_at IS NULL;
CREATE INDEX note_occurred ON note (space, occurred_at, id) WHERE replaced_at IS NULL AND occurred_at IS NOT NULL;
