-- +goose Up
-- What is not completed is found along the list by its status. Those that are completed have no entry.
ALTER TABLE capture_row ADD COLUMN unfinished text COLLATE "C";
-- Row-level security holds the owner too: the migration sees all rows only without it.
ALTER TABLE capture_row NO FORCE ROW LEVEL SECURITY;
ALTER TABLE combination NO FORCE ROW LEVEL SECURITY;
UPDATE capture_row r SET unfinished = k.status FROM combination k WHERE k.organization = r.organization AND k.id = r.combination AND k.status <> 'completed';
ALTER TABLE combination FORCE ROW LEVEL SECURITY;
ALTER TABLE capture_row FORCE ROW LEVEL SECURITY;
CREATE INDEX capture_row_unfinished ON capture_row (organization, unfinished, sort_time, session_id, athlete) WHERE unfinished IS NOT NULL;
