-- +goose Up
-- By which names are compared: that of a new or renamed organization, whatever the case and form of its letters.
-- Of names that were the same before, and of those that nobody has looked at since, it is null.
ALTER TABLE organization ADD COLUMN name_key TEXT COLLATE "C";
CREATE UNIQUE INDEX organization_name_key ON organization (name_key);
