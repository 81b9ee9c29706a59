-- +goose Up
-- Names are unique: of several organizations of one name all but the oldest get their id behind it.
UPDATE organization SET name = name || ' (' || lower(hex(id)) || ')' WHERE EXISTS (
    SELECT 1 FROM organization o WHERE o.name = organization.name AND (o.created_at, o.id) < (organization.created_at, organization.id));
CREATE UNIQUE INDEX organization_name ON organization (name);
-- When it was suspended, and what it may have: null for what the server's settings say.
ALTER TABLE organization ADD COLUMN suspended_at INTEGER;
ALTER TABLE organization ADD COLUMN capture_quota INTEGER;
ALTER TABLE organization ADD COLUMN file_quota INTEGER;
ALTER TABLE organization ADD COLUMN export_quota INTEGER;

-- Organizations that were deleted.
CREATE TABLE gone_organization (
    id BLOB NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
