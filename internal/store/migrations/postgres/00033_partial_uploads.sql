-- +goose Up
-- Files that come in pieces: how many bytes there are in all and how many have come, until when more is waited for, and
-- which worker puts the pieces together once all have come.
CREATE TABLE upload_partial (
    organization UUID NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    size         BIGINT NOT NULL,
    received     BIGINT NOT NULL,
    expires      BIGINT NOT NULL,
    attempt      BIGINT NOT NULL DEFAULT 0,
    lease        BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (organization, session_id)
);

CREATE TABLE upload_piece (
    organization UUID NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    start        BIGINT NOT NULL,
    size         BIGINT NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, session_id, start)
);
ALTER TABLE upload_partial ENABLE ROW LEVEL SECURITY;
ALTER TABLE upload_partial FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON upload_partial USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE upload_piece ENABLE ROW LEVEL SECURITY;
ALTER TABLE upload_piece FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON upload_piece USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
