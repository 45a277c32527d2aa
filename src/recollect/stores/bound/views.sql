-- What a bound reader sees of each table. A table that has no rule here is empty to them, except those that
-- `bound_database.py` names. `{within}` stands for the condition on a row's own scope; `{user}`, `{agent}` and `{project}`
-- for what the reader is bound to, NULL for what they are not; `{part}` for all of it in one text; `{main}` for the schema
-- of the tables.

-- name: note
-- Notes of the part, version by version.
SELECT * FROM {main}note AS own WHERE {within}

-- name: observation
-- Messages that were told in the part.
SELECT * FROM {main}observation AS own WHERE {within}

-- name: session
-- Sessions that were held in the part.
SELECT * FROM {main}session AS own WHERE {within}

-- name: slot
-- Slots of the project; those for all projects are nobody's.
SELECT * FROM {main}slot AS desk WHERE {of_project}

-- name: action
-- Actions of the project.
SELECT * FROM {main}action AS desk WHERE {of_project}

-- name: note_text
-- Words of versions that are seen.
SELECT * FROM {main}note_text AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own
    WHERE own.space = record.space AND own.id = record.note_id AND own.text_version = record.version AND {within}
)

-- name: note_metadata
-- Metadata of versions that are seen.
SELECT * FROM {main}note_metadata AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own
    WHERE own.space = record.space AND own.id = record.note_id AND own.version = record.version AND {within}
)

-- name: note_entity
-- Entities that notes of the part name or named.
SELECT * FROM {main}note_entity AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.note_id AND {within}
)

-- name: note_link
-- Links that notes of the part have or had.
SELECT * FROM {main}note_link AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.note_id AND {within}
)

-- name: observation_text
-- Words of messages that are seen.
SELECT * FROM {main}observation_text AS record WHERE EXISTS (
    SELECT 1 FROM {main}observation AS own
    WHERE own.space = record.space AND own.id = record.observation_id AND {within}
)

-- name: attachment_reference
-- Which messages of the part hold which files.
SELECT * FROM {main}attachment_reference AS record WHERE EXISTS (
    SELECT 1 FROM {main}observation AS own
    WHERE own.space = record.space AND own.id = record.observation_id AND {within}
)

-- name: attachment
-- Files that a message of the part holds; one that only names a digest does not.
SELECT * FROM {main}attachment AS record WHERE EXISTS (
    SELECT 1 FROM {main}attachment_reference AS reference
    JOIN {main}observation AS own ON own.space = reference.space AND own.id = reference.observation_id
    WHERE reference.space = record.space AND reference.digest = record.digest AND reference.held = 1 AND {within}
)

-- name: embedding
-- Vectors of notes and messages of the part.
SELECT * FROM {main}embedding AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}observation AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
)

-- name: judgement
-- What was judged of messages and notes of the part.
SELECT * FROM {main}judgement AS record WHERE EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}observation AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
)

-- name: statement_link
-- Links whose both ends are of the part.
SELECT * FROM {main}statement_link AS record WHERE (EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.older AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}observation AS own WHERE own.space = record.space AND own.id = record.older AND {within}
)) AND (EXISTS (
    SELECT 1 FROM {main}note AS own WHERE own.space = record.space AND own.id = record.newer AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}observation AS own WHERE own.space = record.space AND own.id = record.newer AND {within}
))

-- name: change_log
-- Changes of what is seen; and the end of the space, which is everybody's.
SELECT * FROM {main}change_log AS record WHERE record.kind = 'space-deleted' OR EXISTS (
    SELECT 1 FROM {main}note AS own
    WHERE own.space = record.space AND own.id = record.record_id AND own.version = record.version AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}observation AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}session AS own WHERE own.space = record.space AND own.id = record.record_id AND {within}
) OR EXISTS (
    SELECT 1 FROM {main}slot AS desk WHERE desk.space = record.space AND desk.id = record.record_id AND {of_project}
) OR EXISTS (
    SELECT 1 FROM {main}action AS desk WHERE desk.space = record.space AND desk.id = record.record_id AND {of_project}
)

-- name: receipt
-- Searches made in the very same part.
SELECT * FROM {main}receipt AS record WHERE record.bound = {part}

-- name: reminded
-- Told to sessions in the very same part.
SELECT * FROM {main}reminded AS record WHERE record.bound = {part}
