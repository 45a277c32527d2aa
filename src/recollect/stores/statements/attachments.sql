-- name: insert_attachment_reference
-- Write down that an observation names a file, whose bytes may follow.
INSERT INTO attachment_reference (space, digest, observation_id, held) VALUES (:space, :digest, :id, 0)
ON CONFLICT (space, digest, observation_id) DO NOTHING

-- name: hold_attachment
-- Let the observations that name a file have its bytes, as far as they are of the writer's part of the space.
UPDATE attachment_reference SET held = 1
WHERE space = :space AND digest = :digest AND EXISTS (
    SELECT 1 FROM observation
    WHERE observation.space = attachment_reference.space AND observation.id = attachment_reference.observation_id
    AND coalesce(observation.scope_user, '') = coalesce(:user, observation.scope_user, '')
    AND coalesce(observation.scope_agent, '') = coalesce(:agent, observation.scope_agent, '')
    AND coalesce(observation.scope_project, '') = coalesce(:project, observation.scope_project, '')
)
RETURNING observation_id

-- name: hold_attachment_of
-- Let one observation that names a file have its bytes.
UPDATE attachment_reference SET held = 1 WHERE space = :space AND digest = :digest AND observation_id = :id
RETURNING observation_id

-- name: insert_attachment
-- Keep the bytes of a file, unless they are here. Yields nothing if they are.
INSERT INTO attachment (space, digest, size, content) VALUES (:space, :digest, :size, :content)
ON CONFLICT (space, digest) DO NOTHING
RETURNING digest

-- name: attachment_bytes
-- How many bytes the files of a space have together, and how many it may have.
SELECT coalesce(sum(size), 0), (SELECT attachment_bytes FROM quota WHERE space = :space)
FROM attachment WHERE space = :space

-- name: attachment
-- The bytes of a file, with the first observation that holds it and is still kept at a time.
SELECT attachment.digest, attachment.content, observation.id, observation.attachments
FROM attachment_reference AS reference
JOIN attachment ON attachment.space = reference.space AND attachment.digest = reference.digest
JOIN observation ON observation.space = reference.space AND observation.id = reference.observation_id
WHERE reference.space = :space AND reference.digest = :digest AND reference.held = 1
AND (observation.erase_at IS NULL OR observation.erase_at > :at)
ORDER BY observation.id
LIMIT 1

-- name: attachments_after
-- Files in the order of an export, those without an owner left out.
SELECT attachment.digest, attachment.content
FROM attachment
WHERE attachment.space = :space AND attachment.digest > :after AND EXISTS (
    SELECT 1 FROM attachment_reference AS reference
    WHERE reference.space = attachment.space AND reference.digest = attachment.digest AND reference.held = 1
)
ORDER BY attachment.digest
LIMIT :limit

-- name: attachments_held
-- The files that each observation holds, by their digests.
SELECT observation_id, digest FROM attachment_reference WHERE space = :space AND held = 1

-- name: erase_attachment_alone
-- Erase the bytes of the files of an observation that no other observation holds. To be done before the next one.
DELETE FROM attachment
WHERE attachment.space = :space AND attachment.digest IN (
    SELECT digest FROM attachment_reference WHERE space = :space AND observation_id = :id
) AND NOT EXISTS (
    SELECT 1 FROM attachment_reference AS other
    WHERE other.space = :space AND other.digest = attachment.digest AND other.held = 1 AND other.observation_id <> :id
)

-- name: erase_attachment_references
-- Forget which files an observation had.
DELETE FROM attachment_reference WHERE space = :space AND observation_id = :id

-- name: erase_space_attachments
-- Erase all files of a space.
DELETE FROM attachment WHERE space = :space

-- name: erase_space_attachment_references
-- Forget which observations of a space had files.
DELETE FROM attachment_reference WHERE space = :space
