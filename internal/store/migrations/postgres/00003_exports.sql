-- +goose Up
CREATE TABLE export_build (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    request      TEXT COLLATE "C" NOT NULL,
    erased       BIGINT NOT NULL,
    parts        BIGINT NOT NULL,
    skipped      BIGINT NOT NULL,
    row_count    BIGINT NOT NULL,
    progress     BIGINT NOT NULL,
    chosen       BIGINT NOT NULL,
    looked       BIGINT NOT NULL,
    line         BIGINT NOT NULL,
    turn         BIGINT NOT NULL,
    watched      BIGINT NOT NULL,
    failures     BIGINT NOT NULL,
    attempt      BIGINT NOT NULL,
    deaths       BIGINT NOT NULL,
    lease        BIGINT NOT NULL,
    version      BIGINT NOT NULL,
    PRIMARY KEY (organization, job)
);
CREATE INDEX export_build_line ON export_build (organization, line, turn, job) WHERE line > 0;

CREATE TABLE export_part (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    n            BIGINT NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    athlete      UUID NOT NULL,
    facts        TEXT COLLATE "C" NOT NULL,
    motion_table TEXT COLLATE "C" NOT NULL,
    info         BYTEA NOT NULL,
    rate         DOUBLE PRECISION NOT NULL,
    frame        BIGINT NOT NULL,
    row_count    BIGINT NOT NULL,
    PRIMARY KEY (organization, job, n)
);
CREATE INDEX export_part_session ON export_part (organization, session_id, job, n);
CREATE INDEX export_part_athlete ON export_part (organization, athlete, job, n);
CREATE INDEX export_part_table ON export_part (organization, motion_table, job);

CREATE TABLE export_column (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    dimension    BIGINT NOT NULL,
    place        BIGINT NOT NULL,
    uses         BIGINT NOT NULL,
    events       BIGINT NOT NULL,
    PRIMARY KEY (organization, job, name)
);

CREATE TABLE export_skip (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    reason       TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, job, session_id)
);
CREATE INDEX export_skip_session ON export_skip (organization, session_id, job);

CREATE TABLE export_block (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    block        BIGINT NOT NULL,
    row_count    BIGINT NOT NULL,
    PRIMARY KEY (organization, job, block)
);

CREATE TABLE export_file (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    format       TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    writers      TEXT COLLATE "C" NOT NULL,
    size         BIGINT NOT NULL,
    kept_at      BIGINT NOT NULL,
    asked_at     BIGINT NOT NULL,
    again        BIGINT NOT NULL,
    not_before   BIGINT NOT NULL,
    coming       TEXT COLLATE "C" NOT NULL,
    attempt      BIGINT NOT NULL,
    deaths       BIGINT NOT NULL,
    lease        BIGINT NOT NULL,
    PRIMARY KEY (organization, job, format)
);

CREATE TABLE export_storage (
    organization UUID NOT NULL,
    files        BIGINT NOT NULL,
    PRIMARY KEY (organization)
);

CREATE INDEX export_build_parts ON export_build (organization, parts, skipped) WHERE parts + skipped > 0;

CREATE TABLE recording_bytes (
    organization UUID NOT NULL,
    bucket       BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    PRIMARY KEY (organization, bucket)
);
INSERT INTO recording_bytes (organization, bucket, bytes) SELECT organization, 0, SUM(size) FROM recording GROUP BY organization;

CREATE INDEX capture_changed ON capture (organization, updated_at, session_id);
CREATE INDEX capture_failed ON capture (organization, updated_at, session_id) WHERE status = 'error';

CREATE INDEX export_job_created ON export_job (organization, created_at, id);

ALTER TABLE export_build ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_build FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_build USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_part FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_part USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_block ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_block FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_block USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_column ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_column FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_column USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_skip ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_skip FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_skip USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_file FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_file USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE recording_bytes ENABLE ROW LEVEL SECURITY;
ALTER TABLE recording_bytes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON recording_bytes USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE export_storage ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_storage FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_storage USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
