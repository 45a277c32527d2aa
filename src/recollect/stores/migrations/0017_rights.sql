-- Tokens that are bound to a part of a space, that were made over HTTP or rotated; browsers that are signed in;
-- and receipts of searches within such a part. Both databases read this file.

-- What a token is bound to: it reads and writes nothing else of its space. `scope` lists each right from here on.
ALTER TABLE access_token ADD COLUMN scope_user TEXT;
ALTER TABLE access_token ADD COLUMN scope_agent TEXT;
ALTER TABLE access_token ADD COLUMN scope_project TEXT;
ALTER TABLE access_token ADD COLUMN made_by TEXT;
ALTER TABLE access_token ADD COLUMN successor TEXT;

-- Links that sign a browser in once. The row goes when the link is used.
CREATE TABLE sign_in_link (
    id TEXT NOT NULL PRIMARY KEY,
    token_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    digest TEXT NOT NULL
);

-- Browsers that are signed in, each with the rights of a token.
CREATE TABLE sign_in (
    id TEXT NOT NULL PRIMARY KEY,
    token_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    personal INTEGER NOT NULL,
    ended_at TEXT,
    digest TEXT NOT NULL
);

-- The part of a space in which a search was made; empty for all of it.
ALTER TABLE receipt ADD COLUMN bound TEXT NOT NULL DEFAULT '';
