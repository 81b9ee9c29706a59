-- +goose Up
-- Who did what, by ids. changed is the place among all changes, by which readers go on. The role that serves may add
-- entries and read them.
CREATE TABLE audit (
    organization UUID NOT NULL,
    id           UUID NOT NULL,
    changed      BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    actor_kind   TEXT COLLATE "C" NOT NULL,
    actor_id     TEXT COLLATE "C" NOT NULL,
    actor_name   TEXT COLLATE "C" NOT NULL,
    action       TEXT COLLATE "C" NOT NULL,
    object_kind  TEXT COLLATE "C" NOT NULL,
    object_id    TEXT COLLATE "C" NOT NULL,
    status       BIGINT NOT NULL,
    request_id   TEXT COLLATE "C" NOT NULL,
    address      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (organization, id)
);
CREATE INDEX audit_position ON audit (organization, changed);
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit USING (organization = NULLIF(current_setting('app.org', true), '')::uuid);
-- It forgets for that role what is older than a day at the least, and everything of an organization that is gone.
-- +goose StatementBegin
CREATE FUNCTION kinebase_forget_audit(before bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM audit WHERE at < LEAST(before, (EXTRACT(EPOCH FROM clock_timestamp() - interval '1 day') * 1000000)::bigint)
        OR NOT EXISTS (SELECT 1 FROM organization o WHERE o.id = audit.organization);
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION kinebase_forget_audit(bigint) SET search_path = %I, pg_temp', current_schema());
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION kinebase_forget_audit(bigint) FROM PUBLIC;
