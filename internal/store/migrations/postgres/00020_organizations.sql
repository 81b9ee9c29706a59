-- +goose Up
-- Names are unique: of several organizations of one name all but the oldest get their id behind it.
UPDATE organization SET name = name || ' (' || replace(id::text, '-', '') || ')' WHERE EXISTS (
    SELECT 1 FROM organization o WHERE o.name = organization.name AND (o.created_at, o.id) < (organization.created_at, organization.id));
CREATE UNIQUE INDEX organization_name ON organization (name);
-- When it was suspended, and what it may have: null for what the server's settings say.
ALTER TABLE organization ADD COLUMN suspended_at BIGINT;
ALTER TABLE organization ADD COLUMN capture_quota BIGINT;
ALTER TABLE organization ADD COLUMN file_quota BIGINT;
ALTER TABLE organization ADD COLUMN export_quota BIGINT;

-- Organizations that were deleted.
CREATE TABLE gone_organization (
    id UUID NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
