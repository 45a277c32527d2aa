-- name: insert_job
-- Queue a job. Yields nothing if one with its key waits already for its first try.
INSERT INTO job (
    space, id, seq, kind, payload, unique_key, lane, priority, stage, due_at, attempts, max_attempts, generation,
    done, total, created_at, channel, principal
) VALUES (
    :space, :id, :seq, :kind, :payload, :unique_key, :lane, :priority, 'waiting', :due_at, 0, :max_attempts, 0,
    0, 0, :created_at, :channel, :principal
)
ON CONFLICT DO NOTHING
RETURNING id

-- name: job
-- One job.
SELECT {job} FROM job WHERE space = :space AND id = :id

-- name: waiting_job
-- The job of a key that waits for its first try.
SELECT {job} FROM job WHERE space = :space AND unique_key = :key AND settled_at IS NULL AND attempts = 0

-- name: jobs
-- Jobs of a space; the store adds which stages, from where on, and the order.
SELECT {job} FROM job WHERE space = :space

-- name: count_jobs
-- How many jobs there are in all spaces that are served here, by space, kind and stage.
SELECT space, kind, stage, COUNT(*) FROM job
WHERE NOT EXISTS (SELECT 1 FROM space WHERE space.name = job.space AND space.served_by IS NOT NULL)
GROUP BY space, kind, stage

-- name: spaces_with_jobs
-- Spaces in which a job is due: first those with the fewest running jobs, then those served longest ago. The recursion
-- leaps from space to space along the index, so that many jobs of one space cost no more than one.
WITH RECURSIVE open_space (name) AS (
    SELECT MIN(space) FROM job WHERE settled_at IS NULL
    UNION ALL
    SELECT (SELECT MIN(job.space) FROM job WHERE job.settled_at IS NULL AND job.space > open_space.name)
    FROM open_space WHERE open_space.name IS NOT NULL
)
SELECT name FROM open_space
WHERE NOT EXISTS (SELECT 1 FROM space WHERE space.name = open_space.name AND space.served_by IS NOT NULL) AND EXISTS (
    SELECT 1 FROM job WHERE job.space = name AND job.stage IN ('waiting', 'running') AND job.due_at <= :now
)
ORDER BY
    (SELECT COUNT(*) FROM job WHERE job.space = name AND job.stage = 'running' AND job.due_at > :now),
    coalesce((SELECT MAX(job.claimed_at) FROM job WHERE job.space = name), ''),
    name
LIMIT :limit

-- name: renew_job
-- Hold a job for longer, and say how far it has come. Yields nothing if it is not held in this generation.
UPDATE job SET due_at = :until, phase = coalesce(:phase, phase),
    done = coalesce(:done, done), total = coalesce(:total, total)
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: hold_job
-- Take the row of a job that is held in this generation: nobody else can take the job before the end of the transaction.
UPDATE job SET phase = coalesce(:phase, phase),
    done = coalesce(:done, done), total = coalesce(:total, total)
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: release_job
-- Put a job back that was begun and not finished; the attempt does not count.
UPDATE job SET stage = 'waiting', due_at = :now, worker = NULL, max_attempts = max_attempts + 1
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: finish_job
-- Settle a job as done. Yields nothing if it is not held in this generation.
UPDATE job SET stage = 'done', settled_at = :at, worker = NULL, failure = NULL, detail = NULL,
    phase = coalesce(:phase, phase), done = coalesce(:done, done), total = coalesce(:total, total)
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: delay_job
-- Let a job whose try failed wait for another one. Yields nothing if it is not held in this generation.
UPDATE job SET stage = 'waiting', due_at = :retry_at, worker = NULL, failure = :failure, detail = :detail,
    max_attempts = max_attempts + :uncounted
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: bury_job
-- Settle a job as a dead letter. Yields nothing if it is not held in this generation.
UPDATE job SET stage = 'dead', settled_at = :at, worker = NULL, failure = :failure, detail = :detail
WHERE space = :space AND id = :id AND generation = :generation AND stage = 'running'
RETURNING id

-- name: cancel_job
-- Settle an open job as cancelled. Whoever runs it has an older generation from now on.
UPDATE job SET stage = 'cancelled', settled_at = :at, worker = NULL, generation = generation + 1
WHERE space = :space AND id = :id AND settled_at IS NULL
RETURNING id

-- name: revive_job
-- Let a dead or cancelled job wait again, unless one with its key waits for its first try.
UPDATE job SET stage = 'waiting', settled_at = NULL, due_at = :at, attempts = 0, phase = NULL, done = 0, total = 0
WHERE space = :space AND id = :id AND stage IN ('dead', 'cancelled') AND NOT EXISTS (
    SELECT 1 FROM job AS other
    WHERE other.space = job.space AND other.unique_key = job.unique_key
    AND other.settled_at IS NULL AND other.attempts = 0
)
RETURNING id

-- name: drop_settled_jobs
-- Drop settled jobs that are too old, and those that are not dead beyond the newest ones.
DELETE FROM job
WHERE space = :space AND settled_at IS NOT NULL AND (
    settled_at < :oldest
    OR (stage <> 'dead' AND seq <= (
        SELECT newer.seq FROM job AS newer
        WHERE newer.space = :space AND newer.settled_at IS NOT NULL AND newer.stage <> 'dead'
        ORDER BY newer.seq DESC LIMIT 1 OFFSET :most
    ))
)

-- name: blank_jobs
-- Forget the messages of errors: one may quote what is being erased. Codes stay.
UPDATE job SET detail = NULL WHERE space = :space AND detail IS NOT NULL

-- name: erase_space_jobs
-- Erase all jobs of a space.
DELETE FROM job WHERE space = :space

-- name: set_timer
-- Keep a timer in the place of the one of its name.
INSERT INTO job_timer (space, name, kind, payload, every_seconds, next_at, channel, principal)
VALUES (:space, :name, :kind, :payload, :every_seconds, :next_at, :channel, :principal)
ON CONFLICT (space, name) DO UPDATE SET kind = excluded.kind, payload = excluded.payload,
    every_seconds = excluded.every_seconds, next_at = excluded.next_at, channel = excluded.channel,
    principal = excluded.principal

-- name: add_timer
-- Keep a timer, unless there is one of its name.
INSERT INTO job_timer (space, name, kind, payload, every_seconds, next_at, channel, principal)
VALUES (:space, :name, :kind, :payload, :every_seconds, :next_at, :channel, :principal)
ON CONFLICT (space, name) DO NOTHING

-- name: spaces_without_timer
-- Spaces that have no timer of a name.
SELECT space.name FROM space
WHERE space.deleted_at IS NULL AND space.served_by IS NULL AND NOT EXISTS (
    SELECT 1 FROM job_timer WHERE job_timer.space = space.name AND job_timer.name = :name
)
LIMIT :limit

-- name: turn_timer
-- Move a timer on. Yields nothing if another process did so first.
UPDATE job_timer SET next_at = :next_at WHERE space = :space AND name = :name AND next_at = :due_at
RETURNING name

-- name: drop_timer
-- Take a timer away. Yields nothing if there is none.
DELETE FROM job_timer WHERE space = :space AND name = :name
RETURNING name

-- name: timers
-- The timers of a space.
SELECT space, name, kind, payload, every_seconds, next_at, channel, principal
FROM job_timer WHERE space = :space ORDER BY name

-- name: next_due
-- The next moment at which a job of any space is due that is not due yet: a later try, or the end of a lease.
SELECT MIN(due_at) FROM job WHERE settled_at IS NULL AND due_at > :now

-- name: timers_due
-- The timers of all spaces whose time has come.
SELECT space, name, kind, payload, every_seconds, next_at, channel, principal
FROM job_timer WHERE next_at <= :now
AND NOT EXISTS (SELECT 1 FROM space WHERE space.name = job_timer.space AND space.served_by IS NOT NULL)
ORDER BY next_at, space, name

-- name: erase_space_timers
-- Erase all timers of a space.
DELETE FROM job_timer WHERE space = :space
