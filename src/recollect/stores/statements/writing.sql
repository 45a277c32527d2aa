-- name: replace_note
-- End the time in which a version was the current one. Yields nothing if it was not.
UPDATE note SET replaced_at = :updated_at
WHERE space = :space AND id = :id AND version = :version AND replaced_at IS NULL
RETURNING version

-- name: end_version
-- Say until when a version was the current one.
UPDATE note SET replaced_at = :replaced_at WHERE space = :space AND id = :id AND version = :version

-- name: version_times
-- Which versions of a note there are, and since when.
SELECT version, updated_at FROM note WHERE space = :space AND id = :id ORDER BY version

-- name: insert_note
-- Write a version.
INSERT INTO note (
    space, id, version, text_version, kind, subject, attribute, value,
    scope_user, scope_agent, scope_project, scope_session, scope_machine,
    state, confidence, importance, pinned, channel, principal, session, source, authority,
    recorded_at, updated_at, replaced_at, valid_from, valid_until, occurred_at, expires_at, retired_at,
    last_seen_at, verified_at, supersedes, derived_from, depends_on, related, review, metadata,
    key, erase_at
) VALUES (
    :space, :id, :version, :text_version, :kind, :subject, :attribute, :value,
    :scope_user, :scope_agent, :scope_project, :scope_session, :scope_machine,
    :state, :confidence, :importance, :pinned, :channel, :principal, :session, :source, :authority,
    :recorded_at, :updated_at, :replaced_at, :valid_from, :valid_until, :occurred_at, :expires_at, :retired_at,
    :last_seen_at, :verified_at, :supersedes, :derived_from, :depends_on, :related, :review, :metadata,
    :key, :erase_at
)

-- name: key_holders
-- The notes that have a key in the very scope of another, the oldest first.
SELECT id FROM note
WHERE space = :space AND key = :key AND replaced_at IS NULL
AND coalesce(scope_user, '') = coalesce(CAST(:scope_user AS TEXT), '')
AND coalesce(scope_agent, '') = coalesce(CAST(:scope_agent AS TEXT), '')
AND coalesce(scope_project, '') = coalesce(CAST(:scope_project AS TEXT), '')
ORDER BY id

-- name: texts
-- The words a note has and had.
SELECT version, title, text, tags FROM note_text WHERE space = :space AND note_id = :id

-- name: insert_text
-- Write the words of a version.
INSERT INTO note_text (space, note_id, version, title, text, tags, forms)
VALUES (:space, :id, :version, :title, :text, :tags, :forms)

-- name: unformed_texts
-- Words of notes of which nobody has made the forms, from one on; those are of before there were any.
SELECT note_id, version, title, text, tags FROM note_text
WHERE space = :space AND forms IS NULL AND (note_id > :id OR note_id = :id AND version > :version)
ORDER BY note_id, version LIMIT :limit

-- name: count_unformed
-- How many texts of notes and of observations lack forms.
SELECT (SELECT COUNT(*) FROM note_text WHERE space = :space AND forms IS NULL)
+ (SELECT COUNT(*) FROM observation_text WHERE space = :space AND forms IS NULL)

-- name: set_forms
-- Say by which forms the words of a version are found.
UPDATE note_text SET forms = :forms WHERE space = :space AND note_id = :id AND version = :version

-- name: insert_link
-- Link one note to another.
INSERT INTO note_link (space, note_id, relation, target_id) VALUES (:space, :id, :relation, :target)
ON CONFLICT (space, note_id, relation, target_id) DO NOTHING

-- name: tombstone
-- Whether a note was erased, and when.
SELECT erased_at FROM tombstone WHERE space = :space AND note_id = :id

-- name: insert_tombstone
-- Remember that a note was erased.
INSERT INTO tombstone (space, note_id, erased_at) VALUES (:space, :id, :at)
ON CONFLICT (space, note_id) DO NOTHING
RETURNING note_id

-- name: erase_versions
-- Erase all versions of a note. What it names goes with them: see migration 0042.
DELETE FROM note WHERE space = :space AND id = :id

-- name: erase_texts
-- Erase all words of a note.
DELETE FROM note_text WHERE space = :space AND note_id = :id

-- name: erase_links
-- Erase the links a note had.
DELETE FROM note_link WHERE space = :space AND note_id = :id

-- name: blank_requests
-- Forget what was asked in the requests that wrote a note; a digest of a short text can be guessed.
UPDATE idempotency SET fingerprint = '' WHERE space = :space AND receipt LIKE '%' || CAST(:id AS TEXT) || '%'

-- name: note_ids
-- Every note of a space.
SELECT DISTINCT id FROM note WHERE space = :space

-- name: erase_space_notes
-- Erase all notes of a space.
DELETE FROM note WHERE space = :space

-- name: erase_space_texts
-- Erase all words of a space.
DELETE FROM note_text WHERE space = :space

-- name: erase_space_links
-- Erase all links of a space.
DELETE FROM note_link WHERE space = :space

-- name: erase_space_requests
-- Erase the memory of keyed requests of a space.
DELETE FROM idempotency WHERE space = :space

-- name: request
-- What was done under an idempotency key: by its digest, or by the key itself, which earlier versions stored.
SELECT fingerprint, receipt FROM idempotency WHERE space = :space AND key IN (:digest, :key)

-- name: insert_request
-- Remember what was done under an idempotency key, of which only the digest is kept.
INSERT INTO idempotency (space, key, fingerprint, receipt, at)
VALUES (:space, :digest, :fingerprint, :receipt, :at)

-- name: insert_change
-- Add to the change log.
INSERT INTO change_log (space, seq, kind, record_id, version) VALUES (:space, :seq, :kind, :record_id, :version)

-- name: insert_audit
-- Add to the audit chain.
INSERT INTO audit (space, seq, at, reason, channel, principal, summary, digest)
VALUES (:space, :seq, :at, :reason, :channel, :principal, :summary, :digest)
