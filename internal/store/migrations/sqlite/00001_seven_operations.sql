-- +goose Up
CREATE TABLE organization (
    id         BLOB NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER  NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE token_index (
    hash         BLOB NOT NULL PRIMARY KEY,
    organization BLOB NOT NULL,
    token        BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX token_index_token ON token_index (token);

CREATE TABLE token (
    organization BLOB NOT NULL REFERENCES organization (id),
    id           BLOB NOT NULL,
    hash         BLOB NOT NULL,
    name         TEXT NOT NULL,
    permissions  TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    life         INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE athlete (
    organization      BLOB NOT NULL REFERENCES organization (id),
    id                BLOB NOT NULL,
    first_name        TEXT NOT NULL,
    last_name         TEXT NOT NULL,
    date_of_birth     INTEGER,
    email             TEXT NOT NULL,
    phone             TEXT NOT NULL,
    gender            TEXT NOT NULL,
    dominant_arm      TEXT NOT NULL,
    dominant_leg      TEXT NOT NULL,
    activity          TEXT NOT NULL,
    positions         TEXT NOT NULL,
    competition_level TEXT NOT NULL,
    height            INTEGER NOT NULL,
    weight            INTEGER NOT NULL,
    custom_attributes TEXT NOT NULL,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    version           INTEGER NOT NULL,
    first_key         TEXT NOT NULL,
    last_key          TEXT NOT NULL,
    born_key          INTEGER NOT NULL,
    search_key        TEXT NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX athlete_name ON athlete (organization, last_key, first_key, id);
CREATE INDEX athlete_first ON athlete (organization, first_key, id);
CREATE INDEX athlete_born ON athlete (organization, born_key, id);
CREATE INDEX athlete_created ON athlete (organization, created_at, id);

CREATE TABLE athlete_attribute (
    organization BLOB NOT NULL,
    athlete      BLOB NOT NULL,
    name         TEXT NOT NULL,
    value_hash   BLOB NOT NULL,
    PRIMARY KEY (organization, athlete, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX athlete_attribute_value ON athlete_attribute (organization, name, value_hash, athlete);

CREATE TABLE combination (
    organization BLOB NOT NULL,
    id           INTEGER NOT NULL,
    source       TEXT NOT NULL,
    status       TEXT NOT NULL,
    activity     TEXT NOT NULL,
    movement     TEXT NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX combination_labels ON combination (organization, activity, movement, status, source);

CREATE TABLE capture (
    organization BLOB NOT NULL,
    session_id   TEXT NOT NULL,
    sort_time    INTEGER NOT NULL,
    combination  INTEGER NOT NULL,
    source       TEXT NOT NULL,
    status       TEXT NOT NULL,
    activity     TEXT,
    movement     TEXT,
    dimensions   TEXT NOT NULL,
    error        TEXT,
    fps          REAL,
    version      INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (organization, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE capture_row (
    organization BLOB NOT NULL,
    sort_time    INTEGER NOT NULL,
    session_id   TEXT NOT NULL,
    athlete      BLOB NOT NULL,
    place        INTEGER NOT NULL,
    combination  INTEGER NOT NULL,
    body         BLOB NOT NULL,
    PRIMARY KEY (organization, sort_time, session_id, athlete)
) STRICT, WITHOUT ROWID;
CREATE INDEX capture_row_combination ON capture_row (organization, combination, sort_time, session_id, athlete);
CREATE INDEX capture_row_athlete ON capture_row (organization, athlete, sort_time, session_id, combination);

CREATE TABLE list (
    organization BLOB NOT NULL,
    athlete      BLOB NOT NULL,
    born         INTEGER NOT NULL,
    generation   INTEGER NOT NULL,
    changes      INTEGER NOT NULL,
    PRIMARY KEY (organization, athlete)
) STRICT, WITHOUT ROWID;

CREATE TABLE list_block (
    organization BLOB NOT NULL,
    athlete      BLOB NOT NULL,
    id           INTEGER NOT NULL,
    generation   INTEGER NOT NULL,
    sort_time    INTEGER NOT NULL,
    session_id   TEXT NOT NULL,
    counts       BLOB NOT NULL,
    PRIMARY KEY (organization, athlete, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_block_generation ON list_block (organization, athlete, generation);

CREATE TABLE list_delta (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    changes      BLOB NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE export_job (
    organization  BLOB NOT NULL,
    id            TEXT NOT NULL,
    status        TEXT NOT NULL,
    error_message TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    completed_at  INTEGER,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    organization BLOB NOT NULL,
    key          BLOB NOT NULL,
    body         BLOB NOT NULL,
    answer       BLOB,
    subject      BLOB,
    expires_at   INTEGER NOT NULL,
    PRIMARY KEY (organization, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_subject ON idempotency (organization, subject);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);
