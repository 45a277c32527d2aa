-- Every search asks for the forms of other languages beside the words. While the server must take it that `formed` tells
-- somebody of a text, row-level security keeps the whole condition from both indexes. A function of this language is not
-- put in the place of its call, so that what is said of it holds. Only a superuser can say it; otherwise
-- `recollect store grants` prints it.
CREATE OR REPLACE FUNCTION formed(space TEXT, forms TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN array_to_tsvector(ARRAY[':' || space] || string_to_array(forms, ' '));
END
$$;

DO $$ BEGIN
    ALTER FUNCTION formed(TEXT, TEXT) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END $$;

-- The names in a note go with it, whoever erases it: a process of before there was a graph knows nothing of them.
CREATE FUNCTION erase_names() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM recollect.note_entity AS named USING (SELECT DISTINCT space, id FROM gone) AS note
    WHERE named.space = note.space AND named.note_id = note.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER erase_names AFTER DELETE ON note REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION erase_names();
