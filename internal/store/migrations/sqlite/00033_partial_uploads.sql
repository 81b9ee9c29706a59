-- +goose Up
-- Files that come in pieces: how many bytes there are in all and how many have come, until when more is waited for, and
-- which worker puts the pieces together once all have come.
CREATE TABLE upload_partial (
    organization BLOB NOT NULL,
    session_id   TEXT NOT NULL,
    size         INTEGER NOT NULL,
    received     INTEGER NOT NULL,
    expires      INTEGER NOT NULL,
    attempt      INTEGER NOT NULL DEFAULT 0,
    lease        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organization, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE upload_piece (
    organization BLOB NOT NULL,
    session_id   TEXT NOT NULL,
    start        INTEGER NOT NULL,
    size         INTEGER NOT NULL,
    name         TEXT NOT NULL,
    PRIMARY KEY (organization, session_id, start)
) STRICT, WITHOUT ROWID;
