-- +goose Up
-- An import has these tables analyzed as they fill, by a role that need not own them.
-- +goose StatementBegin
CREATE FUNCTION kinebase_analyze() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    ANALYZE athlete, athlete_attribute, capture, capture_row, capture_group, combination, list_block, list_delta;
END
$$;
-- +goose StatementEnd
-- It finds the owner's tables and nobody else's.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION kinebase_analyze() SET search_path = %I, pg_temp', current_schema());
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION kinebase_analyze() FROM PUBLIC;
