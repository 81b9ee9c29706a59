-- +goose Up
-- A page of the feed is read from the index alone: when a row came to its place, and for a capture where its rows stand
-- in the list.
DROP INDEX capture_position;
CREATE INDEX capture_position ON capture (organization, changed, changed_at, updated_at, sort_time);
DROP INDEX athlete_position;
CREATE INDEX athlete_position ON athlete (organization, changed, changed_at);
