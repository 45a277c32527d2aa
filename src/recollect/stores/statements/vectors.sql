-- name: insert_vector
-- Keep the vector of a text; one that is here already stays.
INSERT INTO embedding (space, model_id, record_id, version, vector)
VALUES (:space, :model_id, :record_id, :version, :vector)
ON CONFLICT (space, model_id, record_id, version) DO NOTHING
RETURNING record_id

-- name: vectors_after
-- All vectors of a model in a space, in the order of their records.
SELECT record_id, version, vector FROM embedding
WHERE space = :space AND model_id = :model_id AND (record_id, version) > (:record_id, :version)
ORDER BY record_id, version
LIMIT :limit

-- name: vectors_of
-- The vectors of a model in a space; which records, follows.
SELECT record_id, version, vector FROM embedding
WHERE space = :space AND model_id = :model_id

-- name: notes_without_vector
-- Words of notes that a model has not turned into a vector yet.
SELECT words.note_id, words.version, coalesce(words.title || '. ', '') || words.text
FROM note_text AS words
WHERE words.space = :space AND NOT EXISTS (
    SELECT 1 FROM embedding
    WHERE embedding.space = words.space AND embedding.model_id = :model_id
    AND embedding.record_id = words.note_id AND embedding.version = words.version
)
LIMIT :limit

-- name: observations_without_vector
-- Words of observations that a model has not turned into a vector yet, those about their files included.
SELECT words.observation_id, 0, CASE WHEN EXISTS (
    SELECT 1 FROM attachment_reference AS named
    WHERE named.space = words.space AND named.observation_id = words.observation_id
) THEN words.text || ' ' || coalesce(words.title, '') ELSE words.text END
FROM observation_text AS words
WHERE words.space = :space AND NOT EXISTS (
    SELECT 1 FROM embedding
    WHERE embedding.space = words.space AND embedding.model_id = :model_id
    AND embedding.record_id = words.observation_id AND embedding.version = 0
)
LIMIT :limit

-- name: count_notes_without_vector
-- How many words of notes a model has not turned into a vector yet, but for those of a moment ago.
SELECT COUNT(*) FROM note_text AS words
WHERE words.space = :space AND NOT EXISTS (
    SELECT 1 FROM embedding
    WHERE embedding.space = words.space AND embedding.model_id = :model_id
    AND embedding.record_id = words.note_id AND embedding.version = words.version
) AND NOT EXISTS (
    SELECT 1 FROM note
    WHERE note.space = words.space AND note.id = words.note_id AND note.version = words.version
    AND note.updated_at >= :before
    AND note.updated_at >= coalesce((SELECT changed_at FROM embedding_choice WHERE id = 1), '')
)

-- name: count_observations_without_vector
-- How many words of observations a model has not turned into a vector yet, but for those of a moment ago.
SELECT COUNT(*) FROM observation_text AS words
WHERE words.space = :space AND NOT EXISTS (
    SELECT 1 FROM embedding
    WHERE embedding.space = words.space AND embedding.model_id = :model_id
    AND embedding.record_id = words.observation_id AND embedding.version = 0
) AND NOT EXISTS (
    SELECT 1 FROM observation
    WHERE observation.space = words.space AND observation.id = words.observation_id
    AND observation.recorded_at >= :before
    AND observation.recorded_at >= coalesce((SELECT changed_at FROM embedding_choice WHERE id = 1), '')
)

-- name: erase_vectors
-- Erase the vectors of a record.
DELETE FROM embedding WHERE space = :space AND record_id = :id

-- name: erase_space_vectors
-- Erase all vectors of a space.
DELETE FROM embedding WHERE space = :space

-- name: embedding_choice
-- The model that serves and the one beside it, by name.
SELECT serving, beside FROM embedding_choice WHERE id = 1

-- name: put_embedding_choice
-- Say which model serves, and which one stands beside it, if they are still those that were read.
INSERT INTO embedding_choice (id, serving, beside, changed_at) VALUES (1, :serving, :beside, :at)
ON CONFLICT (id) DO UPDATE SET serving = excluded.serving, beside = excluded.beside, changed_at = excluded.changed_at
WHERE embedding_choice.serving = :known_serving AND embedding_choice.beside = :known_beside
RETURNING id

-- name: drop_model_vectors
-- Drop the vectors of a model in a space.
DELETE FROM embedding WHERE space = :space AND model_id = :model_id
