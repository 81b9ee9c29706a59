-- +goose Up
ALTER TABLE recording ADD COLUMN derived_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE recording ADD COLUMN table_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE recording_bytes ADD COLUMN made BIGINT NOT NULL DEFAULT 0;
-- Row-level security holds the owner too: the migration sees all rows only without it.
ALTER TABLE recording NO FORCE ROW LEVEL SECURITY;
ALTER TABLE recording_bytes NO FORCE ROW LEVEL SECURITY;
-- Below 0: not known. A server looks at the files and writes it down.
UPDATE recording SET derived_bytes = -1 WHERE derived <> '';
UPDATE recording SET table_bytes = -1 WHERE motion_table <> '' OR samples <> '';
CREATE INDEX recording_unmeasured ON recording (organization, session_id) WHERE derived_bytes < 0 OR table_bytes < 0;
-- The migration that made it could not see, behind row-level security, what to sum up.
DELETE FROM recording_bytes;
INSERT INTO recording_bytes (organization, bucket, bytes) SELECT organization, 0, SUM(size) FROM recording GROUP BY organization;
ALTER TABLE recording FORCE ROW LEVEL SECURITY;
ALTER TABLE recording_bytes FORCE ROW LEVEL SECURITY;
