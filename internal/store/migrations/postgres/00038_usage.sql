-- +goose Up
-- The most that an organization had on a day (UTC, days since 1970), as often as a server looked. A day on which no
-- server looked has no row.
CREATE TABLE usage_day (
    organization UUID NOT NULL,
    day          BIGINT NOT NULL,
    captures     BIGINT NOT NULL,
    athletes     BIGINT NOT NULL,
    file_bytes   BIGINT NOT NULL,
    export_bytes BIGINT NOT NULL,
    PRIMARY KEY (organization, day)
);
ALTER TABLE usage_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_day FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_day USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
