-- The spend ledger: every call of a language model, of all spaces, in numbers and names; never what was asked or answered.
-- Both databases read this file.

-- `tokens` and `micros` count against the caps: the most a call can cost until it is settled, and then what it did cost.
-- `micros` are millionths of a US dollar, NULL where no price is known. A call that nobody settles counts in full.
CREATE TABLE spend (
    id TEXT PRIMARY KEY,
    space TEXT NOT NULL,
    session TEXT NOT NULL,
    task TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    day TEXT NOT NULL,
    reserved_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    settled_at TEXT,
    tokens BIGINT NOT NULL,
    micros BIGINT,
    input_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL
);

CREATE INDEX spend_of_a_day ON spend (day, space);
CREATE INDEX spend_of_a_session ON spend (space, session) WHERE session <> '';

-- One row, which every reservation changes first: so they come one after the other, on every database.
CREATE TABLE spend_turn (
    id INTEGER PRIMARY KEY,
    calls BIGINT NOT NULL
);

INSERT INTO spend_turn (id, calls) VALUES (1, 0);
