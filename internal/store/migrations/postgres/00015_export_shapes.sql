-- +goose Up
-- What a row of the export is about: frames or captures.
ALTER TABLE export_build ADD COLUMN shape TEXT COLLATE "C" NOT NULL DEFAULT 'frames';
-- In how many parts the column is a number that is a metric, and in how many it is a text, which uses does not
-- count; and what its other kinds are called in the rows than the number, where they are called otherwise.
ALTER TABLE export_column ADD COLUMN metrics BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_column ADD COLUMN texts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_column ADD COLUMN aside TEXT COLLATE "C" NOT NULL DEFAULT '';
