-- +goose Up
CREATE TABLE export_build (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    request      TEXT NOT NULL,
    erased       INTEGER NOT NULL,
    parts        INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    row_count    INTEGER NOT NULL,
    progress     INTEGER NOT NULL,
    chosen       INTEGER NOT NULL,
    looked       INTEGER NOT NULL,
    line         INTEGER NOT NULL,
    turn         INTEGER NOT NULL,
    watched      INTEGER NOT NULL,
    failures     INTEGER NOT NULL,
    attempt      INTEGER NOT NULL,
    deaths       INTEGER NOT NULL,
    lease        INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    PRIMARY KEY (organization, job)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_build_line ON export_build (organization, line, turn, job) WHERE line > 0;

CREATE TABLE export_part (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    n            INTEGER NOT NULL,
    session_id   TEXT NOT NULL,
    athlete      BLOB NOT NULL,
    facts        TEXT NOT NULL,
    motion_table TEXT NOT NULL,
    info         BLOB NOT NULL,
    rate         REAL NOT NULL,
    frame        INTEGER NOT NULL,
    row_count    INTEGER NOT NULL,
    PRIMARY KEY (organization, job, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_part_session ON export_part (organization, session_id, job, n);
CREATE INDEX export_part_athlete ON export_part (organization, athlete, job, n);
CREATE INDEX export_part_table ON export_part (organization, motion_table, job);

CREATE TABLE export_column (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    name         TEXT NOT NULL,
    dimension    INTEGER NOT NULL,
    place        INTEGER NOT NULL,
    uses         INTEGER NOT NULL,
    events       INTEGER NOT NULL,
    PRIMARY KEY (organization, job, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE export_skip (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    reason       TEXT NOT NULL,
    PRIMARY KEY (organization, job, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_skip_session ON export_skip (organization, session_id, job);

CREATE TABLE export_block (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    block        INTEGER NOT NULL,
    row_count    INTEGER NOT NULL,
    PRIMARY KEY (organization, job, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE export_file (
    organization BLOB NOT NULL,
    job          TEXT NOT NULL,
    format       TEXT NOT NULL,
    version      INTEGER NOT NULL,
    name         TEXT NOT NULL,
    writers      TEXT NOT NULL,
    size         INTEGER NOT NULL,
    kept_at      INTEGER NOT NULL,
    asked_at     INTEGER NOT NULL,
    again        INTEGER NOT NULL,
    not_before   INTEGER NOT NULL,
    coming       TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    deaths       INTEGER NOT NULL,
    lease        INTEGER NOT NULL,
    PRIMARY KEY (organization, job, format)
) STRICT, WITHOUT ROWID;

CREATE TABLE export_storage (
    organization BLOB NOT NULL,
    files        INTEGER NOT NULL,
    PRIMARY KEY (organization)
) STRICT, WITHOUT ROWID;

CREATE INDEX export_build_parts ON export_build (organization, parts, skipped) WHERE parts + skipped > 0;

CREATE TABLE recording_bytes (
    organization BLOB NOT NULL,
    bucket       INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    PRIMARY KEY (organization, bucket)
) STRICT, WITHOUT ROWID;
INSERT INTO recording_bytes (organization, bucket, bytes) SELECT organization, 0, SUM(size) FROM recording GROUP BY organization;

CREATE INDEX capture_changed ON capture (organization, updated_at, session_id);
CREATE INDEX capture_failed ON capture (organization, updated_at, session_id) WHERE status = 'error';

CREATE INDEX export_job_created ON export_job (organization, created_at, id);
