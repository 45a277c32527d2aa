-- The names in a note go with it, whoever erases it: a process of before there was a graph knows nothing of them. No rule
-- of the database stands between a search and its indexes here, so there is nothing more to do.
CREATE TRIGGER erase_names AFTER DELETE ON note BEGIN
    DELETE FROM note_entity WHERE space = OLD.space AND note_id = OLD.id;
END;
