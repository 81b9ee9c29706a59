-- +goose Up
-- The numbers of the transactions that change what the feed of changes shows. Those before the first are what the
-- positions of older rows are below.
CREATE SEQUENCE change_number START 1048576;
SELECT nextval('change_number');

-- Where a row stands in the feed, and when it came there; null in capture: when it was updated.
ALTER TABLE capture ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE capture ADD COLUMN changed_at BIGINT;
ALTER TABLE athlete ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE athlete ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_job ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_job ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;
-- Row-level security holds the owner too: the migration sees all rows only without it.
ALTER TABLE capture NO FORCE ROW LEVEL SECURITY;
ALTER TABLE athlete NO FORCE ROW LEVEL SECURITY;
ALTER TABLE export_job NO FORCE ROW LEVEL SECURITY;
-- No two rows have the same position.
UPDATE capture SET changed = 4 * n.n + 1 FROM (SELECT organization, session_id, row_number() OVER (ORDER BY updated_at, organization, session_id) AS n FROM capture) AS n
WHERE n.organization = capture.organization AND n.session_id = capture.session_id;
UPDATE athlete SET changed = 4 * n.n + 2, changed_at = updated_at FROM (SELECT organization, id, row_number() OVER (ORDER BY updated_at, organization, id) AS n FROM athlete) AS n
WHERE n.organization = athlete.organization AND n.id = athlete.id;
UPDATE export_job SET changed = 4 * n.n + 3, changed_at = COALESCE(completed_at, created_at) FROM (SELECT organization, id, row_number() OVER (ORDER BY created_at, organization, id) AS n FROM export_job) AS n
WHERE n.organization = export_job.organization AND n.id = export_job.id;
ALTER TABLE capture FORCE ROW LEVEL SECURITY;
ALTER TABLE athlete FORCE ROW LEVEL SECURITY;
ALTER TABLE export_job FORCE ROW LEVEL SECURITY;
CREATE INDEX capture_position ON capture (organization, changed);
CREATE INDEX athlete_position ON athlete (organization, changed);
CREATE INDEX export_job_position ON export_job (organization, changed);

-- What was deleted, by its kind and id alone.
CREATE TABLE deletion (
    organization UUID NOT NULL,
    kind         BIGINT NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    changed      BIGINT NOT NULL,
    changed_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, kind, id)
);
CREATE INDEX deletion_position ON deletion (organization, changed);
CREATE INDEX deletion_kind ON deletion (organization, kind, changed);
ALTER TABLE deletion ENABLE ROW LEVEL SECURITY;
ALTER TABLE deletion FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON deletion USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
-- The position of the last deletion that is not kept any more.
ALTER TABLE organization ADD COLUMN forgotten BIGINT NOT NULL DEFAULT 0;
