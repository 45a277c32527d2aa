-- Keys that callers choose for their notes, the end of what is not to be kept for good, and the metadata of messages.
-- Both databases read this file.

ALTER TABLE note ADD COLUMN key TEXT;
ALTER TABLE note ADD COLUMN erase_at TEXT;
ALTER TABLE observation ADD COLUMN erase_at TEXT;
ALTER TABLE observation ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';

-- Not unique: a note that comes in by sync or import keeps its key, and the oldest of several is the one that is meant.
CREATE INDEX note_key ON note (space, key, id) WHERE replaced_at IS NULL AND key IS NOT NULL;
CREATE INDEX note_erase ON note (space, erase_at, id) WHERE replaced_at IS NULL AND erase_at IS NOT NULL;
CREATE INDEX observation_erase ON observation (space, erase_at, id) WHERE erase_at IS NOT NULL;
