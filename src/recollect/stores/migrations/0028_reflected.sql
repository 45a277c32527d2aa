-- The position up to which a session was reflected on: what comes after it is read next time, and nothing before it.
-- Both databases read this file.
ALTER TABLE session ADD COLUMN reflected INTEGER NOT NULL DEFAULT 0;
