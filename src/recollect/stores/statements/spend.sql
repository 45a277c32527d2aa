-- name: take_spend_turn
-- Wait until no other reservation is under way, and let none begin until this transaction ends.
INSERT INTO spend_turn (id, calls) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET calls = spend_turn.calls + 1

-- name: spent
-- What counts against the caps: of a day, of a space on that day, of a session.
SELECT
CAST(coalesce(sum(CASE WHEN day = :day THEN tokens ELSE 0 END), 0) AS BIGINT),
CAST(coalesce(sum(CASE WHEN day = :day AND space = :space THEN tokens ELSE 0 END), 0) AS BIGINT),
CAST(coalesce(sum(CASE WHEN session = :session AND space = :space THEN tokens ELSE 0 END), 0) AS BIGINT),
CAST(coalesce(sum(CASE WHEN day = :day THEN micros ELSE 0 END), 0) AS BIGINT),
CAST(coalesce(sum(CASE WHEN day = :day AND space = :space THEN micros ELSE 0 END), 0) AS BIGINT),
CAST(coalesce(sum(CASE WHEN session = :session AND space = :space THEN micros ELSE 0 END), 0) AS BIGINT)
FROM spend WHERE day = :day OR (session <> '' AND session = :session AND space = :space)

-- name: reserve_spend
-- Write down the most that a call can cost.
INSERT INTO spend (
    id, space, session, task, provider, model, day, reserved_at, expires_at, settled_at, tokens, micros,
    input_tokens, cached_tokens, output_tokens
) VALUES (
    :id, :space, :session, :task, :provider, :model, :day, :reserved_at, :expires_at, NULL, :tokens, :micros, 0, 0, 0
)

-- name: settle_spend
-- Write down what a call did cost, if nobody has.
UPDATE spend SET settled_at = :at, tokens = :tokens, micros = :micros, input_tokens = :input, cached_tokens = :cached,
    output_tokens = :output
WHERE id = :id AND settled_at IS NULL

-- name: spend_lines
-- The cost of calls from a day on, by everything that can be asked for. A call is unsettled once its time is over.
SELECT task, space, day, provider, model, count(*), CAST(sum(tokens) AS BIGINT), CAST(sum(input_tokens) AS BIGINT),
CAST(sum(cached_tokens) AS BIGINT), CAST(sum(output_tokens) AS BIGINT), CAST(coalesce(sum(micros), 0) AS BIGINT),
CAST(sum(CASE WHEN micros IS NULL THEN 1 ELSE 0 END) AS BIGINT),
CAST(sum(CASE WHEN settled_at IS NULL AND expires_at <= :at THEN 1 ELSE 0 END) AS BIGINT)
FROM spend WHERE day >= :since GROUP BY task, space, day, provider, model

-- name: drop_old_spend
-- Forget the calls of days that are too long ago.
DELETE FROM spend WHERE day < :day

-- name: forget_spender
-- Take the name of a space that is deleted out of the ledger. What it spent today still counts.
UPDATE spend SET space = '', session = '' WHERE space = :space

-- name: every_spend
-- All calls, to put them into a copy that takes this store's place.
SELECT id, space, session, task, provider, model, day, reserved_at, expires_at, settled_at, tokens, micros,
input_tokens, cached_tokens, output_tokens
FROM spend

-- name: drop_spend
-- Take all calls away, to put those of another store in their place.
DELETE FROM spend

-- name: put_spend
-- Keep a call of another store.
INSERT INTO spend (
    id, space, session, task, provider, model, day, reserved_at, expires_at, settled_at, tokens, micros,
    input_tokens, cached_tokens, output_tokens
) VALUES (
    :id, :space, :session, :task, :provider, :model, :day, :reserved_at, :expires_at, :settled_at, :tokens, :micros,
    :input_tokens, :cached_tokens, :output_tokens
)

-- name: put_provider_key
-- Keep the sealed key that a space has for a provider, in place of an earlier one.
INSERT INTO provider_key (space, provider, sealed, set_at, principal)
VALUES (:space, :provider, :sealed, :set_at, :principal)
ON CONFLICT (space, provider) DO UPDATE
SET sealed = excluded.sealed, set_at = excluded.set_at, principal = excluded.principal

-- name: provider_keys
-- The keys of a space.
SELECT space, provider, sealed, set_at, principal FROM provider_key WHERE space = :space ORDER BY provider

-- name: every_provider_key
-- The keys of all spaces, to put them into a copy that takes this store's place.
SELECT space, provider, sealed, set_at, principal FROM provider_key

-- name: drop_provider_key
-- Take a key away. Yields nothing if there is none.
DELETE FROM provider_key WHERE space = :space AND provider = :provider RETURNING provider

-- name: drop_provider_keys
-- Take all keys away, to put those of another store in their place.
DELETE FROM provider_key

-- name: erase_space_provider_keys
-- Erase the keys of a space.
DELETE FROM provider_key WHERE space = :space
