-- What searches did, for a while: ids and scores, never a text of memory. Both databases read this file.
CREATE TABLE receipt (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    asked TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (space, id)
);
