-- Spaces that another store serves are few among many.
CREATE INDEX space_elsewhere ON space (name) WHERE served_by IS NOT NULL;
