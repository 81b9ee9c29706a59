-- +goose Up
-- When captures of the organization were searched last, in microseconds and to the day; 0: never.
ALTER TABLE organization ADD COLUMN searched BIGINT NOT NULL DEFAULT 0;
