-- +goose Up
CREATE TABLE export_reason (
    organization UUID NOT NULL,
    job          TEXT COLLATE "C" NOT NULL,
    reason       TEXT COLLATE "C" NOT NULL,
    captures     BIGINT NOT NULL,
    PRIMARY KEY (organization, job, reason)
);
-- Row-level security holds the owner too: the migration sees all rows only without it.
ALTER TABLE export_skip NO FORCE ROW LEVEL SECURITY;
INSERT INTO export_reason (organization, job, reason, captures)
SELECT organization, job, reason, count(*) FROM export_skip GROUP BY organization, job, reason;
ALTER TABLE export_skip FORCE ROW LEVEL SECURITY;
ALTER TABLE export_reason ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_reason FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_reason USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
