-- +goose Up
-- The athlete that a deleted one was made part of; empty where it was deleted. A restored backup that has both merges
-- them again, where it would else erase what became the other's.
ALTER TABLE deletion ADD COLUMN merged_into TEXT COLLATE "C" NOT NULL DEFAULT '';
