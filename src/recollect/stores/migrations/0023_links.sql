-- What a model judged of messages and notes. Derived, and made anew when the model changes; only a refutation is a
-- person's word, and stays. Both databases read this file.

-- The newest judgement of each record. `version` is that of the note's words, 0 for a message.
CREATE TABLE judgement (
    space TEXT NOT NULL,
    record_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    model_id TEXT NOT NULL,
    stance TEXT NOT NULL,
    asserted DOUBLE PRECISION NOT NULL,
    judged_at TEXT NOT NULL,
    PRIMARY KEY (space, record_id)
);

-- Whether there are judgements of another model.
CREATE INDEX judgement_model ON judgement (space, model_id);

-- Which newer statement replaces, ends or repeats which older one.
CREATE TABLE statement_link (
    space TEXT NOT NULL,
    older TEXT NOT NULL,
    newer TEXT NOT NULL,
    relation TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    model_id TEXT NOT NULL,
    judged_at TEXT NOT NULL,
    refuted_at TEXT,
    refuted_by TEXT,
    PRIMARY KEY (space, older, newer)
);

CREATE INDEX statement_link_newer ON statement_link (space, newer);
CREATE INDEX statement_link_refuted ON statement_link (space, older, newer) WHERE refuted_at IS NOT NULL;
