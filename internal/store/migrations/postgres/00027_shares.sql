-- +goose Up
-- Links for people without an account. token_index has the hash of each secret; the captures are known to visitors by their
-- places alone.
CREATE TABLE share (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    view         TEXT COLLATE "C" NOT NULL,
    names        BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    uses         BIGINT NOT NULL,
    used_at      BIGINT,
    PRIMARY KEY (organization, id)
);

CREATE TABLE share_capture (
    organization UUID NOT NULL,
    share        UUID NOT NULL,
    place        BIGINT NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, share, place)
);
CREATE INDEX share_capture_session ON share_capture (organization, session_id);
ALTER TABLE share ENABLE ROW LEVEL SECURITY;
ALTER TABLE share FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON share USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE share_capture ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_capture FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON share_capture USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
