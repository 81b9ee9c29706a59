-- +goose Up
CREATE TABLE secret (
    name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

CREATE TABLE capture_group (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    last         BIGINT NOT NULL,
    PRIMARY KEY (organization, id)
);

CREATE TABLE recording (
    organization UUID NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    file_name    TEXT COLLATE "C" NOT NULL,
    camera       TEXT COLLATE "C" NOT NULL,
    time_given   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    original     TEXT COLLATE "C" NOT NULL,
    size         BIGINT NOT NULL,
    sha256       TEXT COLLATE "C" NOT NULL,
    derived      TEXT COLLATE "C" NOT NULL,
    motion_table TEXT COLLATE "C" NOT NULL,
    samples      TEXT COLLATE "C" NOT NULL,
    info         BYTEA,
    rate         DOUBLE PRECISION NOT NULL,
    stale        BIGINT NOT NULL,
    attempt      BIGINT NOT NULL,
    deaths       BIGINT NOT NULL,
    lease        BIGINT NOT NULL,
    version      BIGINT NOT NULL,
    PRIMARY KEY (organization, session_id)
);

CREATE TABLE erasure (
    organization UUID NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    due          BIGINT NOT NULL,
    PRIMARY KEY (organization, name)
);
CREATE INDEX erasure_due ON erasure (organization, due, name);
CREATE INDEX erasure_session ON erasure (organization, session_id, name);

ALTER TABLE capture_group ENABLE ROW LEVEL SECURITY;
ALTER TABLE capture_group FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON capture_group USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE recording ENABLE ROW LEVEL SECURITY;
ALTER TABLE recording FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON recording USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE erasure ENABLE ROW LEVEL SECURITY;
ALTER TABLE erasure FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erasure USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
