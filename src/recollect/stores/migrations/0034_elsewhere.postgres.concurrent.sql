-- Spaces that another store serves are few among many.
CREATE INDEX CONCURRENTLY IF NOT EXISTS space_elsewhere ON recollect.space (name) WHERE served_by IS NOT NULL;
