-- +goose Up
ALTER TABLE recording ADD COLUMN derived_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recording ADD COLUMN table_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recording_bytes ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
-- Below 0: not known. A server looks at the files and writes it down.
UPDATE recording SET derived_bytes = -1 WHERE derived <> '';
UPDATE recording SET table_bytes = -1 WHERE motion_table <> '' OR samples <> '';
CREATE INDEX recording_unmeasured ON recording (organization, session_id) WHERE derived_bytes < 0 OR table_bytes < 0;
DELETE FROM recording_bytes;
INSERT INTO recording_bytes (organization, bucket, bytes) SELECT organization, 0, SUM(size) FROM recording GROUP BY organization;
