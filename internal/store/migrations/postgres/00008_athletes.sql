-- +goose Up
ALTER TABLE athlete_log ADD COLUMN gone bytea;
