-- name: insert_access_token
-- Keep a new token: its digest, not its secret.
INSERT INTO access_token (id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest)
VALUES (:id, :name, :scope, :space, :created_at, :expires_at, :last_used_at, :revoked_at, :digest)

-- name: access_token
-- One token, whether it is live or not.
SELECT id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest
FROM access_token WHERE id = :id

-- name: access_tokens
-- All tokens, whether they are live or not.
SELECT id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest FROM access_token

-- name: revoke_access_token
-- End a token. The first time it was revoked stays.
UPDATE access_token SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL

-- name: use_access_token
-- Say when a token was used last.
UPDATE access_token SET last_used_at = :at WHERE id = :id

-- name: drop_access_tokens
-- Take all tokens away, to put those of another store in their place.
DELETE FROM access_token
