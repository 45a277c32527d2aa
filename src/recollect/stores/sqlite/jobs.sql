-- name: claim_job
-- Take the next job of a space that is due, of the kinds that come as a list in JSON. Whoever runs this holds the write
-- lock of the file, so nobody else can take the same one.
UPDATE job SET stage = 'running', due_at = :until, claimed_at = :now, worker = :worker,
    attempts = attempts + 1, generation = generation + 1
WHERE space = :space AND id = (
    SELECT ready.id FROM job AS ready
    WHERE ready.space = :space AND ready.settled_at IS NULL AND ready.due_at <= :now
    AND ready.kind IN (SELECT value FROM json_each(:kinds))
    AND (ready.lane = '' OR NOT EXISTS (
        SELECT 1 FROM job AS ahead
        WHERE ahead.space = ready.space AND ahead.lane = ready.lane AND ahead.seq < ready.seq
        AND ahead.settled_at IS NULL
    ))
    ORDER BY ready.priority DESC, ready.seq
    LIMIT 1
)
RETURNING {job}
