-- A table makes a type of its own name: one called `vector` hides the type of the PostgreSQL extension.
ALTER TABLE vector RENAME TO embedding;
