-- +goose Up
-- What is not completed is found along the list by its status: few captures, with their rows beside
-- the index. Those that are completed have no entry.
ALTER TABLE capture_row ADD COLUMN unfinished TEXT;
UPDATE capture_row SET unfinished = (SELECT k.status FROM combination k WHERE k.organization = capture_row.organization AND k.id = capture_row.combination)
WHERE (organization, combination) IN (SELECT organization, id FROM combination WHERE status <> 'completed');
CREATE INDEX capture_row_unfinished ON capture_row (organization, unfinished, sort_time, session_id, athlete, combination, body) WHERE unfinished IS NOT NULL;
