-- The words of observations, and the index derived from them; see 0002 for the reasons.
CREATE TABLE observation_text (
    doc INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL,
    observation_id TEXT NOT NULL,
    title TEXT,
    speaker TEXT,
    text TEXT NOT NULL,
    UNIQUE (space, observation_id)
);

CREATE VIRTUAL TABLE observation_words USING fts5 (
    space, title, speaker, text,
    content = 'observation_text', content_rowid = 'doc', tokenize = 'porter unicode61 remove_diacritics 2'
);

INSERT INTO observation_words (observation_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER observation_text_added AFTER INSERT ON observation_text
BEGIN
    INSERT INTO observation_words (rowid, space, title, speaker, text)
    VALUES (new.doc, new.space, new.title, new.speaker, new.text);
END;

CREATE TRIGGER observation_text_removed AFTER DELETE ON observation_text
BEGIN
    INSERT INTO observation_words (observation_words, rowid, space, title, speaker, text)
    VALUES ('delete', old.doc, old.space, old.title, old.speaker, old.text);
END;
