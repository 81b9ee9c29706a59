-- +goose Up
-- As what the columns of a recording are counted: '' as nothing, else the hash of the columns, activity and movement, a line
-- each; null where the row was written before they were counted.
ALTER TABLE recording ADD COLUMN counted TEXT COLLATE "C";
CREATE INDEX recording_uncounted ON recording (organization, session_id) WHERE counted IS NULL;

-- In how many completed captures of an activity and a movement recordings have exactly these columns: what was folded so
-- far, and the changes that wait to be folded. columns has names, kinds and units.
CREATE TABLE column_count (
    organization UUID NOT NULL,
    hash         TEXT COLLATE "C" NOT NULL,
    activity     TEXT COLLATE "C" NOT NULL,
    movement     TEXT COLLATE "C" NOT NULL,
    captures     BIGINT NOT NULL,
    columns      BYTEA NOT NULL,
    PRIMARY KEY (organization, hash, activity, movement)
);

CREATE TABLE column_delta (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    hash         TEXT COLLATE "C" NOT NULL,
    activity     TEXT COLLATE "C" NOT NULL,
    movement     TEXT COLLATE "C" NOT NULL,
    captures     BIGINT NOT NULL,
    columns      BYTEA NOT NULL,
    PRIMARY KEY (organization, id)
);
ALTER TABLE column_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE column_count FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON column_count USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
ALTER TABLE column_delta ENABLE ROW LEVEL SECURITY;
ALTER TABLE column_delta FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON column_delta USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
