-- +goose Up
-- How an organization calls the points of its markers: a marker set as JSON, and its version.
CREATE TABLE landmarks (
    organization BLOB NOT NULL PRIMARY KEY,
    version      TEXT NOT NULL,
    names        BLOB NOT NULL
) STRICT, WITHOUT ROWID;
