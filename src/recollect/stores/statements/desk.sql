-- name: insert_slot
-- Write a slot that is not there yet.
INSERT INTO slot (
    space, id, label, project, text, description, size_limit, pinned, version, updated_at,
    channel, principal, session, source, authority
) VALUES (
    :space, :id, :label, :project, :text, :description, :size_limit, :pinned, :version, :updated_at,
    :channel, :principal, :session, :source, :authority
)
ON CONFLICT DO NOTHING
RETURNING id

-- name: replace_slot
-- Write the next version of a slot. Yields nothing if another one was faster.
UPDATE slot SET text = :text, description = :description, size_limit = :size_limit, pinned = :pinned,
version = :version, updated_at = :updated_at, channel = :channel, principal = :principal, session = :session,
source = :source, authority = :authority
WHERE space = :space AND id = :id AND version = :version - 1
RETURNING id

-- name: slots
-- All slots of a space.
SELECT {slot} FROM slot WHERE space = :space

-- name: slot_labelled
-- The slot of a label, of one project or (with an empty one) of all.
SELECT {slot} FROM slot WHERE space = :space AND project = :project AND label = :label

-- name: slots_after
-- Slots in the order of an export.
SELECT {slot} FROM slot WHERE space = :space AND id > :after ORDER BY id LIMIT :limit

-- name: erase_slot
-- Erase a slot.
DELETE FROM slot WHERE space = :space AND id = :id

-- name: insert_action
-- Write an action that is not there yet.
INSERT INTO action (
    space, id, version, text, status, priority, depends_on, project, created_at, updated_at,
    channel, principal, session, source, authority
) VALUES (
    :space, :id, :version, :text, :status, :priority, :depends_on, :project, :created_at, :updated_at,
    :channel, :principal, :session, :source, :authority
)
ON CONFLICT DO NOTHING
RETURNING id

-- name: replace_action
-- Write the next version of an action. Yields nothing if another one was faster.
UPDATE action SET text = :text, status = :status, priority = :priority, depends_on = :depends_on, project = :project,
version = :version, updated_at = :updated_at, channel = :channel, principal = :principal, session = :session,
source = :source, authority = :authority
WHERE space = :space AND id = :id AND version = :version - 1
RETURNING id

-- name: action
-- One action.
SELECT {action} FROM action WHERE space = :space AND id = :id

-- name: actions
-- Actions for a list; the store adds which, and the order.
SELECT {action} FROM action WHERE space = :space

-- name: actions_after
-- Actions in the order of an export.
SELECT {action} FROM action WHERE space = :space AND id > :after ORDER BY id LIMIT :limit

-- name: erase_action
-- Erase an action.
DELETE FROM action WHERE space = :space AND id = :id

-- name: desk_ids
-- Every slot and every action of a space.
SELECT id FROM slot WHERE space = :space UNION SELECT id FROM action WHERE space = :space

-- name: erase_space_slots
-- Erase all slots of a space.
DELETE FROM slot WHERE space = :space

-- name: erase_space_actions
-- Erase all actions of a space.
DELETE FROM action WHERE space = :space
