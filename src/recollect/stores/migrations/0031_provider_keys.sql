-- Keys of providers that a space brought along, sealed with a key that stands in no database and in no backup. Both
-- databases read this file.
CREATE TABLE provider_key (
    space TEXT NOT NULL,
    provider TEXT NOT NULL,
    sealed TEXT NOT NULL,
    set_at TEXT NOT NULL,
    principal TEXT NOT NULL,
    PRIMARY KEY (space, provider)
);
