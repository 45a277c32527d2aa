-- name: count_note_use
-- Add to how often a note was told, unless it is not there any more.
INSERT INTO note_use (space, note_id, day, actor, recalled, found)
SELECT name, CAST(:id AS TEXT), CAST(:day AS TEXT), CAST(:actor AS TEXT), CAST(:recalled AS BIGINT),
CAST(:found AS BIGINT)
FROM space WHERE name = :space AND deleted_at IS NULL
AND EXISTS (SELECT 1 FROM note WHERE note.space = :space AND note.id = :id)
ON CONFLICT (space, note_id, day, actor) DO UPDATE
SET recalled = note_use.recalled + excluded.recalled, found = note_use.found + excluded.found

-- name: note_uses
-- How often a note was told, the newest day first.
SELECT note_id, day, actor, recalled, found FROM note_use
WHERE space = :space AND note_id = :id AND day >= :day ORDER BY day DESC, actor

-- name: drop_old_note_uses
-- Drop the counts of days that are too long ago.
DELETE FROM note_use WHERE space = :space AND day < :day

-- name: erase_note_uses
-- Erase how often a note was told.
DELETE FROM note_use WHERE space = :space AND note_id = :id

-- name: erase_space_note_uses
-- Erase how often the notes of a space were told.
DELETE FROM note_use WHERE space = :space
