-- +goose Up
-- Of an organization that is gone the entry stays that says who erased it, as long as any entry is kept.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION kinebase_forget_audit(before bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM audit WHERE at < LEAST(before, (EXTRACT(EPOCH FROM clock_timestamp() - interval '1 day') * 1000000)::bigint)
        OR action <> 'org delete' AND NOT EXISTS (SELECT 1 FROM organization o WHERE o.id = audit.organization);
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

-- How far the audit log of an organization was streamed to where the operator wants it. id is the organization's, also
-- of one that is gone.
CREATE TABLE audit_streamed (
    id       UUID NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL
);
-- The server that streams, of all that could, and until when it is its turn.
CREATE TABLE audit_turn (
    one    BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    holder TEXT COLLATE "C" NOT NULL,
    until  BIGINT NOT NULL
);
INSERT INTO audit_turn (one, holder, until) VALUES (1, '', 0);
