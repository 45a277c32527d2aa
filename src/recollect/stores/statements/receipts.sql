-- name: insert_receipt
-- Keep what a search did.
INSERT INTO receipt (space, id, at, asked, body, bound) VALUES (:space, :id, :at, :asked, :body, :bound)

-- name: receipt
-- What one search did.
SELECT id, at, asked, body FROM receipt WHERE space = :space AND id = :id

-- name: drop_old_receipts
-- Drop receipts that are too old, and those beyond the newest ones. Ids sort by the time they were made.
DELETE FROM receipt
WHERE space = :space AND (
    at < :oldest
    OR id <= (SELECT id FROM receipt WHERE space = :space ORDER BY id DESC LIMIT 1 OFFSET :most)
)

-- name: blank_receipts
-- Forget what was asked: a question may repeat what is being erased. Ids and scores stay.
UPDATE receipt SET asked = NULL WHERE space = :space AND asked IS NOT NULL

-- name: erase_space_receipts
-- Erase all receipts of a space.
DELETE FROM receipt WHERE space = :space

-- name: recent_receipts
-- What the newest searches did that can still be asked again.
SELECT id, at, asked, body FROM receipt WHERE space = :space AND asked IS NOT NULL ORDER BY id DESC LIMIT :limit
