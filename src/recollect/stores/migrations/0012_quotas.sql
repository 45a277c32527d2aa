-- How much a space may hold, and take in on one day. An empty number is no limit; a space without a row has none.
-- `used` counts what came in on `day`, a date in UTC. Both databases read this file.
CREATE TABLE quota (
    space TEXT NOT NULL PRIMARY KEY,
    notes INTEGER,
    messages INTEGER,
    day TEXT NOT NULL,
    used INTEGER NOT NULL
);
