-- +goose Up
-- As what the columns of a recording are counted: '' as nothing, else the hash of the columns, activity and movement, a line
-- each; null where the row was written before they were counted.
ALTER TABLE recording ADD COLUMN counted TEXT;
CREATE INDEX recording_uncounted ON recording (organization, session_id) WHERE counted IS NULL;

-- In how many completed captures of an activity and a movement recordings have exactly these columns: what was folded so
-- far, and the changes that wait to be folded. columns has names, kinds and units.
CREATE TABLE column_count (
    organization BLOB NOT NULL,
    hash         TEXT NOT NULL,
    activity     TEXT NOT NULL,
    movement     TEXT NOT NULL,
    captures     INTEGER NOT NULL,
    columns      BLOB NOT NULL,
    PRIMARY KEY (organization, hash, activity, movement)
) STRICT, WITHOUT ROWID;

CREATE TABLE column_delta (
    organization BLOB NOT NULL,
    id           BLOB NOT NULL,
    hash         TEXT NOT NULL,
    activity     TEXT NOT NULL,
    movement     TEXT NOT NULL,
    captures     INTEGER NOT NULL,
    columns      BLOB NOT NULL,
    PRIMARY KEY (organization, id)
) STRICT, WITHOUT ROWID;
