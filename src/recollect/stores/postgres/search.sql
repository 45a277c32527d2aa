-- name: tagged
-- A condition: only notes whose words have those of a tag somewhere. How many do is known to the planner.
AND words.words @@ (
    CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && plainto_tsquery('words', bare(:tagged))
)

-- name: tagged_before
-- A condition: only notes older than one.
AND note.id < :before

-- name: tagged_order
-- The newest first.
ORDER BY note.id DESC

-- name: by_times
-- What follows the table of notes where those known at a moment are listed; this planner counts, and needs no word.


-- name: in_order
-- What follows the table of notes where they are walked newest first; this planner counts, and needs no word.


-- name: among
-- What follows a column that is one of some texts, which come as a list in JSON.
= ANY (ARRAY(SELECT json_array_elements_text(CAST(:members AS json))))

-- name: taken_ids
-- Whether a note with one of some ids, which come as a list in JSON, is there or was erased.
SELECT 1 FROM note WHERE space = :space AND id = ANY (ARRAY(SELECT json_array_elements_text(CAST(:ids AS json))))
UNION ALL
SELECT 1 FROM tombstone WHERE space = :space AND note_id = ANY (ARRAY(SELECT json_array_elements_text(CAST(:ids AS json))))
LIMIT 1

-- name: matching
-- Notes that have, or once had, any of the words; the selection's conditions are added by the store. Terms of which
-- nothing is left, such as a mere underscore, ask for nothing; combined with the space they would find all of it.
SELECT {note}, found.text
FROM note_text AS found
JOIN note ON note.space = found.space AND note.id = found.note_id AND found.version <= note.version
JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE found.space = :space
AND (
    found.words @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && to_tsquery('words', :terms))
    AND numnode(to_tsquery('words', :terms)) > 0
    OR found.forms <> '' AND numnode(CAST(:terms AS tsquery)) > 0 AND formed(found.space, found.forms)
    @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && CAST(:terms AS tsquery))
)

-- name: matching_order
-- More of the words first; of equals the newer note.
ORDER BY ts_rank_cd(found.words, to_tsquery('words', :terms)) 
+ CASE WHEN found.forms <> '' THEN ts_rank(formed(found.space, found.forms), CAST(:terms AS tsquery)) ELSE 0 END DESC, note.id DESC

-- name: note_with
-- Whether any note has, or once had, what is looked for.
SELECT 1 FROM note_text AS found
WHERE found.space = :space
AND (
    found.words @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && to_tsquery('words', :terms))
    AND numnode(to_tsquery('words', :terms)) > 0
    OR found.forms <> '' AND numnode(CAST(:terms AS tsquery)) > 0 AND formed(found.space, found.forms)
    @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && CAST(:terms AS tsquery))
)
LIMIT 1

-- name: observation_with
-- Whether any observation has what is looked for.
SELECT 1 FROM observation_text AS words
WHERE words.space = :space
AND (
    words.words @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && to_tsquery('words', :terms))
    AND numnode(to_tsquery('words', :terms)) > 0
    OR words.forms <> '' AND numnode(CAST(:terms AS tsquery)) > 0 AND formed(words.space, words.forms)
    @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && CAST(:terms AS tsquery))
)
LIMIT 1

-- name: observations_matching
-- Observations that have any of the words; the store adds in which scope.
SELECT {observation}
FROM observation_text AS words
JOIN observation ON observation.space = words.space AND observation.id = words.observation_id
WHERE words.space = :space
AND (
    words.words @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && to_tsquery('words', :terms))
    AND numnode(to_tsquery('words', :terms)) > 0
    OR words.forms <> '' AND numnode(CAST(:terms AS tsquery)) > 0 AND formed(words.space, words.forms)
    @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && CAST(:terms AS tsquery))
)
AND (CAST(:since AS TEXT) IS NULL OR observation.observed_at >= :since)
AND (CAST(:until AS TEXT) IS NULL OR observation.observed_at <= :until)

-- name: observations_matching_order
-- More of the words first; of equals the newer observation.
ORDER BY ts_rank_cd(words.words, to_tsquery('words', :terms)) 
+ CASE WHEN words.forms <> '' THEN ts_rank(formed(words.space, words.forms), CAST(:terms AS tsquery)) ELSE 0 END DESC, observation.id DESC

-- name: chains
-- All notes that each of some notes superseded or was superseded by, at any remove. The ids come as a list in JSON.
WITH RECURSIVE chain (start, id) AS (
    SELECT value, value FROM json_array_elements_text(CAST(:ids AS json))
    UNION
    SELECT chain.start, CASE WHEN note_link.note_id = chain.id THEN note_link.target_id ELSE note_link.note_id END
    FROM chain JOIN note_link
    ON note_link.space = :space AND note_link.relation = 'supersedes'
    AND (note_link.note_id = chain.id OR note_link.target_id = chain.id)
)
SELECT start, id FROM chain
