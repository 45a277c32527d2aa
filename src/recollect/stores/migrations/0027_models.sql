-- How far a model has read each session, and what a model said of pairs that the judge was unsure of. Both databases read
-- this file.

-- The position up to which a model has read the messages of the session, or need not; 0 if it has not begun.
ALTER TABLE session ADD COLUMN read_to BIGINT NOT NULL DEFAULT 0;

-- The relation as a language model settled it, which model and prompt did so, why and when; NULL while nobody was asked.
-- If a model was asked and said nothing of a pair, only its relation is NULL.
ALTER TABLE statement_link ADD COLUMN settled_as TEXT;
ALTER TABLE statement_link ADD COLUMN settled_by TEXT;
ALTER TABLE statement_link ADD COLUMN settled_because TEXT;
ALTER TABLE statement_link ADD COLUMN settled_at TEXT;
