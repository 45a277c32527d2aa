-- name: brain
-- The settings of a space as a brain.
SELECT space, owner, title, public, tier, tier_at FROM brain WHERE space = :space

-- name: keep_brain
-- Keep settings in place of those before.
INSERT INTO brain (space, owner, title, public, tier, tier_at)
VALUES (:space, :owner, :title, :public, :tier, :tier_at)
ON CONFLICT (space) DO UPDATE SET owner = excluded.owner, title = excluded.title, public = excluded.public,
    tier = excluded.tier, tier_at = excluded.tier_at

-- name: keep_tier_of_new_brain
-- Keep a tier; settings that are there stay.
INSERT INTO brain (space, owner, title, public, tier, tier_at) VALUES (:space, '', '', 0, :tier, :tier_at)
ON CONFLICT (space) DO NOTHING

-- name: next_conversation
-- The number that the next conversation of a collection has. Whoever asks holds the row of the space.
SELECT CAST(coalesce(MAX(id), 0) + 1 AS BIGINT) FROM brain_conversation WHERE space = :space AND collection = :collection

-- name: insert_conversation
-- Keep a new conversation. `formed` is how many there were in formation, by which maintenance is due.
INSERT INTO brain_conversation (
    space, collection, id, job_id, record_id, label, formed, stage, learned, principal, created_at, updated_at
) VALUES (
    :space, :collection, :id, :job_id, :record_id, :label,
    (SELECT coalesce(MAX(id), 0) FROM brain_conversation WHERE space = :space AND collection = 'formation'),
    :stage, 0, :principal, :at, :at
)

-- name: restart_conversation
-- Give a conversation to another job. Yields nothing if there is no such conversation.
UPDATE brain_conversation SET job_id = :job_id, stage = 'waiting', updated_at = :at
WHERE space = :space AND collection = :collection AND id = :id
RETURNING id

-- name: follow_job
-- A conversation is as far as its job. The job tells in its progress how many facts were filed.
UPDATE brain_conversation SET stage = job.stage, learned = job.done, updated_at = :at
FROM job
WHERE job.space = :space AND job.id = :job_id
AND brain_conversation.space = job.space AND brain_conversation.job_id = job.id

-- name: drop_old_recalls
-- Take away the oldest numbered questions; the newest stay, so that no number comes twice.
DELETE FROM brain_conversation WHERE space = :space AND collection = 'recall' AND id <= :last

-- name: conversations
-- Conversations of a collection; one whose job is still kept is as far as that says. The newest first.
SELECT brain_conversation.space, brain_conversation.collection, brain_conversation.id,
coalesce(job.stage, brain_conversation.stage), brain_conversation.created_at, brain_conversation.updated_at,
brain_conversation.principal, brain_conversation.job_id, brain_conversation.record_id, brain_conversation.label,
brain_conversation.learned, coalesce(job.detail, '')
FROM brain_conversation LEFT JOIN job ON job.space = brain_conversation.space AND job.id = brain_conversation.job_id
WHERE brain_conversation.space = :space AND brain_conversation.collection = :collection AND brain_conversation.id < :before
ORDER BY brain_conversation.id DESC LIMIT :limit

-- name: conversation_of_job
-- The conversation that a job is for.
SELECT collection, id FROM brain_conversation WHERE space = :space AND job_id = :job_id

-- name: count_conversations
-- How many conversations there are by collection and stage, and the highest number of each.
SELECT brain_conversation.collection, coalesce(job.stage, brain_conversation.stage), COUNT(*), MAX(brain_conversation.id)
FROM brain_conversation LEFT JOIN job ON job.space = brain_conversation.space AND job.id = brain_conversation.job_id
WHERE brain_conversation.space = :space
GROUP BY brain_conversation.collection, coalesce(job.stage, brain_conversation.stage)

-- name: maintenance_rounds
-- By scope after how many conversations maintenance was last asked for, and when.
SELECT label, MAX(formed), MAX(created_at) FROM brain_conversation
WHERE space = :space AND collection = 'maintenance' GROUP BY label

-- name: count_graph
-- How many subjects there are, and how many facts about them.
SELECT COUNT(DISTINCT subject), COUNT(CASE WHEN attribute IS NOT NULL THEN 1 END) FROM note
WHERE space = :space AND replaced_at IS NULL AND state = 'active' AND subject IS NOT NULL

-- name: erase_space_brain
-- Erase the settings of a brain.
DELETE FROM brain WHERE space = :space

-- name: erase_space_conversations
-- Erase the conversations of a brain.
DELETE FROM brain_conversation WHERE space = :space
