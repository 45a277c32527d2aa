-- name: insert_evaluation_question
-- Keep a question, in place of the one with its id, unless its note was forgotten meanwhile.
INSERT INTO evaluation_question (space, id, note_id, text, made_by, made_at)
SELECT :space, :id, :note_id, :text, :made_by, :made_at
WHERE EXISTS (SELECT 1 FROM note WHERE note.space = :space AND note.id = :note_id)
ON CONFLICT (space, id) DO UPDATE SET text = excluded.text, made_by = excluded.made_by
RETURNING id

-- name: evaluation_questions
-- All questions of a space, oldest first.
SELECT id, space, note_id, text, made_by, made_at FROM evaluation_question WHERE space = :space ORDER BY id

-- name: drop_evaluation_question
-- Take a question away.
DELETE FROM evaluation_question WHERE space = :space AND id = :id RETURNING id

-- name: erase_evaluation_questions
-- A question quotes its note, and goes with it.
DELETE FROM evaluation_question WHERE space = :space AND note_id = :id

-- name: erase_space_evaluation_questions
-- Every question of a space.
DELETE FROM evaluation_question WHERE space = :space

-- name: insert_evaluation_run
-- Keep the figures of a run.
INSERT INTO evaluation_run (space, id, at, figures) VALUES (:space, :id, :at, :figures)

-- name: evaluation_runs
-- Runs of a space, the newest first.
SELECT id, at, figures FROM evaluation_run WHERE space = :space ORDER BY id DESC LIMIT :limit

-- name: drop_old_evaluation_runs
-- Runs beyond the newest.
DELETE FROM evaluation_run WHERE space = :space AND id NOT IN (
    SELECT id FROM evaluation_run WHERE space = :space ORDER BY id DESC LIMIT :most
)

-- name: erase_space_evaluation_runs
-- Every run of a space.
DELETE FROM evaluation_run WHERE space = :space
