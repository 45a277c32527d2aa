-- name: open_space
-- Make the row of a space if there is none yet.
INSERT INTO space (name, description, created_at, deleted_at, seq, audit_seq, audit_head)
VALUES (:space, '', :at, :at, 0, 0, '')
ON CONFLICT (name) DO NOTHING

-- name: lock_space
-- Take the space's row: whoever has it is the only one that writes in the space.
UPDATE space SET seq = seq WHERE name = :space
RETURNING seq, audit_seq, audit_head, deleted_at

-- name: describe_space
-- Say anew what a space is for. Yields nothing if it says so already.
UPDATE space SET description = :description WHERE name = :space AND description <> :description
RETURNING name

-- name: revive_space
-- Bring a space to life that a first write makes.
UPDATE space SET created_at = :at, deleted_at = NULL WHERE name = :space

-- name: bury_space
-- Mark a space as deleted; its counters stay, so that they never start over.
UPDATE space SET description = '', deleted_at = :at WHERE name = :space

-- name: advance_space
-- Move the counters of a space on, as the last step of a write.
UPDATE space SET seq = :seq, audit_seq = :audit_seq, audit_head = :audit_head WHERE name = :space

-- name: spaces
-- Every space that is not deleted and is served here. The place of work for the whole store is none, though its counters
-- stand here.
SELECT name, description, created_at, seq, deleted_at FROM space
WHERE deleted_at IS NULL AND served_by IS NULL AND name <> '@store'

-- name: space
-- One space that is not deleted and is served here.
SELECT name, description, created_at, seq, deleted_at FROM space
WHERE name = :space AND deleted_at IS NULL AND served_by IS NULL

-- name: spaces_elsewhere
-- Spaces that another store serves, and which.
SELECT name, served_by FROM space WHERE served_by IS NOT NULL ORDER BY name

-- name: serving_store
-- The store that serves a space; nothing for one that was never here.
SELECT served_by FROM space WHERE name = :space

-- name: served_elsewhere
-- A row if another store serves a space: nothing is read from it here, and nothing written.
SELECT served_by FROM space WHERE name = :space AND served_by IS NOT NULL

-- name: hand_over
-- Say which store serves a space from now on; NULL is this one.
UPDATE space SET served_by = :address WHERE name = :space

-- name: expect_space
-- Make the row of a space that is arriving from another store, unless there is one.
INSERT INTO space (name, description, created_at, deleted_at, seq, audit_seq, audit_head, served_by)
VALUES (:space, '', :at, NULL, 0, 0, '', :address)
ON CONFLICT (name) DO NOTHING

-- name: described_space
-- The row of a space as another store would have it.
SELECT description, created_at, deleted_at, seq, audit_seq, audit_head FROM space WHERE name = :space

-- name: adopt_space
-- Take over the description and the counters that a space has in another store.
UPDATE space SET description = :description, created_at = :created_at, deleted_at = :deleted_at, seq = :seq,
    audit_seq = :audit_seq, audit_head = :audit_head
WHERE name = :space

-- name: count_notes
-- Current notes by state and kind.
SELECT state, kind, COUNT(*) FROM note WHERE space = :space AND replaced_at IS NULL GROUP BY state, kind

-- name: count_versions
-- All versions there are.
SELECT COUNT(*) FROM note WHERE space = :space

-- name: count_tombstones
-- All notes that were erased.
SELECT COUNT(*) FROM tombstone WHERE space = :space

-- name: quota
-- What a space may hold and take in, and how much it took in on the day that was counted last.
SELECT notes, messages, day, used FROM quota WHERE space = :space

-- name: set_quota
-- Say what a space may hold and take in. What was counted today stays counted.
INSERT INTO quota (space, notes, messages, attachment_bytes, day, used)
VALUES (:space, :notes, :messages, :attachment_bytes, '', 0)
ON CONFLICT (space) DO UPDATE
SET notes = excluded.notes, messages = excluded.messages, attachment_bytes = excluded.attachment_bytes

-- name: count_taken_in
-- Keep how much a space took in on a day.
UPDATE quota SET day = :day, used = :used WHERE space = :space

-- name: count_current
-- How many notes a space holds now.
SELECT COUNT(*) FROM note WHERE space = :space AND replaced_at IS NULL

-- name: erase_space_quota
-- A space that is gone has no quota.
DELETE FROM quota WHERE space = :space
