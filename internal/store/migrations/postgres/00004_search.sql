-- +goose Up
ALTER TABLE recording ADD COLUMN warnings bigint;
