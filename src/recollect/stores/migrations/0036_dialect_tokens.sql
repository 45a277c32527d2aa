-- Tokens that open one dialect, a family of paths of another memory system, and nothing else. Both databases read this
-- file. Without a dialect a token opens our own paths only.
ALTER TABLE access_token ADD COLUMN dialect TEXT;
