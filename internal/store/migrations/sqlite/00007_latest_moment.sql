-- +goose Up
CREATE TABLE latest_moment (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    moment INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
