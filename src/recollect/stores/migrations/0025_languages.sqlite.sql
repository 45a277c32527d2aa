-- The forms by which texts of other languages are found, beside their words as written: roots, and neighbours of signs
-- where no spaces stand between words. The store makes them. NULL for texts of before, of which nobody has made any yet,
-- and empty where there are none, as in English: such texts are not in these indexes.

ALTER TABLE note_text ADD COLUMN forms TEXT;

CREATE VIEW note_formed AS SELECT doc, space, forms FROM note_text WHERE forms <> '';

CREATE VIRTUAL TABLE note_forms USING fts5 (
    space, forms, content = 'note_formed', content_rowid = 'doc',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);

INSERT INTO note_forms (note_forms, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER note_forms_added AFTER INSERT ON note_text WHEN new.forms <> ''
BEGIN
    INSERT INTO note_forms (rowid, space, forms) VALUES (new.doc, new.space, new.forms);
END;

CREATE TRIGGER note_forms_removed AFTER DELETE ON note_text WHEN old.forms <> ''
BEGIN
    INSERT INTO note_forms (note_forms, rowid, space, forms) VALUES ('delete', old.doc, old.space, old.forms);
END;

CREATE TRIGGER note_forms_left BEFORE UPDATE OF forms ON note_text WHEN old.forms <> ''
BEGIN
    INSERT INTO note_forms (note_forms, rowid, space, forms) VALUES ('delete', old.doc, old.space, old.forms);
END;

CREATE TRIGGER note_forms_made AFTER UPDATE OF forms ON note_text WHEN new.forms <> ''
BEGIN
    INSERT INTO note_forms (rowid, space, forms) VALUES (new.doc, new.space, new.forms);
END;

ALTER TABLE observation_text ADD COLUMN forms TEXT;

CREATE VIEW observation_formed AS SELECT doc, space, forms FROM observation_text WHERE forms <> '';

CREATE VIRTUAL TABLE observation_forms USING fts5 (
    space, forms, content = 'observation_formed', content_rowid = 'doc',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);

INSERT INTO observation_forms (observation_forms, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER observation_forms_added AFTER INSERT ON observation_text WHEN new.forms <> ''
BEGIN
    INSERT INTO observation_forms (rowid, space, forms) VALUES (new.doc, new.space, new.forms);
END;

CREATE TRIGGER observation_forms_removed AFTER DELETE ON observation_text WHEN old.forms <> ''
BEGIN
    INSERT INTO observation_forms (observation_forms, rowid, space, forms) VALUES ('delete', old.doc, old.space, old.forms);
END;

CREATE TRIGGER observation_forms_left BEFORE UPDATE OF forms ON observation_text WHEN old.forms <> ''
BEGIN
    INSERT INTO observation_forms (observation_forms, rowid, space, forms) VALUES ('delete', old.doc, old.space, old.forms);
END;

CREATE TRIGGER observation_forms_made AFTER UPDATE OF forms ON observation_text WHEN new.forms <> ''
BEGIN
    INSERT INTO observation_forms (rowid, space, forms) VALUES (new.doc, new.space, new.forms);
END;
