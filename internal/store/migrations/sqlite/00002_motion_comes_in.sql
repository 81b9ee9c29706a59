-- +goose Up
CREATE TABLE secret (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE capture_group (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    last         INTEGER NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recording (
    organization BLOB NOT NULL,
    session_id   TEXT NOT NULL,
    file_name    TEXT NOT NULL,
    camera       TEXT NOT NULL,
    time_given   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    original     TEXT NOT NULL,
    size         INTEGER NOT NULL,
    sha256       TEXT NOT NULL,
    derived      TEXT NOT NULL,
    motion_table TEXT NOT NULL,
    samples      TEXT NOT NULL,
    info         BLOB,
    rate         REAL NOT NULL,
    stale        INTEGER NOT NULL,
    attempt      INTEGER NOT NULL,
    deaths       INTEGER NOT NULL,
    lease        INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    PRIMARY KEY (organization, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasure (
    organization BLOB NOT NULL,
    name         TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    due          INTEGER NOT NULL,
    PRIMARY KEY (organization, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_due ON erasure (organization, due, name);
CREATE INDEX erasure_session ON erasure (organization, session_id, name);
