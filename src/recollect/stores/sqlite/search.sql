-- name: matching
-- Notes that have, or once had, any of the words; the selection's conditions are added by the store.
SELECT {note}, found.text
FROM note_words
JOIN note_text AS found ON found.doc = note_words.rowid
JOIN note ON note.space = found.space AND note.id = found.note_id AND found.version <= note.version
JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note_words MATCH :terms AND found.space = :space

-- name: matching_order
-- Rarer words first; of equals the newer note.
ORDER BY bm25(note_words, 0.0, 1.0, 1.0, 1.0), note.id DESC

-- name: observations_matching
-- Observations that have any of the words.
SELECT {observation}
FROM observation_words
JOIN observation_text AS words ON words.doc = observation_words.rowid
JOIN observation ON observation.space = words.space AND observation.id = words.observation_id
WHERE observation_words MATCH :terms AND words.space = :space
AND (CAST(:since AS TEXT) IS NULL OR observation.observed_at >= :since)
AND (CAST(:until AS TEXT) IS NULL OR observation.observed_at <= :until)
ORDER BY bm25(observation_words, 0.0, 1.0, 1.0, 1.0), observation.id DESC
LIMIT :limit
