-- +goose Up
-- Links for people without an account. token_index has the hash of each secret; the captures are known to visitors by their
-- places alone.
CREATE TABLE share (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    view         TEXT NOT NULL,
    names        INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    uses         INTEGER NOT NULL,
    used_at      INTEGER,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE share_capture (
    organization BLOB NOT NULL,
    share        BLOB NOT NULL,
    place        INTEGER NOT NULL,
    session_id   TEXT NOT NULL,
    PRIMARY KEY (organization, share, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX share_capture_session ON share_capture (organization, session_id);
