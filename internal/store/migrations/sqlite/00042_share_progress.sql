-- +goose Up
-- What a link to the progress of an athlete shows: one metric of the captures with these labels.
CREATE TABLE share_progress (
    organization BLOB NOT NULL,
    share        BLOB NOT NULL,
    athlete      BLOB NOT NULL,
    activity     TEXT NOT NULL,
    movement     TEXT NOT NULL,
    metric       TEXT NOT NULL,
    PRIMARY KEY (organization, share)
) STRICT, WITHOUT ROWID;
CREATE INDEX share_progress_athlete ON share_progress (organization, athlete);
