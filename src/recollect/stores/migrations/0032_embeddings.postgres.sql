-- The index of the table goes by its new name as well.
ALTER INDEX vector_pkey RENAME TO embedding_pkey;
