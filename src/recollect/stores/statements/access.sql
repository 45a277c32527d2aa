-- name: insert_access_token
-- Keep a new token: its digest, not its secret.
INSERT INTO access_token (
    id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest,
    scope_user, scope_agent, scope_project, made_by, successor, dialect
) VALUES (
    :id, :name, :scope, :space, :created_at, :expires_at, :last_used_at, :revoked_at, :digest,
    :scope_user, :scope_agent, :scope_project, :made_by, :successor, :dialect
)

-- name: access_token
-- One token, whether it is live or not.
SELECT id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest,
scope_user, scope_agent, scope_project, made_by, successor, dialect
FROM access_token WHERE id = :id

-- name: access_tokens
-- All tokens, whether they are live or not.
SELECT id, name, scope, space, created_at, expires_at, last_used_at, revoked_at, digest,
scope_user, scope_agent, scope_project, made_by, successor, dialect
FROM access_token

-- name: revoke_access_token
-- End a token, and every token that it made over HTTP, at any remove. The first time one was revoked stays.
WITH RECURSIVE ended (id) AS (
    SELECT CAST(:id AS TEXT)
    UNION
    SELECT access_token.id FROM ended JOIN access_token ON access_token.made_by = ended.id
)
UPDATE access_token SET revoked_at = :at WHERE revoked_at IS NULL AND id IN (SELECT id FROM ended)
RETURNING id

-- name: hold_access_token
-- Hold the row of a token that makes another, so that it cannot be revoked meanwhile. Yields nothing if it was.
UPDATE access_token SET revoked_at = NULL WHERE id = :id AND revoked_at IS NULL
RETURNING id

-- name: rotate_access_token
-- Put a successor in the place of a token, which ends then. Yields nothing if it is not live or another was faster.
UPDATE access_token
SET successor = :successor, revoked_at = :revoked_at, expires_at = coalesce(:ends, expires_at)
WHERE id = :id AND revoked_at IS NULL AND successor IS NULL AND (expires_at IS NULL OR expires_at > :at)
RETURNING id

-- name: adopt_access_tokens
-- The tokens that a token made belong to its successor.
UPDATE access_token SET made_by = :successor WHERE made_by = :id

-- name: use_access_token
-- Say when a token was used last.
UPDATE access_token SET last_used_at = :at WHERE id = :id

-- name: drop_access_tokens
-- Take all tokens away, to put those of another store in their place.
DELETE FROM access_token

-- name: insert_sign_in_link
-- Keep a link that signs a browser in: its digest, not its secret.
INSERT INTO sign_in_link (id, token_id, created_at, expires_at, digest)
VALUES (:id, :token_id, :created_at, :expires_at, :digest)

-- name: take_sign_in_link
-- Use a link up. Yields nothing the second time, or for another secret.
DELETE FROM sign_in_link WHERE id = :id AND digest = :digest
RETURNING id, token_id, created_at, expires_at, digest

-- name: drop_old_sign_in_links
-- Drop links that were never used in time.
DELETE FROM sign_in_link WHERE expires_at <= :at

-- name: insert_sign_in
-- Keep a browser that signed in: the digest of its cookie, not the cookie.
INSERT INTO sign_in (id, token_id, created_at, seen_at, expires_at, personal, ended_at, digest)
VALUES (:id, :token_id, :created_at, :seen_at, :expires_at, :personal, :ended_at, :digest)

-- name: sign_in
-- One browser that signed in, whether it still is or not.
SELECT id, token_id, created_at, seen_at, expires_at, personal, ended_at, digest FROM sign_in WHERE id = :id

-- name: see_sign_in
-- Say when a browser was there last.
UPDATE sign_in SET seen_at = :at WHERE id = :id AND ended_at IS NULL

-- name: end_sign_in
-- Sign one browser out.
UPDATE sign_in SET ended_at = :at WHERE id = :id AND ended_at IS NULL

-- name: end_sign_ins
-- Sign every browser out that has the rights of a token.
UPDATE sign_in SET ended_at = :at WHERE token_id = :token_id AND ended_at IS NULL
RETURNING id

-- name: drop_old_sign_ins
-- Drop browsers whose sign-in is over.
DELETE FROM sign_in WHERE expires_at <= :at

-- name: drop_sign_ins
-- Take all browsers away.
DELETE FROM sign_in

-- name: drop_sign_in_links
-- Take all links away.
DELETE FROM sign_in_link

-- name: insert_account
-- Keep an account. Yields nothing if its name or its identity is taken.
INSERT INTO account (name, token_id, created_at, identity, password)
VALUES (:name, :token_id, :created_at, :identity, :password)
ON CONFLICT DO NOTHING
RETURNING name

-- name: accounts
-- All accounts.
SELECT name, token_id, created_at, identity, password FROM account

-- name: account
-- One account, by its name.
SELECT name, token_id, created_at, identity, password FROM account WHERE name = :name

-- name: account_of_identity
-- One account, by the identity that an issuer vouches for.
SELECT name, token_id, created_at, identity, password FROM account WHERE identity = :identity

-- name: account_of_token
-- The account that has the rights of a token.
SELECT name, token_id, created_at, identity, password FROM account WHERE token_id = :token_id

-- name: set_account_password
-- Give an account another password: its digest.
UPDATE account SET password = :password WHERE name = :name

-- name: drop_account
-- Take an account away.
DELETE FROM account WHERE name = :name

-- name: drop_accounts
-- Take all accounts away, to put those of another store in their place.
DELETE FROM account
