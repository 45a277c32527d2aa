-- name: insert_session
-- Open a session; one that is open already is left as it is.
INSERT INTO session (
    space, id, title, started_at, ended_at, scope_user, scope_agent, scope_project, scope_session, scope_machine,
    channel, principal, session, source, branch, folder, commits, reflected, read_to
) VALUES (
    :space, :id, :title, :started_at, :ended_at, :scope_user, :scope_agent, :scope_project, :scope_session,
    :scope_machine, :channel, :principal, :session, :source, :branch, :folder, :commits, :reflected, :read_to
)
ON CONFLICT (space, id) DO NOTHING
RETURNING id

-- name: revise_session
-- Write down how a session is by now.
UPDATE session SET title = :title, ended_at = :ended_at, branch = :branch, folder = :folder, commits = :commits,
reflected = :reflected, scope_user = :scope_user, scope_agent = :scope_agent, scope_project = :scope_project, scope_machine = :scope_machine
WHERE space = :space AND id = :id

-- name: session
-- One session.
SELECT {session} FROM session WHERE space = :space AND id = :id

-- name: sessions_before
-- Sessions that began before a moment, but for those of files; the store adds more conditions.
SELECT {session} FROM session
WHERE space = :space AND (started_at, id) < (:started_at, :id) AND id NOT LIKE :files

-- name: sessions_order
-- The one that began last first.
ORDER BY started_at DESC, id DESC

-- name: unreflected_sessions
-- Sessions with observations that were not reflected on, but for those of files; the store adds more conditions.
SELECT {session} FROM session
WHERE space = :space AND id NOT LIKE :files AND EXISTS (
    SELECT 1 FROM observation
    WHERE observation.space = session.space AND observation.session_id = session.id
    AND observation.position > session.reflected
)

-- name: unreflected_order
-- The one that began first first.
ORDER BY started_at, id

-- name: mark_session_read
-- Keep up to which position a model has read a session.
UPDATE session SET read_to = :position WHERE space = :space AND id = :id AND read_to < :position

-- name: session_size
-- How many observations a session has.
SELECT COUNT(*) FROM observation WHERE space = :space AND session_id = :session_id

-- name: next_position
-- Where the next observation of a session goes: behind all others, and behind what was read and reflected on, which may
-- be gone by now.
SELECT coalesce(max(place), 0) + 1 FROM (
    SELECT max(position) AS place FROM observation WHERE space = :space AND session_id = :session_id
    UNION ALL
    SELECT read_to FROM session WHERE space = :space AND id = :session_id
    UNION ALL
    SELECT reflected FROM session WHERE space = :space AND id = :session_id
) AS places

-- name: insert_observation
-- Keep an observation. Parts of its scope that are not said are those of its session.
INSERT INTO observation (
    space, id, session_id, position, kind, role, standing, observed_at, recorded_at, channel, principal, session,
    source, activity, files, metadata, erase_at, attachments, scope_user, scope_agent, scope_project, scope_machine
) VALUES (
    :space, :id, :session_id, :position, :kind, :role, :standing, :observed_at, :recorded_at, :channel, :principal,
    :session, :source, :activity, :files, :metadata, :erase_at, :attachments,
    coalesce(:scope_user, (SELECT scope_user FROM session WHERE space = :space AND id = :session_id)),
    coalesce(:scope_agent, (SELECT scope_agent FROM session WHERE space = :space AND id = :session_id)),
    coalesce(:scope_project, (SELECT scope_project FROM session WHERE space = :space AND id = :session_id)),
    coalesce(:scope_machine, (SELECT scope_machine FROM session WHERE space = :space AND id = :session_id))
)

-- name: insert_observation_text
-- Keep the words of an observation.
INSERT INTO observation_text (space, observation_id, title, speaker, text, forms)
VALUES (:space, :id, :title, :speaker, :text, :forms)

-- name: unformed_observation_texts
-- Words of observations of which nobody has made the forms, from one on.
SELECT observation_id, 0, title, text, speaker FROM observation_text
WHERE space = :space AND forms IS NULL AND observation_id > :id
ORDER BY observation_id LIMIT :limit

-- name: set_observation_forms
-- Say by which forms the words of an observation are found.
UPDATE observation_text SET forms = :forms WHERE space = :space AND observation_id = :id

-- name: observation
-- One observation.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.id = :id

-- name: observations
-- Observations of a session, in order.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.session_id = :session_id AND observation.position > :position
ORDER BY observation.position
LIMIT :limit

-- name: observations_after
-- Observations in the order of an export.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.id > :after
ORDER BY observation.id
LIMIT :limit

-- name: sessions_after
-- Sessions in the order of an export.
SELECT {session} FROM session WHERE space = :space AND id > :after ORDER BY id LIMIT :limit

-- name: some_observations
-- Observations that are named; the store adds which.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space

-- name: observations_around
-- Observations that stand beside others in their sessions; the store adds which others. One beside two comes twice.
SELECT {observation}
FROM observation AS middle
JOIN observation ON observation.space = middle.space AND observation.session_id = middle.session_id
AND observation.position BETWEEN middle.position - :reach AND middle.position + :reach
JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE middle.space = :space

-- name: derived_notes
-- The notes made from observations; the store adds which.
SELECT target_id, note_id FROM note_link WHERE space = :space AND relation = 'derived_from'

-- name: retracted_notes
-- The notes made from observations that are retracted; the store adds which observations. CROSS keeps SQLite from
-- reading all notes of the space first.
SELECT link.note_id
FROM note_link AS link CROSS JOIN note
WHERE link.space = :space AND link.relation = 'derived_from'
AND note.space = link.space AND note.id = link.note_id AND note.replaced_at IS NULL AND note.state = 'retracted'

-- name: count_observations
-- How many observations there are.
SELECT COUNT(*) FROM observation WHERE space = :space

-- name: count_sessions
-- How many sessions there are.
SELECT COUNT(*) FROM session WHERE space = :space

-- name: add_verdict
-- Count why a candidate did not become a note, or that it did.
INSERT INTO verdict (space, reason, times) VALUES (:space, :reason, :times)
ON CONFLICT (space, reason) DO UPDATE SET times = verdict.times + excluded.times

-- name: verdicts
-- Why candidates did not become notes, and how many did.
SELECT reason, times FROM verdict WHERE space = :space

-- name: insert_file
-- Remember what a file held.
INSERT INTO ingested_file (space, root, path, sha256, session_id, at)
VALUES (:space, :root, :path, :sha256, :session_id, :at)
ON CONFLICT (space, root, path) DO UPDATE
SET sha256 = excluded.sha256, session_id = excluded.session_id, at = excluded.at

-- name: forget_file
-- Forget a file that is no longer there.
DELETE FROM ingested_file WHERE space = :space AND root = :root AND path = :path

-- name: files
-- What the files of a folder held when they were last taken in.
SELECT path, sha256, session_id FROM ingested_file WHERE space = :space AND root = :root

-- name: session_observations
-- The ids of all observations of a session.
SELECT id FROM observation WHERE space = :space AND session_id = :session_id

-- name: due_observations
-- The ids of observations that are to be erased by a moment.
SELECT id FROM observation WHERE space = :space AND erase_at <= :at AND id > :after ORDER BY id LIMIT :limit

-- name: told_ids
-- The ids of observations; the store adds in which scope.
SELECT id FROM observation WHERE space = :space

-- name: observation_ids
-- Every observation of a space.
SELECT id FROM observation WHERE space = :space

-- name: erase_session
-- Take a session out.
DELETE FROM session WHERE space = :space AND id = :id

-- name: erase_observation
-- Erase an observation.
DELETE FROM observation WHERE space = :space AND id = :id

-- name: erase_observation_text
-- Erase the words of an observation.
DELETE FROM observation_text WHERE space = :space AND observation_id = :id

-- name: erase_space_observations
-- Erase all observations of a space.
DELETE FROM observation WHERE space = :space

-- name: erase_space_observation_texts
-- Erase all words of observations of a space.
DELETE FROM observation_text WHERE space = :space

-- name: erase_space_sessions
-- Erase all sessions of a space.
DELETE FROM session WHERE space = :space

-- name: erase_space_verdicts
-- Erase the counts of a space.
DELETE FROM verdict WHERE space = :space

-- name: erase_space_files
-- Forget the files of a space.
DELETE FROM ingested_file WHERE space = :space

-- name: observations_earlier
-- What was observed before a moment, but for passages of files; the store adds where, and the order.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.kind <> 'passage'
AND (observation.observed_at, observation.id) < (:at, :id)

-- name: observations_later
-- What was observed after a moment, but for passages of files; the store adds where, and the order.
SELECT {observation}
FROM observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.space = :space AND observation.kind <> 'passage'
AND (observation.observed_at, observation.id) > (:at, :id)

-- name: observations_shortly_before
-- What was observed between two moments, but for passages of files; the store adds where, and the order. Of very many
-- the last are read, whoever they are of.
SELECT {observation}
FROM (
    SELECT * FROM observation
    WHERE space = :space AND observed_at >= :since AND (observed_at, id) < (:at, :id)
    ORDER BY observed_at DESC, id DESC
    LIMIT :reach
) AS observation JOIN observation_text AS words
ON words.space = observation.space AND words.observation_id = observation.id
WHERE observation.kind <> 'passage'

-- name: held_in_project
-- A condition on few observations: each in a session of a project.
AND EXISTS (
    SELECT 1 FROM session
    WHERE session.space = :space AND session.id = observation.session_id AND session.scope_project = :project
)

-- name: of_project
-- A condition: only in sessions of a project.
AND observation.session_id IN (SELECT id FROM session WHERE space = :space AND scope_project = :project)
