-- +goose Up
-- How an organization joins the points of its recordings: sets of bones as JSON.
CREATE TABLE skeleton (
    organization UUID NOT NULL PRIMARY KEY,
    sets         BYTEA NOT NULL
);
ALTER TABLE skeleton ENABLE ROW LEVEL SECURITY;
ALTER TABLE skeleton FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skeleton USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
