-- +goose Up
-- By which version of the library of movements what was found in a recording was found: '' where
-- nobody knows, null where there is nothing to look into yet.
ALTER TABLE recording ADD COLUMN computed_by TEXT;
UPDATE recording SET computed_by = '' WHERE info IS NOT NULL;
CREATE INDEX recording_computed_by ON recording (organization, computed_by, session_id) WHERE computed_by IS NOT NULL;
-- The version by which recordings are to be measured: that of the server that started last.
CREATE TABLE library (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    version TEXT NOT NULL
) STRICT, WITHOUT ROWID;
