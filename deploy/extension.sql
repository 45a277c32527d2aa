CREATE EXTENSION IF NOT EXISTS vector;
-- Searches use the index of words although row-level security binds them.
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
