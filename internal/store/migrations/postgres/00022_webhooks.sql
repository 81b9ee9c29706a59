-- +goose Up
-- Receivers that are told what changes. secret signs; the one before it, until previous_until, does too. attempt and lease say
-- which worker has deliveries of it, wake when the next job looks for some.
CREATE TABLE webhook (
    organization    UUID NOT NULL,
    id              UUID NOT NULL,
    url             TEXT COLLATE "C" NOT NULL,
    events          TEXT COLLATE "C" NOT NULL,
    description     TEXT COLLATE "C" NOT NULL,
    state           BIGINT NOT NULL,
    reason          TEXT COLLATE "C" NOT NULL,
    secret          TEXT COLLATE "C" NOT NULL,
    previous        TEXT COLLATE "C" NOT NULL,
    previous_until  BIGINT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    failing_since   BIGINT,
    delivered_at    BIGINT,
    rest_until      BIGINT,
    attempt         BIGINT NOT NULL DEFAULT 0,
    lease           BIGINT NOT NULL DEFAULT 0,
    wake            BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (organization, id)
);

-- What was or is to be delivered. changed is the position of the event in the order of changes; object, status and other are
-- ids and states alone.
CREATE TABLE webhook_delivery (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    webhook      UUID NOT NULL,
    changed      BIGINT NOT NULL,
    event        TEXT COLLATE "C" NOT NULL,
    object       TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    other        TEXT COLLATE "C" NOT NULL,
    at           BIGINT NOT NULL,
    state        BIGINT NOT NULL,
    attempts     BIGINT NOT NULL,
    due          BIGINT,
    last_at      BIGINT,
    last_code    BIGINT NOT NULL,
    problem      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, id)
);
CREATE INDEX webhook_delivery_position ON webhook_delivery (organization, webhook, changed);
CREATE INDEX webhook_delivery_due ON webhook_delivery (organization, webhook, due, changed) WHERE state = 0;
CREATE INDEX webhook_delivery_first ON webhook_delivery (organization, webhook, object, changed) WHERE state = 0 AND attempts = 0;
ALTER TABLE webhook ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhook USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE webhook_delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_delivery FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhook_delivery USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
