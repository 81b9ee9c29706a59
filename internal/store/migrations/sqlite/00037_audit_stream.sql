-- +goose Up
-- How far the audit log of an organization was streamed to where the operator wants it. id is the organization's, also
-- of one that is gone.
CREATE TABLE audit_streamed (
    id       BLOB NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- The server that streams, of all that could, and until when it is its turn.
CREATE TABLE audit_turn (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    holder TEXT NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_turn (one, holder, until) VALUES (1, '', 0);
