-- name: write_judgement
-- Keep what a model judged of a record, in the place of any earlier judgement. Yields nothing if its words are gone.
INSERT INTO judgement (space, record_id, version, model_id, stance, asserted, judged_at)
SELECT :space, :record_id, :version, :model_id, :stance, CAST(:asserted AS DOUBLE PRECISION), :judged_at
WHERE EXISTS (SELECT 1 FROM note WHERE space = :space AND id = :record_id AND text_version = :version
    AND replaced_at IS NULL)
OR (:version = 0 AND EXISTS (SELECT 1 FROM observation WHERE space = :space AND id = :record_id))
ON CONFLICT (space, record_id) DO UPDATE SET version = excluded.version, model_id = excluded.model_id,
stance = excluded.stance, asserted = excluded.asserted, judged_at = excluded.judged_at
RETURNING record_id

-- name: doubt_judgements
-- Let everything wait for a judgement as if another model had made the ones there are.
UPDATE judgement SET model_id = '' WHERE space = :space

-- name: drop_judged_links
-- Take away what was judged of a record against older ones. A refuted link is a person's word, and stays; so does what a
-- language model settled, which would have to be asked and paid again.
DELETE FROM statement_link WHERE space = :space AND newer = :id AND refuted_at IS NULL AND settled_as IS NULL

-- name: drop_links_of_words
-- Take away every link of a record whose words have changed; refuted ones stay.
DELETE FROM statement_link WHERE space = :space AND (older = :id OR newer = :id) AND refuted_at IS NULL

-- name: write_statement_link
-- Keep a link, if its older end is there. One that is refuted, either way round, is left alone.
INSERT INTO statement_link (space, older, newer, relation, score, model_id, judged_at)
SELECT :space, :older, :newer, :relation, CAST(:score AS DOUBLE PRECISION), :model_id, :judged_at
WHERE (EXISTS (SELECT 1 FROM note WHERE space = :space AND id = :older)
OR EXISTS (SELECT 1 FROM observation WHERE space = :space AND id = :older))
AND NOT EXISTS (SELECT 1 FROM statement_link WHERE space = :space AND older = :newer AND newer = :older
    AND refuted_at IS NOT NULL)
ON CONFLICT (space, older, newer) DO NOTHING

-- name: write_unlinked_change
-- Keep that the judge linked two messages in no way, so that the word of a language model has its place. A pair that was
-- refuted the other way round is left alone.
INSERT INTO statement_link (space, older, newer, relation, score, model_id, judged_at)
SELECT :space, CAST(:older AS TEXT), CAST(:newer AS TEXT), 'unrelated', 0.0, judgement.model_id, judgement.judged_at
FROM judgement
WHERE judgement.space = :space AND judgement.record_id = :newer AND judgement.judged_at = :judged_at
AND (SELECT COUNT(*) FROM observation WHERE space = :space AND id IN (:older, :newer)) = 2
AND NOT EXISTS (SELECT 1 FROM statement_link WHERE space = :space AND older = :newer AND newer = :older
    AND refuted_at IS NOT NULL)
ON CONFLICT (space, older, newer) DO NOTHING

-- name: settle_link
-- Keep the word of a language model on the link that it was asked about, unless a person has said theirs.
UPDATE statement_link SET settled_as = :settled_as, settled_by = :settled_by, settled_because = :settled_because,
    settled_at = :settled_at
WHERE space = :space AND older = :older AND newer = :newer AND judged_at = :judged_at AND refuted_at IS NULL

-- name: refute_link
-- Keep a person's word against a link, or that it was taken back. Yields nothing if one of its ends is gone.
INSERT INTO statement_link (space, older, newer, relation, score, model_id, judged_at, refuted_at, refuted_by)
SELECT :space, :older, :newer, :relation, CAST(:score AS DOUBLE PRECISION), :model_id, :judged_at,
CAST(:refuted_at AS TEXT), CAST(:refuted_by AS TEXT)
WHERE (SELECT COUNT(*) FROM (
    SELECT id FROM note WHERE space = :space AND id IN (:older, :newer) AND replaced_at IS NULL
    UNION
    SELECT id FROM observation WHERE space = :space AND id IN (:older, :newer)
) AS ends) = 2
ON CONFLICT (space, older, newer) DO UPDATE SET refuted_at = excluded.refuted_at, refuted_by = excluded.refuted_by
RETURNING older

-- name: links_from
-- Links that begin at a record; which, follows. Where the judge saw none, and a language model said nothing, there is none.
-- Fainter ones than `least` are left out.
SELECT {link} FROM statement_link WHERE space = :space
AND (relation <> 'unrelated' AND score >= CAST(:least AS DOUBLE PRECISION)
    OR settled_as IS NOT NULL OR refuted_at IS NOT NULL)

-- name: doubtful_links_after
-- Links that nobody else has spoken on or was asked about, and that are in doubt: the judge was unsure; or facts that
-- were read from both messages say otherwise. Either one fact took the place of the other where the judge took both
-- messages for the same, or the judge is sure of a change and facts of one attribute hold side by side. A cross join is
-- read in the order in which it is written; left to itself, the planner reads all facts for each link.
SELECT {link} FROM statement_link
WHERE space = :space AND refuted_at IS NULL AND settled_at IS NULL
AND (older, newer) > (:older, :newer) AND score >= CAST(:clear AS DOUBLE PRECISION)
AND (score < CAST(:most AS DOUBLE PRECISION) AND score >= CAST(:least AS DOUBLE PRECISION)
OR (relation = 'same') = EXISTS (
    SELECT 1 FROM note_link AS said CROSS JOIN note_link AS took CROSS JOIN note_link AS before
    WHERE said.space = :space AND said.target_id = statement_link.newer AND said.relation = 'derived_from'
    AND took.space = :space AND took.note_id = said.note_id AND took.relation = 'supersedes'
    AND before.space = :space AND before.note_id = took.target_id AND before.relation = 'derived_from'
    AND before.target_id = statement_link.older)
AND (relation = 'same' OR EXISTS (
    SELECT 1 FROM note_link AS said CROSS JOIN note AS fact CROSS JOIN note_link AS before CROSS JOIN note AS held
    WHERE said.space = :space AND said.target_id = statement_link.newer AND said.relation = 'derived_from'
    AND fact.space = :space AND fact.id = said.note_id AND fact.replaced_at IS NULL
    AND before.space = :space AND before.target_id = statement_link.older AND before.relation = 'derived_from'
    AND held.space = :space AND held.id = before.note_id AND held.replaced_at IS NULL
    AND fact.id <> held.id AND fact.subject = held.subject AND fact.attribute = held.attribute
    AND fact.state = 'active' AND held.state = 'active'
    AND fact.valid_until IS NULL AND held.valid_until IS NULL)))
ORDER BY older, newer LIMIT :limit

-- name: unlinked_changes_after
-- Messages of which a fact took the place of another's, while the judge, who looked at the newer one, linked them in no
-- way, or only faintly: the last message of the fact that was replaced, and the first of the one that replaced it. A pair that was refuted
-- the other way round is passed over.
SELECT pair.older, pair.newer, 'unrelated', 0.0, judgement.model_id, judgement.judged_at,
    NULL, NULL, NULL, NULL, NULL, NULL
FROM (
    SELECT DISTINCT MAX(before.target_id) AS older, MIN(said.target_id) AS newer
    FROM note_link AS took CROSS JOIN note AS fact CROSS JOIN note_link AS said CROSS JOIN note_link AS before
    WHERE took.space = :space AND took.relation = 'supersedes'
    AND fact.space = :space AND fact.id = took.note_id AND fact.replaced_at IS NULL AND fact.state <> 'retracted'
    AND said.space = :space AND said.note_id = took.note_id AND said.relation = 'derived_from'
    AND before.space = :space AND before.note_id = took.target_id AND before.relation = 'derived_from'
    GROUP BY took.note_id, took.target_id
) AS pair
JOIN judgement ON judgement.space = :space AND judgement.record_id = pair.newer AND judgement.model_id <> ''
JOIN observation AS first ON first.space = :space AND first.id = pair.older
WHERE (pair.older, pair.newer) > (:older, :newer) AND pair.older <> pair.newer
AND NOT EXISTS (SELECT 1 FROM statement_link
    WHERE statement_link.space = :space AND statement_link.older = pair.older AND statement_link.newer = pair.newer
    AND (score >= CAST(:clear AS DOUBLE PRECISION) OR settled_at IS NOT NULL OR refuted_at IS NOT NULL))
AND NOT EXISTS (SELECT 1 FROM statement_link AS turned
    WHERE turned.space = :space AND turned.older = pair.newer AND turned.newer = pair.older
    AND turned.refuted_at IS NOT NULL)
ORDER BY pair.older, pair.newer LIMIT :limit

-- name: refuted_links_after
-- Refuted links in the order of an export.
SELECT {link} FROM statement_link
WHERE space = :space AND refuted_at IS NOT NULL AND (older, newer) > (:older, :newer)
ORDER BY older, newer LIMIT :limit

-- name: judgements
-- What was judged of records; which, follows.
SELECT record_id, version, model_id, stance, asserted, judged_at FROM judgement WHERE space = :space

-- name: judging_models
-- The models that judged something in a space.
SELECT DISTINCT model_id FROM judgement WHERE space = :space AND model_id <> ''

-- name: unjudged_notes
-- Notes whose words a model has not judged yet. A note that was read from a message is judged with the message.
SELECT {note}, note.text_version
FROM note JOIN note_text AS words
ON words.space = note.space AND words.note_id = note.id AND words.version = note.text_version
WHERE note.space = :space AND note.replaced_at IS NULL AND note.derived_from = '[]'
AND note.state NOT IN ('retracted', 'quarantined') AND NOT EXISTS (
    SELECT 1 FROM judgement WHERE judgement.space = note.space AND judgement.record_id = note.id
    AND judgement.model_id = :model_id AND judgement.version = note.text_version
)
ORDER BY note.id LIMIT :limit

-- name: unjudged_messages
-- Messages and prompts that a model has not judged yet.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.kind IN ('message', 'prompt') AND NOT EXISTS (
    SELECT 1 FROM judgement WHERE judgement.space = observation.space AND judgement.record_id = observation.id
    AND judgement.model_id = :model_id
)
ORDER BY observation.id LIMIT :limit

-- name: count_unjudged_notes
-- How many notes a model has not judged yet.
SELECT COUNT(*) FROM note
WHERE note.space = :space AND note.replaced_at IS NULL AND note.derived_from = '[]'
AND note.state NOT IN ('retracted', 'quarantined') AND NOT EXISTS (
    SELECT 1 FROM judgement WHERE judgement.space = note.space AND judgement.record_id = note.id
    AND judgement.model_id = :model_id AND judgement.version = note.text_version
)

-- name: count_unjudged_messages
-- How many messages and prompts a model has not judged yet.
SELECT COUNT(*) FROM observation
WHERE observation.space = :space AND observation.kind IN ('message', 'prompt') AND NOT EXISTS (
    SELECT 1 FROM judgement WHERE judgement.space = observation.space AND judgement.record_id = observation.id
    AND judgement.model_id = :model_id
)

-- name: erase_statement_links
-- Erase every link of a record, whichever end it is, refuted ones too.
DELETE FROM statement_link WHERE space = :space AND (older = :id OR newer = :id)

-- name: erase_judgement
-- Erase what was judged of a record.
DELETE FROM judgement WHERE space = :space AND record_id = :id

-- name: erase_space_statement_links
-- Erase all links between statements of a space.
DELETE FROM statement_link WHERE space = :space

-- name: erase_space_judgements
-- Erase everything that was judged in a space.
DELETE FROM judgement WHERE space = :space
