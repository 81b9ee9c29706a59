package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Two roles can share a PostgreSQL: one owns the tables and migrates, the other serves.
// The owner of a table can turn its row-level security off; the role that serves then
// cannot, whatever statement somebody makes it run.

// standing is what a role is in the database that it is connected to.
type standing struct {
	role  string
	owner string // of the tables; "" while there are none
	owns  bool   // the role is the owner, or has its rights
	// alone says that the role could lift the wall between organizations: it owns tables or
	// the database, or could become a role that does, or one that no wall holds for.
	alone bool
}

func (s *standing) Read(ctx context.Context, conn *pgx.Conn) error {
	return conn.QueryRow(ctx, `WITH tables AS (SELECT c.relowner FROM pg_class c WHERE c.relkind IN ('r', 'p')
	AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('goose_db_version')))
SELECT current_user::text,
	COALESCE((SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = to_regclass('goose_db_version')), ''),
	COALESCE((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('goose_db_version')), false),
	(SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user) OR EXISTS (
		SELECT FROM pg_roles r WHERE pg_has_role(r.oid, 'MEMBER') AND (r.rolsuper OR r.rolbypassrls
			OR r.oid IN (SELECT relowner FROM tables)
			OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database())))`).Scan(&s.role, &s.owner, &s.owns, &s.alone)
}

// preparePostgres brings the database to the newest version, where the role may do that,
// and else makes sure that it is there. alone says that the role could lift the wall
// between organizations.
func preparePostgres(ctx context.Context, url string, log *slog.Logger) (alone bool, err error) {
	err = withSchema(ctx, url, func(s *schema) error {
		if s.owner != "" && !s.owns {
			alone = s.alone
			return s.check(ctx)
		}
		alone = true
		return s.up(ctx, log)
	})
	return alone, err
}

// Migrate brings a PostgreSQL to the newest version as the role that owns its tables, and
// grants the role of the other URL what serving needs. Both name the same database.
func Migrate(ctx context.Context, owner, serving string, log *slog.Logger) error {
	other, err := pgx.ParseConfig(serving)
	if err != nil {
		return errURL
	}
	err = withSchema(ctx, owner, func(s *schema) error {
		if s.config.Database != other.Database {
			return fmt.Errorf("KINEBASE_MIGRATE_DATABASE_URL names the database %q and KINEBASE_DATABASE_URL %q; "+
				"they must name the same", s.config.Database, other.Database)
		}
		if s.owner != "" && !s.owns {
			return fmt.Errorf("the tables belong to the database role %q, and KINEBASE_MIGRATE_DATABASE_URL names %q",
				s.owner, s.role)
		}
		if err := s.up(ctx, log); err != nil || other.User == s.role {
			return err
		}
		return s.raw(func(conn *pgx.Conn) error { return grant(ctx, conn, other.User) })
	})
	if err != nil {
		return fmt.Errorf("the database: %w", err)
	}
	return nil
}

// The tables that hold the version of the others. A role that serves may read them.
const (
	VersionTable      = "goose_db_version"
	queueVersionTable = "river_migration"
)

// auditTable has entries that the role which serves adds and reads, and cannot change.
const auditTable = "audit"

// grant lets a role serve: read and write rows of all tables, also of those that are yet
// to come, and nothing else.
func grant(ctx context.Context, conn *pgx.Conn, role string) error {
	if err := checkServing(ctx, conn, role); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx,
			`SELECT n.nspname::text, c.relname::text, c.relkind::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_class g
WHERE g.oid = to_regclass('goose_db_version') AND c.relnamespace = g.relnamespace AND c.relowner = g.relowner AND c.relkind IN ('r', 'p', 'S') ORDER BY 1, 2`)
		if err != nil {
			return err
		}
		type thing struct{ Schema, Name, Kind string }
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[thing])
		if err != nil {
			return err
		}
		to := pgx.Identifier{role}.Sanitize()
		in := pgx.Identifier{all[0].Schema}.Sanitize()
		statements := []string{
			`GRANT USAGE ON SCHEMA ` + in + ` TO ` + to,
			`ALTER DEFAULT PRIVILEGES IN SCHEMA ` + in + ` GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ` + to,
			`ALTER DEFAULT PRIVILEGES IN SCHEMA ` + in + ` GRANT USAGE ON SEQUENCES TO ` + to,
			`GRANT EXECUTE ON FUNCTION ` + in + `.kinebase_analyze() TO ` + to,
			`GRANT EXECUTE ON FUNCTION ` + in + `.kinebase_forget_audit(bigint) TO ` + to,
		}
		for _, t := range all {
			name := pgx.Identifier{t.Schema, t.Name}.Sanitize()
			switch {
			case t.Kind == "S" && strings.HasPrefix(t.Name, VersionTable):
				statements = append(statements, `REVOKE ALL ON SEQUENCE `+name+` FROM `+to)
			case t.Kind == "S":
				statements = append(statements, `REVOKE ALL ON SEQUENCE `+name+` FROM `+to, `GRANT USAGE ON SEQUENCE `+
					name+` TO `+to)
			case t.Name == auditTable:
				statements = append(statements, `REVOKE ALL ON `+name+` FROM `+to, `GRANT SELECT, INSERT ON `+name+
					` TO `+to)
			case t.Name == VersionTable, t.Name == queueVersionTable:
				statements = append(statements, `REVOKE ALL ON `+name+` FROM `+to, `GRANT SELECT ON `+name+` TO `+to)
			default:
				statements = append(statements, `REVOKE ALL ON `+name+` FROM `+to,
					`GRANT SELECT, INSERT, UPDATE, DELETE ON `+name+` TO `+to)
			}
		}
		for _, text := range statements {
			if _, err := tx.Exec(ctx, text); err != nil {
				return fmt.Errorf("the rights of the role %q: %w", role, err)
			}
		}
		return nil
	})
}

// checkServing refuses a role that could lift the wall between organizations.
func checkServing(ctx context.Context, conn *pgx.Conn, role string) error {
	var why string
	err := conn.QueryRow(ctx,
		`SELECT CASE WHEN rolsuper THEN 'is a superuser' WHEN rolbypassrls THEN 'has BYPASSRLS' WHEN rolcreaterole THEN 'has CREATEROLE'
	WHEN EXISTS (SELECT FROM pg_roles o WHERE o.oid <> r.oid AND pg_has_role(r.oid, o.oid, 'MEMBER') AND (o.rolsuper OR o.rolbypassrls)) THEN 'is a member of a role without limits'
	WHEN pg_has_role(r.oid, current_user::regrole, 'MEMBER') THEN 'is a member of the role that owns the tables'
	WHEN oid = (SELECT datdba FROM pg_database WHERE datname = current_database()) THEN 'owns the database' ELSE '' END FROM pg_roles r WHERE rolname = $1`, role).Scan(&why)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		name := pgx.Identifier{role}.Sanitize()
		return fmt.Errorf("there is no database role %q to serve; as a superuser: CREATE ROLE %s LOGIN PASSWORD '…' "+
			"NOSUPERUSER NOBYPASSRLS NOCREATEROLE", role, name)
	case err != nil:
		return err
	case why != "":
		return fmt.Errorf("the database role %q is to serve and %s, so that row-level security would not hold for "+
			"it; make an ordinary role for that", role, why)
	}
	return nil
}
