-- name: insert_leaf
-- Write one value of the metadata of a version.
INSERT INTO note_metadata (space, note_id, version, place, path, kind, beginning, text, number)
VALUES (:space, :id, :version, :place, :path, :kind, :beginning, :text, :number)

-- name: leaves
-- The values of the metadata of a version, as they are kept.
SELECT place, path, kind, beginning, text, number FROM note_metadata
WHERE space = :space AND note_id = :id AND version = :version ORDER BY place

-- name: erase_leaves
-- Erase the values of the metadata of a note.
DELETE FROM note_metadata WHERE space = :space AND note_id = :id

-- name: erase_space_leaves
-- Erase the values of the metadata of all notes of a space.
DELETE FROM note_metadata WHERE space = :space

-- name: metadata_after
-- The metadata of the versions that have any, in the order of an export.
SELECT id, version, metadata FROM note
WHERE space = :space AND (id, version) > (:id, :version) AND length(metadata) > 2
ORDER BY id, version LIMIT :limit

-- name: count_leaves
-- How many values there are in the metadata of all notes.
SELECT COUNT(*) FROM note_metadata WHERE space = :space

-- name: every_metadata
-- The metadata of every version that has any, of all spaces; for the migration that first takes them apart.
SELECT space, id, version, metadata FROM note WHERE length(metadata) > 2
