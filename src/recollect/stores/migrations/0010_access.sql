-- Access tokens: who may come in through a door that asks. They belong to the store, not to a space; `space` says which
-- one a token is for, and is empty for all of them. Both databases read this file.
CREATE TABLE access_token (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    space TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    last_used_at TEXT,
    revoked_at TEXT,
    digest TEXT NOT NULL
);
