-- +goose Up
-- Who did what, by ids. changed is the place among all changes, by which readers go on.
CREATE TABLE audit (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    changed      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    actor_kind   TEXT NOT NULL,
    actor_id     TEXT NOT NULL,
    actor_name   TEXT NOT NULL,
    action       TEXT NOT NULL,
    object_kind  TEXT NOT NULL,
    object_id    TEXT NOT NULL,
    status       INTEGER NOT NULL,
    request_id   TEXT NOT NULL,
    address      TEXT NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_position ON audit (organization, changed);
-- +goose StatementBegin
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'entries of the audit log are not changed'); END;
-- +goose StatementEnd
