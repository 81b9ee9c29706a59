-- +goose Up
-- By which version of the library of movements what was found in a recording was found: '' where
-- nobody knows, null where there is nothing to look into yet.
ALTER TABLE recording ADD COLUMN computed_by TEXT COLLATE "C";
-- Row-level security holds the owner too: the migration sees all rows only without it.
ALTER TABLE recording NO FORCE ROW LEVEL SECURITY;
UPDATE recording SET computed_by = '' WHERE info IS NOT NULL;
ALTER TABLE recording FORCE ROW LEVEL SECURITY;
CREATE INDEX recording_computed_by ON recording (organization, computed_by, session_id) WHERE computed_by IS NOT NULL;
-- The version by which recordings are to be measured: that of the server that started last.
CREATE TABLE library (
    one     BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    version TEXT COLLATE "C" NOT NULL
);
