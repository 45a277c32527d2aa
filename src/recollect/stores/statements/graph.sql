-- name: insert_mention
-- Write that a note names an entity; an earlier version may have done so already.
INSERT INTO note_entity (space, key, note_id, role, attribute)
VALUES (:space, :key, :id, :role, :attribute)
ON CONFLICT DO NOTHING

-- name: mentions
-- What a note names, as it is kept.
SELECT key, role, attribute FROM note_entity WHERE space = :space AND note_id = :id

-- name: erase_space_mentions
-- Erase what all notes of a space name.
DELETE FROM note_entity WHERE space = :space

-- name: count_mentions
-- How many times notes name an entity.
SELECT COUNT(*) FROM note_entity WHERE space = :space

-- name: naming
-- Ids of notes that name an entity; the parts, the attributes and the order are added by the store.
SELECT DISTINCT note_id FROM note_entity WHERE space = :space AND key = :key

-- name: newest_naming
-- Ids of notes that name entities, each with its place among those of the entity, the newest first. The keys, the parts,
-- the attributes and the order are added by the store, which counts a note once for an entity.
SELECT key, note_id, ROW_NUMBER() OVER (PARTITION BY key ORDER BY note_id DESC) AS place
FROM note_entity WHERE space = :space

-- name: newest_selected
-- As above, only of notes under conditions that the store adds: the others take no place.
SELECT naming.key, naming.note_id, ROW_NUMBER() OVER (PARTITION BY naming.key ORDER BY naming.note_id DESC) AS place
FROM note_entity AS naming
CROSS JOIN note
WHERE naming.space = :space AND note.space = :space AND note.id = naming.note_id

-- name: named_beside
-- Two names in one note but tags and types, each with its part and attribute, and the note. The keys of the first and a
-- limit are added by the store.
SELECT naming.key, naming.role, naming.attribute, named.key, named.role, named.attribute, naming.note_id
FROM note_entity AS naming
CROSS JOIN note_entity AS named
WHERE naming.space = :space AND naming.role NOT IN ('tag', 'kind')
AND named.space = :space AND named.note_id = naming.note_id AND named.role NOT IN ('tag', 'kind')
AND named.key <> naming.key

-- name: newest_beside
-- The same of the newest notes of a selection that name entities, which the store writes before it as `near`.
SELECT naming.key, naming.role, naming.attribute, named.key, named.role, named.attribute, naming.note_id
FROM near
CROSS JOIN note_entity AS naming
CROSS JOIN note_entity AS named
WHERE near.place <= :limit
AND naming.space = :space AND naming.key = near.key AND naming.note_id = near.note_id
AND naming.role NOT IN ('tag', 'kind')
AND named.space = :space AND named.note_id = near.note_id AND named.role NOT IN ('tag', 'kind')
AND named.key <> naming.key

-- name: mentioned_keys
-- Keys of entities that notes name; the parts, the attributes and the order are added by the store. There is one lower
-- bound: of two a database takes either for its index, and reads all keys that only the other leaves out.
SELECT DISTINCT key FROM note_entity WHERE space = :space AND key >= :least AND key <> :after AND key < :beyond

-- name: named_keys
-- Those of some keys that notes name; the keys, the parts and the attributes are added by the store.
SELECT DISTINCT key FROM note_entity WHERE space = :space

-- name: unopposed_keys
-- Keys that no part speaks against, each with the newest note that names it in a part that speaks for it. The store writes
-- the parts before it as `part`, with what each says.
SELECT key, MAX(CASE WHEN speaks_for = 1 THEN note_id END)
FROM part
WHERE space = :space AND key NOT LIKE 'user%' AND key NOT LIKE 'project%' AND key NOT LIKE 'relation%'
AND key NOT LIKE 'p:%'
GROUP BY key
HAVING COUNT(*) <= :limit AND MAX(speaks_against) = 0 AND MAX(speaks_for) = 1

-- name: unchanged_notes
-- Notes that have one version and are no denials; the notes and the conditions are added by the store.
SELECT note.id FROM note WHERE note.space = :space AND note.version = 1 AND note.metadata NOT LIKE '%"polarity"%'

-- name: related_from
-- Links by `relate` that begin at some notes; the notes are added by the store.
SELECT note_id, target_id FROM note_link WHERE space = :space AND relation = 'related'

-- name: related_naming
-- Links by `relate` of notes that name entities, each once for an entity; the end that is looked at and the keys are added
-- by the store.
SELECT naming.space, naming.key, naming.note_id AS named_by, link.note_id, link.target_id
FROM note_entity AS naming
CROSS JOIN note_link AS link
WHERE naming.space = :space AND link.space = :space AND link.relation = 'related'

-- name: newest_related
-- The links of the newest notes, so many for each entity. The store writes all links before it as `related`.
SELECT note_id, target_id
FROM (
    SELECT note_id, target_id,
    ROW_NUMBER() OVER (PARTITION BY key ORDER BY named_by DESC, note_id DESC, target_id DESC) AS place
    FROM related
    WHERE space = :space
) AS placed
WHERE place <= :limit
