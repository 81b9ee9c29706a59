-- +goose Up
-- How an organization joins the points of its recordings: sets of bones as JSON.
CREATE TABLE skeleton (
    organization BLOB NOT NULL PRIMARY KEY,
    sets         BLOB NOT NULL
) STRICT, WITHOUT ROWID;
