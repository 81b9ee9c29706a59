-- +goose Up
-- How far the worker is that reads the file: when it took it, when it last said how far it is, and the part that was
-- done then, from 0 to 1.
ALTER TABLE recording ADD COLUMN begun BIGINT NOT NULL DEFAULT 0;
ALTER TABLE recording ADD COLUMN told BIGINT NOT NULL DEFAULT 0;
ALTER TABLE recording ADD COLUMN done DOUBLE PRECISION NOT NULL DEFAULT 0;
