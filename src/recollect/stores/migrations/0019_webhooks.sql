-- Webhooks: addresses that are told of the changes of a space, and the log of what they were sent. Both databases read
-- this file.

-- `seq` is the last change that the webhook was told of. A configured one has its address and its secret in the settings,
-- and here they are empty.
CREATE TABLE webhook (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    host TEXT NOT NULL,
    events TEXT NOT NULL,
    content INTEGER NOT NULL,
    allow_private INTEGER NOT NULL,
    allow_http INTEGER NOT NULL,
    configured INTEGER NOT NULL,
    scope_user TEXT,
    scope_agent TEXT,
    scope_project TEXT,
    created_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (space, id),
    UNIQUE (space, name)
);

-- One attempt a row. It holds numbers and codes, and nothing of what was sent or came back.
CREATE TABLE webhook_delivery (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    at TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    milliseconds BIGINT NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE INDEX webhook_delivery_newest ON webhook_delivery (space, webhook_id, id);
