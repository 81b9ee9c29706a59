-- +goose Up
-- Receivers that are told what changes. secret signs; the one before it, until previous_until, does too. attempt and lease say
-- which worker has deliveries of it, wake when the next job looks for some.
CREATE TABLE webhook (
    organization    BLOB NOT NULL,
    id              BLOB NOT NULL,
    url             TEXT NOT NULL,
    events          TEXT NOT NULL,
    description     TEXT NOT NULL,
    state           INTEGER NOT NULL,
    reason          TEXT NOT NULL,
    secret          TEXT NOT NULL,
    previous        TEXT NOT NULL,
    previous_until  INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    failing_since   INTEGER,
    delivered_at    INTEGER,
    rest_until      INTEGER,
    attempt         INTEGER NOT NULL DEFAULT 0,
    lease           INTEGER NOT NULL DEFAULT 0,
    wake            INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

-- What was or is to be delivered. changed is the position of the event in the order of changes; object, status and other are
-- ids and states alone.
CREATE TABLE webhook_delivery (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    webhook      BLOB NOT NULL,
    changed      INTEGER NOT NULL,
    event        TEXT NOT NULL,
    object       TEXT NOT NULL,
    status       TEXT NOT NULL,
    other        TEXT NOT NULL,
    at           INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    due          INTEGER,
    last_at      INTEGER,
    last_code    INTEGER NOT NULL,
    problem      TEXT NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_delivery_position ON webhook_delivery (organization, webhook, changed);
CREATE INDEX webhook_delivery_due ON webhook_delivery (organization, webhook, due, changed) WHERE state = 0;
CREATE INDEX webhook_delivery_first ON webhook_delivery (organization, webhook, object, changed) WHERE state = 0 AND attempts = 0;
