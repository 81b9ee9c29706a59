-- +goose Up
-- The number of the last transaction that has changed what the feed of changes shows. Those before are what the
-- positions of older rows are below.
CREATE TABLE change_number (
    one  INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO change_number (one, last) VALUES (1, 1048576);

-- Where a row stands in the feed, and when it came there; null in capture: when it was updated.
ALTER TABLE capture ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE capture ADD COLUMN changed_at INTEGER;
ALTER TABLE athlete ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE athlete ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE export_job ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE export_job ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
-- No two rows have the same position.
UPDATE capture SET changed = 4 * n.n + 1 FROM (SELECT organization, session_id, row_number() OVER (ORDER BY updated_at, organization, session_id) AS n FROM capture) AS n
WHERE n.organization = capture.organization AND n.session_id = capture.session_id;
UPDATE athlete SET changed = 4 * n.n + 2, changed_at = updated_at FROM (SELECT organization, id, row_number() OVER (ORDER BY updated_at, organization, id) AS n FROM athlete) AS n
WHERE n.organization = athlete.organization AND n.id = athlete.id;
UPDATE export_job SET changed = 4 * n.n + 3, changed_at = COALESCE(completed_at, created_at) FROM (SELECT organization, id, row_number() OVER (ORDER BY created_at, organization, id) AS n FROM export_job) AS n
WHERE n.organization = export_job.organization AND n.id = export_job.id;
CREATE INDEX capture_position ON capture (organization, changed);
CREATE INDEX athlete_position ON athlete (organization, changed);
CREATE INDEX export_job_position ON export_job (organization, changed);

-- What was deleted, by its kind and id alone.
CREATE TABLE deletion (
    organization BLOB NOT NULL,
    kind         INTEGER NOT NULL,
    id           TEXT NOT NULL,
    changed      INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    PRIMARY KEY (organization, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deletion_position ON deletion (organization, changed);
CREATE INDEX deletion_kind ON deletion (organization, kind, changed);
-- The position of the last deletion that is not kept any more.
ALTER TABLE organization ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
