-- Which embedding model serves the store, and which one stands beside it: made ready, or kept for a way back. One row,
-- or none while the settings alone say it. Names as the setting `embedding` has them; never a text of memory. Both databases read this file.
CREATE TABLE embedding_choice (
    id INTEGER PRIMARY KEY,
    serving TEXT NOT NULL,
    beside TEXT NOT NULL,
    changed_at TEXT NOT NULL
);
