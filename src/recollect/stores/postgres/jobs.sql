-- name: claim_job
-- Take the next job of a space that is due, of the kinds that come as a list in JSON. One that another worker is just
-- taking is passed by; it is still open, so the jobs behind it in its lane stay where they are.
UPDATE job SET stage = 'running', due_at = :until, claimed_at = :now, worker = :worker,
    attempts = attempts + 1, generation = generation + 1
WHERE space = :space AND id = (
    SELECT ready.id FROM job AS ready
    WHERE ready.space = :space AND ready.settled_at IS NULL AND ready.due_at <= :now
    AND ready.kind = ANY (ARRAY(SELECT json_array_elements_text(CAST(:kinds AS json))))
    AND (ready.lane = '' OR NOT EXISTS (
        SELECT 1 FROM job AS ahead
        WHERE ahead.space = ready.space AND ahead.lane = ready.lane AND ahead.seq < ready.seq
        AND ahead.settled_at IS NULL
    ))
    ORDER BY ready.priority DESC, ready.seq
    LIMIT 1
    FOR UPDATE OF ready SKIP LOCKED
)
RETURNING {job}
