-- Texts as vectors, of the model that is named. Derived: they can always be made anew. Both databases read this file.
CREATE TABLE vector (
    space TEXT NOT NULL,
    model_id TEXT NOT NULL,
    record_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    vector BYTEA NOT NULL,
    PRIMARY KEY (space, model_id, record_id, version)
);
