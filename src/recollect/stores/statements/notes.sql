-- name: current_note
-- The current version of a note.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND note.id = :id AND note.replaced_at IS NULL

-- name: note_known_at
-- The version of a note that was current at a moment.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND note.id = :id
AND note.updated_at <= :known_at AND (note.replaced_at IS NULL OR note.replaced_at > :known_at)

-- name: note_version
-- One version of a note.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND note.id = :id AND note.version = :version

-- name: note_versions
-- All versions of a note, oldest first.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND note.id = :id
ORDER BY note.version

-- name: notes
-- Notes for a list; the selection's conditions and the order are added by the store.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space

-- name: selected_ids
-- The ids of notes; the selection's conditions are added by the store.
SELECT note.id FROM note WHERE note.space = :space

-- name: selected_ids_by_tag
-- The same for a selection that names a tag, which stands with the words.
SELECT note.id
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space

-- name: export_versions
-- Versions in the order of an export.
SELECT {note}
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND (note.id, note.version) > (:id, :version)
ORDER BY note.id, note.version
LIMIT :limit

-- name: tombstones
-- Erased notes in the order of an export.
SELECT note_id, erased_at FROM tombstone WHERE space = :space AND note_id > :after ORDER BY note_id LIMIT :limit

-- name: descendants
-- All notes derived from a note, at any remove. A cross join is read in the order in which it is written; left to itself,
-- the planner reads all links for each note.
WITH RECURSIVE descendants (id) AS (
    SELECT note_id FROM note_link WHERE space = :space AND target_id = :id AND relation = 'derived_from'
    UNION
    SELECT note_link.note_id
    FROM descendants CROSS JOIN note_link
    WHERE note_link.space = :space AND note_link.relation = 'derived_from' AND note_link.target_id = descendants.id
)
SELECT id FROM descendants

-- name: resting_on
-- All notes that were made from a record or rest on it, at any remove.
WITH RECURSIVE resting (id) AS (
    SELECT note_id FROM note_link
    WHERE space = :space AND target_id = :id AND relation IN ('derived_from', 'depends_on')
    UNION
    SELECT note_link.note_id
    FROM resting CROSS JOIN note_link
    WHERE note_link.space = :space AND note_link.target_id = resting.id
    AND note_link.relation IN ('derived_from', 'depends_on')
)
SELECT id FROM resting

-- name: links_to
-- How other notes are linked to a note.
SELECT relation, note_id FROM note_link WHERE space = :space AND target_id = :id

-- name: changes_after
-- The change log after a number.
SELECT seq, kind, record_id, version FROM change_log WHERE space = :space AND seq > :seq ORDER BY seq LIMIT :limit

-- name: newest_change
-- The number of the newest change, also of a space that is deleted.
SELECT coalesce(MAX(seq), 0) FROM change_log WHERE space = :space

-- name: audit_after
-- The audit chain after a number.
SELECT seq, at, reason, channel, principal, summary, digest
FROM audit WHERE space = :space AND seq > :seq ORDER BY seq LIMIT :limit

-- name: audit_head
-- Where the audit chain of a space ends.
SELECT audit_seq, audit_head FROM space WHERE name = :space
