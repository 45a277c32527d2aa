-- name: put_webhook
-- Keep a webhook. One of the same name keeps its id, its age and its place in the change log; a new one begins at the
-- newest change, unless `seq` says another.
INSERT INTO webhook (
    space, id, name, url, secret, host, events, content, allow_private, allow_http, configured,
    scope_user, scope_agent, scope_project, created_at, channel, principal, seq
) VALUES (
    :space, :id, :name, :url, :secret, :host, :events, :content, :allow_private, :allow_http, :configured,
    :scope_user, :scope_agent, :scope_project, :created_at, :channel, :principal,
    coalesce(CAST(:seq AS BIGINT), (SELECT seq FROM space WHERE name = :space), 0)
)
ON CONFLICT (space, name) DO UPDATE
SET url = excluded.url, secret = excluded.secret, host = excluded.host, events = excluded.events,
    content = excluded.content, allow_private = excluded.allow_private, allow_http = excluded.allow_http,
    configured = excluded.configured, scope_user = excluded.scope_user, scope_agent = excluded.scope_agent,
    scope_project = excluded.scope_project, channel = excluded.channel, principal = excluded.principal

-- name: webhook
-- One webhook, by its id or by its name.
SELECT {webhook} FROM webhook WHERE space = :space AND (id = :id OR name = :name)

-- name: webhooks
-- All webhooks of a space.
SELECT {webhook} FROM webhook WHERE space = :space ORDER BY name

-- name: webhooks_awake
-- The webhooks of a space and the events that they want, asked with every commit.
SELECT id, events FROM webhook WHERE space = :space

-- name: move_webhook
-- Move a webhook on from the change it is at. Yields nothing if it is at another one.
UPDATE webhook SET seq = :seq WHERE space = :space AND id = :id AND seq = :known
RETURNING id

-- name: drop_webhook
-- Take a webhook away.
DELETE FROM webhook WHERE space = :space AND id = :id

-- name: insert_webhook_delivery
-- Write an attempt down.
INSERT INTO webhook_delivery (space, id, webhook_id, event_id, event, attempt, at, status, code, milliseconds)
VALUES (:space, :id, :webhook_id, :event_id, :event, :attempt, :at, :status, :code, :milliseconds)

-- name: drop_old_webhook_deliveries
-- Drop the attempts of a webhook beyond the newest ones.
DELETE FROM webhook_delivery
WHERE space = :space AND webhook_id = :webhook_id AND id <= (
    SELECT newer.id FROM webhook_delivery AS newer WHERE newer.space = :space AND newer.webhook_id = :webhook_id
    ORDER BY newer.id DESC LIMIT 1 OFFSET :most
)

-- name: webhook_deliveries
-- Attempts with the name of their webhook, the newest first: of one webhook or of all, from the one before an id on.
SELECT delivery.id, webhook.name, delivery.event_id, delivery.event, delivery.attempt, delivery.at, delivery.status,
delivery.code, delivery.milliseconds
FROM webhook_delivery AS delivery JOIN webhook
ON webhook.space = delivery.space AND webhook.id = delivery.webhook_id
WHERE delivery.space = :space
AND (CAST(:webhook_id AS TEXT) IS NULL OR delivery.webhook_id = :webhook_id)
AND (CAST(:before AS TEXT) IS NULL OR delivery.id < :before)
ORDER BY delivery.id DESC LIMIT :limit

-- name: drop_webhook_deliveries
-- Drop all attempts of a webhook that is taken away.
DELETE FROM webhook_delivery WHERE space = :space AND webhook_id = :webhook_id

-- name: erase_space_deliveries
-- Erase the log of what the webhooks of a space were sent.
DELETE FROM webhook_delivery WHERE space = :space

-- name: erase_space_webhooks
-- Erase the webhooks of a space. Those that want to hear of its end stay until they were told.
DELETE FROM webhook WHERE space = :space AND events NOT LIKE '%"space-deleted"%'

-- name: erase_late_webhooks
-- Erase those that could not be told of the end of a space before it began anew: it may be somebody else's by now. One
-- that the settings name is for whoever has the space.
DELETE FROM webhook WHERE space = :space AND configured = 0 AND seq < :seq

-- name: every_webhook
-- The webhooks of all spaces, to put them into a copy that takes this store's place.
SELECT {webhook} FROM webhook

-- name: drop_webhooks
-- Take all webhooks away, to put those of another store in their place.
DELETE FROM webhook

-- name: drop_stray_deliveries
-- Drop the attempts of webhooks that are gone, after those of another store took their place.
DELETE FROM webhook_delivery WHERE NOT EXISTS (
    SELECT 1 FROM webhook WHERE webhook.space = webhook_delivery.space AND webhook.id = webhook_delivery.webhook_id
)
