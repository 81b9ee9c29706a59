-- +goose Up
-- How an organization calls the points of its markers: a marker set as JSON, and its version.
CREATE TABLE landmarks (
    organization UUID NOT NULL PRIMARY KEY,
    version      TEXT COLLATE "C" NOT NULL,
    names        BYTEA NOT NULL
);
ALTER TABLE landmarks ENABLE ROW LEVEL SECURITY;
ALTER TABLE landmarks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON landmarks USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
