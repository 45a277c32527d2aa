-- The store that serves a space, where it is not this one: the space was moved there, or is just arriving from there.
-- Processes of the version before go on beside it: they name every column that they read and write.
ALTER TABLE space ADD COLUMN served_by TEXT;
