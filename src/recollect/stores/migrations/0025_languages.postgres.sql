-- The forms by which texts of other languages are found; see the file for SQLite.

-- The forms of a text as they are: the server's own parser knows other scripts differently from machine to machine. The
-- space is among them like a word, as in the index of words.
CREATE FUNCTION formed(space TEXT, forms TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY[':' || space] || string_to_array(forms, ' '))
$$;

ALTER TABLE note_text ADD COLUMN forms TEXT;
CREATE INDEX note_forms ON note_text USING gin (formed(space, forms)) WHERE forms <> '';

ALTER TABLE observation_text ADD COLUMN forms TEXT;
CREATE INDEX observation_forms ON observation_text USING gin (formed(space, forms)) WHERE forms <> '';
