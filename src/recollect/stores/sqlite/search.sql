-- name: tagged
-- A condition: only notes whose ids come as a list in JSON. Here and in the next two a plus sign keeps the planner from
-- walking all notes in their order, instead of those few.
AND note.id IN (SELECT value FROM json_each(:tagged))

-- name: tagged_before
-- A condition: only notes older than one.
AND +note.id < :before

-- name: tagged_order
-- The newest first.
ORDER BY +note.id DESC

-- name: by_times
-- What follows the table of notes where those known at a moment are listed. Left to itself, the planner takes the index
-- that has no times, and reads every newer note to pass it over.
INDEXED BY note_known

-- name: in_order
-- What follows the table of notes where they are walked newest first, since a filter is met by many. Left to itself, the
-- planner takes the index of one condition and sorts all that it finds.
INDEXED BY note_current

-- name: among
-- What follows a column that is one of some texts, which come as a list in JSON.
IN (SELECT value FROM json_each(:members))

-- name: taken_ids
-- Whether a note with one of some ids, which come as a list in JSON, is there or was erased.
SELECT 1 FROM note WHERE space = :space AND id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT 1 FROM tombstone WHERE space = :space AND note_id IN (SELECT value FROM json_each(:ids))
LIMIT 1

-- name: matching
-- Notes that have, or once had, any of the words, by the numbers of their texts, which come as a list in JSON; the
-- selection's conditions are added by the store. A cross join is read in the order in which it is written; left to
-- itself, the planner begins with all texts of the space.
SELECT {note}, found.text
FROM json_each(:docs) AS best
CROSS JOIN note_text AS found ON found.doc = best.value
CROSS JOIN note ON note.space = found.space AND note.id = found.note_id AND found.version <= note.version
CROSS JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE found.space = :space

-- name: matching_order
-- A cross join comes in the order of the list: asking for an order would read all of the list, however few are wanted.


-- name: note_with
-- Whether any note has, or once had, what is looked for.
SELECT 1 FROM (
    SELECT rowid AS doc FROM note_words WHERE note_words MATCH :terms
    UNION ALL
    SELECT rowid AS doc FROM note_forms WHERE note_forms MATCH :terms
) AS having_it CROSS JOIN note_text AS found ON found.doc = having_it.doc
WHERE found.space = :space
LIMIT 1

-- name: observation_with
-- Whether any observation has what is looked for.
SELECT 1 FROM (
    SELECT rowid AS doc FROM observation_words WHERE observation_words MATCH :terms
    UNION ALL
    SELECT rowid AS doc FROM observation_forms WHERE observation_forms MATCH :terms
) AS having_it CROSS JOIN observation_text AS words ON words.doc = having_it.doc
WHERE words.space = :space
LIMIT 1

-- name: observations_matching
-- Observations that have any of the words, by the numbers of their texts, which come as a list in JSON; the store adds
-- in which scope.
SELECT {observation}
FROM json_each(:docs) AS best
CROSS JOIN observation_text AS words ON words.doc = best.value
CROSS JOIN observation ON observation.space = words.space AND observation.id = words.observation_id
WHERE words.space = :space
AND (CAST(:since AS TEXT) IS NULL OR observation.observed_at >= :since)
AND (CAST(:until AS TEXT) IS NULL OR observation.observed_at <= :until)

-- name: observations_matching_order
-- As with notes: a cross join comes in the order of the list.


-- name: chains
-- All notes that each of some notes superseded or was superseded by, at any remove. The ids come as a list in JSON.
WITH RECURSIVE chain (start, id) AS (
    SELECT value, value FROM json_each(:ids)
    UNION
    SELECT chain.start, CASE WHEN note_link.note_id = chain.id THEN note_link.target_id ELSE note_link.note_id END
    FROM chain JOIN note_link
    ON note_link.space = :space AND note_link.relation = 'supersedes'
    AND (note_link.note_id = chain.id OR note_link.target_id = chain.id)
)
SELECT start, id FROM chain
