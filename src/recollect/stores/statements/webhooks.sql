-- name: insert_webhook_delivery
-- Write down an attempt. The same one again, after a crash, takes the place of the first.
INSERT INTO webhook_delivery (space, delivery_id, attempt, endpoint, event, at, status, code, seconds, retry_at)
VALUES (:space, :delivery_id, :attempt, :endpoint, :event, :at, :status, :code, :seconds, :retry_at)
ON CONFLICT (space, delivery_id, attempt) DO UPDATE
SET at = excluded.at, status = excluded.status, code = excluded.code, seconds = excluded.seconds,
retry_at = excluded.retry_at

-- name: webhook_deliveries
-- The newest attempts, of one endpoint or of all.
SELECT delivery_id, endpoint, space, event, attempt, at, status, code, seconds, retry_at FROM webhook_delivery
WHERE CAST(:endpoint AS TEXT) IS NULL OR endpoint = :endpoint
ORDER BY at DESC, delivery_id DESC, attempt DESC LIMIT :limit

-- name: drop_old_webhook_deliveries
-- Drop attempts beyond the newest ones.
DELETE FROM webhook_delivery
WHERE at < (SELECT at FROM webhook_delivery ORDER BY at DESC LIMIT 1 OFFSET :most)
