-- name: note_scopes
-- Whose a note is now.
SELECT scope_user, scope_agent, scope_project FROM note WHERE space = :space AND id = :id AND replaced_at IS NULL

-- name: observation_scopes
-- Whose an observation is.
SELECT scope_user, scope_agent, scope_project FROM observation WHERE space = :space AND id = :id

-- name: session_scopes
-- Whose a session is.
SELECT scope_user, scope_agent, scope_project FROM session WHERE space = :space AND id = :id

-- name: session_observation_scopes
-- Whose the observations of a session are.
SELECT DISTINCT scope_user, scope_agent, scope_project FROM observation WHERE space = :space AND session_id = :id

-- name: slot_scopes
-- To which project a slot belongs.
SELECT CAST(NULL AS TEXT), CAST(NULL AS TEXT), project FROM slot WHERE space = :space AND id = :id

-- name: action_scopes
-- To which project an action belongs.
SELECT CAST(NULL AS TEXT), CAST(NULL AS TEXT), project FROM action WHERE space = :space AND id = :id
