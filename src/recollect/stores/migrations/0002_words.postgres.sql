-- The words of notes, and the index derived from them.
CREATE TABLE note_text (
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    title TEXT,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    -- The space is in it like a word, so that a search reads the postings of its own space only.
    -- A tsvector holds at most 1 MB; only the beginning of a very long text is indexed.
    words TSVECTOR GENERATED ALWAYS AS (
        array_to_tsvector(ARRAY[':' || space])
        || to_tsvector('english'::regconfig, coalesce(title, '') || ' ' || left(text, 250000) || ' ' || tags)
    ) STORED,
    PRIMARY KEY (space, note_id, version)
);

CREATE INDEX note_words ON note_text USING gin (words);
