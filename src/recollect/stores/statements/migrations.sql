-- name: migrations
-- What has been migrated already.
SELECT number, name FROM migration ORDER BY number

-- name: insert_migration
-- Remember a migration.
INSERT INTO migration (number, name, at) VALUES (:number, :name, :at)
