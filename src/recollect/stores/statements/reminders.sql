-- name: insert_reminded
-- Write down that a session is told something; a row only if it was not told before.
INSERT INTO reminded (space, bound, session_id, record_id, at) VALUES (:space, :bound, :session, :id, :at)
ON CONFLICT DO NOTHING
RETURNING record_id

-- name: reminded
-- The records that a session was told.
SELECT record_id FROM reminded WHERE space = :space AND bound = :bound AND session_id = :session

-- name: drop_reminded
-- Forget what a session was told: its context was cut, or it begins anew.
DELETE FROM reminded WHERE space = :space AND bound = :bound AND session_id = :session

-- name: drop_old_reminded
-- Forget what sessions were told that are long over.
DELETE FROM reminded WHERE space = :space AND at < :oldest

-- name: erase_reminded
-- Forget that a record was told, or a line of it.
DELETE FROM reminded WHERE space = :space AND (record_id = :id OR record_id LIKE CAST(:id AS TEXT) || '#%')

-- name: erase_space_reminded
-- Forget all that was told in a space.
DELETE FROM reminded WHERE space = :space
