-- The words of notes, and the index derived from them.

-- English stems, but no stop words: a question may be about The Who.
CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = pg_catalog.snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING REPLACE pg_catalog.english_stem WITH stems;

-- A text as the index reads it: without accents, and with a blank for each mark, because the server's own parser
-- would take an address, a path or a version for one word.
CREATE FUNCTION bare(told TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT translate(
        normalize(regexp_replace(normalize(told, NFKD), '[\u0300-\u036f]', '', 'g'), NFC),
        '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))
$$;

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
        || to_tsvector('words'::regconfig, bare(coalesce(title, '') || ' ' || left(text, 250000) || ' ' || tags))
    ) STORED,
    PRIMARY KEY (space, note_id, version)
);

CREATE INDEX note_words ON note_text USING gin (words);
