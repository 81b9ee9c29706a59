-- +goose Up
-- The metrics of a recording, out of its info; null where it has none, and where the row was written
-- before there was this column.
ALTER TABLE recording ADD COLUMN measured BLOB;
