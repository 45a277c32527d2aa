-- People who sign in with a name and a password, or by an issuer of identities. An account has the rights of one token.
CREATE TABLE account (
    name TEXT NOT NULL PRIMARY KEY,
    token_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    identity TEXT UNIQUE,
    password TEXT
);
