-- The words of notes, and the index derived from them. `doc` is a key of its own because VACUUM may
-- renumber bare row ids, and AUTOINCREMENT because a reused one would find another note's words.
CREATE TABLE note_text (
    doc INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL,
    note_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    title TEXT,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    UNIQUE (space, note_id, version)
);

-- `space` is indexed like a word, so that a search reads the postings of its own space only.
CREATE VIRTUAL TABLE note_words USING fts5 (
    space, title, text, tags,
    content = 'note_text', content_rowid = 'doc', tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Without it, deleted words stay in the index's pages.
INSERT INTO note_words (note_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER note_text_added AFTER INSERT ON note_text
BEGIN
    INSERT INTO note_words (rowid, space, title, text, tags)
    VALUES (new.doc, new.space, new.title, new.text, new.tags);
END;

CREATE TRIGGER note_text_removed AFTER DELETE ON note_text
BEGIN
    INSERT INTO note_words (note_words, rowid, space, title, text, tags)
    VALUES ('delete', old.doc, old.space, old.title, old.text, old.tags);
END;
