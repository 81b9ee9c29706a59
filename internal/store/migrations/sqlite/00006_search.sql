-- +goose Up
ALTER TABLE capture_row ADD COLUMN file TEXT;

CREATE TABLE athlete_log (
    organization BLOB NOT NULL,
    generation   INTEGER NOT NULL,
    earlier      INTEGER NOT NULL,
    athletes     BLOB NOT NULL,
    PRIMARY KEY (organization, generation)
) STRICT, WITHOUT ROWID;
