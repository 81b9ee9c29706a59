-- +goose Up
-- A row says by which version of capture.AppendJSON its body was written. Rows of an older one have an entry, until they
-- are written again. A new version comes with a migration that makes this index for it; the default stays, for a server
-- of an older version may write beside a new one.
ALTER TABLE capture_row ADD COLUMN renderer INTEGER NOT NULL DEFAULT 1;
CREATE INDEX capture_row_outdated ON capture_row (organization, session_id) WHERE renderer < 1;
