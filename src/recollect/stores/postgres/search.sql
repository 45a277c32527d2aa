-- name: matching
-- Notes that have, or once had, any of the words; the selection's conditions are added by the store.
SELECT {note}, found.text
FROM note_text AS found
JOIN note ON note.space = found.space AND note.id = found.note_id AND found.version <= note.version
JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE found.space = :space
AND found.words @@ (CAST('''' || ':' || CAST(:space AS TEXT) || '''' AS tsquery) && to_tsquery('english', :terms))

-- name: matching_order
-- More of the words first; of equals the newer note.
ORDER BY ts_rank_cd(found.words, to_tsquery('english', :terms)) DESC, note.id DESC
