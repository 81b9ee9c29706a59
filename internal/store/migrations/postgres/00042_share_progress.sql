-- +goose Up
-- What a link to the progress of an athlete shows: one metric of the captures with these labels.
CREATE TABLE share_progress (
    organization UUID NOT NULL,
    share        UUID NOT NULL,
    athlete      UUID NOT NULL,
    activity     TEXT COLLATE "C" NOT NULL,
    movement     TEXT COLLATE "C" NOT NULL,
    metric       TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, share)
);
CREATE INDEX share_progress_athlete ON share_progress (organization, athlete);
ALTER TABLE share_progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_progress FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON share_progress USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
