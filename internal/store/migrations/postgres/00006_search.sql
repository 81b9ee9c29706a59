-- +goose Up
ALTER TABLE capture_row ADD COLUMN file text COLLATE "C";

CREATE TABLE athlete_log (
    organization uuid NOT NULL,
    generation   bigint NOT NULL,
    earlier      bigint NOT NULL,
    athletes     bytea NOT NULL,
    PRIMARY KEY (organization, generation)
);
ALTER TABLE athlete_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE athlete_log FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON athlete_log USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
