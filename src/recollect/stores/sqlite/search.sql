-- name: matching
-- Notes that have, or once had, any of the words; the selection's conditions are added by the store. A cross join is
-- read in the order in which it is written; left to itself, the planner begins with all texts of the space.
SELECT {note}, found.text
FROM (
    SELECT rowid AS doc, rank AS weight FROM note_words
    WHERE note_words MATCH :terms AND rowid >= :oldest AND rank MATCH 'bm25(0.0, 1.0, 1.0, 1.0)'
    ORDER BY rank LIMIT :best
) AS best
CROSS JOIN note_text AS found ON found.doc = best.doc
CROSS JOIN note ON note.space = found.space AND note.id = found.note_id AND found.version <= note.version
CROSS JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE found.space = :space

-- name: matching_order
-- Rarer words first; of equals the newer note.
ORDER BY best.weight, note.id DESC

-- name: observations_matching
-- Observations that have any of the words.
SELECT {observation}
FROM (
    SELECT rowid AS doc, rank AS weight FROM observation_words
    WHERE observation_words MATCH :terms AND rowid >= :oldest AND rank MATCH 'bm25(0.0, 1.0, 1.0, 1.0)'
    ORDER BY rank LIMIT :best
) AS best
CROSS JOIN observation_text AS words ON words.doc = best.doc
CROSS JOIN observation ON observation.space = words.space AND observation.id = words.observation_id
WHERE words.space = :space
AND (CAST(:since AS TEXT) IS NULL OR observation.observed_at >= :since)
AND (CAST(:until AS TEXT) IS NULL OR observation.observed_at <= :until)
ORDER BY best.weight, observation.id DESC
LIMIT :limit
