package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit"
)

// twoRoles is a new database with a role that owns it and one that is to serve.
func twoRoles(t *testing.T) (server *testkit.PostgresServer, owner, serving string) {
	t.Helper()
	server = testkit.Postgres(t)
	owner = server.Database(t)
	return server, owner, server.Serving(t, owner)
}

func migrated(t *testing.T, owner, serving string) {
	t.Helper()
	must(t, db.Migrate(t.Context(), owner, serving, slog.New(slog.DiscardHandler)))
}

// user is the role of a URL.
func user(t *testing.T, url string) string {
	t.Helper()
	c, err := pgx.ParseConfig(url)
	must(t, err)
	return c.User
}

// denied holds an error to one of PostgreSQL's that says no.
func denied(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "42501" || pg.Code == "2BP01")
}

func TestTheRoleThatServesCannotLiftTheWallAndSeesOneOrganizationAlone(t *testing.T) {
	_, owner, serving := twoRoles(t)
	migrated(t, owner, serving)
	s := place{t, Options{DatabaseURL: serving}}.open(still)
	if s.Alone() {
		t.Error("it is taken for a role that could lift the wall")
	}
	a, b := furnished(t, s, "A"), furnished(t, s, "B")
	conn := connect(t, serving)
	tables := asked(t, conn,
		`SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`)
	if !slices.Contains(tables, "athlete") || !slices.Contains(tables, "river_job") {
		t.Fatalf("there are only %v", tables)
	}
	statements := []string{
		`CREATE TABLE mine (id int)`, `CREATE SCHEMA mine`,
		`CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`, `CREATE VIEW mine AS SELECT 1`,
		`CREATE TYPE mine AS (id int)`,
		`CREATE ROLE mine`, `SET ROLE ` + user(t, owner), `SET SESSION AUTHORIZATION ` + user(t, owner),
		`GRANT ` + user(t, owner) + ` TO ` + user(t, serving),
		`DROP SCHEMA public CASCADE`, `ALTER DATABASE ` + conn.Config().Database + ` OWNER TO ` + user(t, serving),
		`DROP OWNED BY ` + user(t, owner), `REASSIGN OWNED BY ` + user(t, owner) + ` TO ` + user(t, serving),
		`DROP FUNCTION kinebase_analyze()`, `ALTER FUNCTION kinebase_analyze() SET search_path = 'x'`,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`, `DELETE FROM goose_db_version`,
		`DELETE FROM river_migration`,
	}
	for _, table := range tables {
		for _, text := range []string{
			`ALTER TABLE %s DISABLE ROW LEVEL SECURITY`, `ALTER TABLE %s NO FORCE ROW LEVEL SECURITY`,
			`ALTER TABLE %s OWNER TO CURRENT_USER`, `ALTER TABLE %s ADD COLUMN mine int`,
			`ALTER TABLE %s DISABLE TRIGGER ALL`, `DROP TABLE %s CASCADE`, `TRUNCATE %s CASCADE`,
			`CREATE INDEX ON %s ((1))`, `CREATE POLICY mine ON %s USING (true)`,
			`CREATE TRIGGER mine BEFORE INSERT ON %s EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
			`CREATE RULE mine AS ON INSERT TO %s DO NOTHING`,
		} {
			statements = append(statements, fmt.Sprintf(text, table))
		}
	}
	for _, table := range tenantTables {
		statements = append(statements, `DROP POLICY tenant ON `+table, `ALTER POLICY tenant ON `+table+` USING (true)`,
			`SET LOCAL row_security = off; SELECT * FROM `+table)
	}
	for _, text := range statements {
		tx, err := conn.Begin(t.Context())
		must(t, err)
		_, err = tx.Exec(t.Context(), text)
		if !denied(err) {
			t.Errorf("%s: %v", text, err)
		}
		must(t, tx.Rollback(t.Context()))
	}
	for _, sc := range []string{a.Organization.String(), b.Organization.String()} {
		tx, err := conn.Begin(t.Context())
		must(t, err)
		_, err = tx.Exec(t.Context(), db.SetOrganization, sc)
		must(t, err)
		for _, table := range tenantTables {
			var own, foreign int
			must(t, tx.QueryRow(t.Context(),
				`SELECT count(*) FILTER (WHERE organization = $1::uuid), count(*) FILTER (WHERE organization <> $1::uuid) FROM `+table, sc).Scan(&own, &foreign))
			if own == 0 || foreign > 0 {
				t.Errorf("of %s it sees %d own rows and %d foreign ones", table, own, foreign)
			}
		}
		must(t, tx.Rollback(t.Context()))
	}
	for _, table := range tenantTables {
		var n int
		must(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
		if n > 0 {
			t.Errorf("without an organization it sees %d rows of %s", n, table)
		}
	}
}

func TestTheRoleThatServesDoesAllThatAStoreDoes(t *testing.T) {
	_, owner, serving := twoRoles(t)
	migrated(t, owner, serving)
	s := place{t, Options{DatabaseURL: serving}}.open(still)
	exercise(t, s)
	// An import has the tables analyzed, which are not the role's.
	sc := tenant(t, s, "filled")
	put(t, s, sc, many("f", 1500, func(int, *capture.Capture) {})...)
	conn := connect(t, owner)
	if n := asked(t, conn, `SELECT reltuples::int::text FROM pg_class WHERE relname = 'capture'`); n[0] == "-1" ||
		n[0] == "0" {
		t.Errorf("the table is believed to have %s rows", n[0])
	}
}

func TestARoleThatServesIsToldWhatToTypeUntilTheTablesAreThoseItNeeds(t *testing.T) {
	_, owner, serving := twoRoles(t)
	told := func(what string, parts ...string) {
		t.Helper()
		s, err := Open(t.Context(), Options{DatabaseURL: serving})
		if err == nil {
			must(t, s.Close())
			t.Fatalf("%s: it was opened", what)
		}
		for _, part := range append(parts, "kinebase migrate", "KINEBASE_MIGRATE_DATABASE_URL") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in: %v", what, part, err)
			}
		}
		if strings.Contains(err.Error(), "superuser or has") {
			t.Errorf("%s: %v", what, err)
		}
	}
	told("nothing has been made", "may not make tables")
	older(t, place{t, Options{DatabaseURL: owner}}, 9)
	told("the owner's old tables, without any right", user(t, owner))
	super := connect(t, owner)
	grantAll := func() {
		_, err := super.Exec(t.Context(), `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO `+
			user(t, serving))
		must(t, err)
	}
	grantAll()
	told("an older version", "schema 9", user(t, owner))
	migrated(t, owner, serving)
	s := place{t, Options{DatabaseURL: serving}}.open(still)
	tenant(t, s, "after")
	migrated(t, owner, serving) // again changes nothing
	tenant(t, s, "again")

	_, err := super.Exec(t.Context(), `REVOKE INSERT ON capture FROM `+user(t, serving))
	must(t, err)
	told("a right is missing", `may not use the table "capture"`)
	migrated(t, owner, serving)
	_, err = super.Exec(t.Context(),
		`DELETE FROM river_migration WHERE version = (SELECT max(version) FROM river_migration)`)
	must(t, err)
	told("the queue of an older version", "queue's tables")
	_, err = super.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)
	must(t, err)
	if _, err := Open(t.Context(), Options{DatabaseURL: serving}); err == nil ||
		!strings.Contains(err.Error(), "newer Kinebase") {
		t.Errorf("of a newer version: %v", err)
	}
}

func TestAnOlderStoreOfOneRoleIsMigratedByItAndServedByAnother(t *testing.T) {
	_, owner, serving := twoRoles(t)
	one := place{t, Options{DatabaseURL: owner}}.open(still)
	if !one.Alone() {
		t.Error("a role that owns all is not said to be alone")
	}
	sc := furnished(t, one, "A")
	migrated(t, owner, serving)
	s := place{t, Options{DatabaseURL: serving}}.open(still)
	same(t, "athletes", found(t, s, sc, athlete.Query{}), []string{"Zoë"})
	// A table that a later version makes is there for it too.
	conn := connect(t, owner)
	_, err := conn.Exec(t.Context(), `CREATE TABLE later (id bigserial)`)
	must(t, err)
	_, err = connect(t, serving).Exec(t.Context(), `INSERT INTO later DEFAULT VALUES`)
	must(t, err)
}

func TestARoleThatCouldLiftTheWallIsNotLetServeBesideAnother(t *testing.T) {
	server, owner, serving := twoRoles(t)
	super := connect(t, server.Superuser(t, owner))
	role := user(t, serving)
	do := func(text string) {
		t.Helper()
		_, err := super.Exec(t.Context(), text)
		must(t, err)
	}
	spare := "spare_" + super.Config().Database
	do(`CREATE ROLE ` + spare + ` LOGIN NOSUPERUSER NOBYPASSRLS`)
	do(`CREATE ROLE ` + spare + `_limitless BYPASSRLS`)
	t.Cleanup(func() {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, server.Superuser(t, owner))
		must(t, err)
		defer func() { must(t, conn.Close(ctx)) }()
		for _, text := range []string{`DROP OWNED BY ` + spare, `DROP ROLE ` + spare,
			`DROP ROLE ` + spare + `_limitless`} {
			if _, err := conn.Exec(ctx, text); err != nil {
				t.Error(err)
			}
		}
	})
	other := strings.Replace(serving, role, spare, 1)
	for what, c := range map[string][2]string{
		"is a superuser": {`ALTER ROLE ` + spare + ` SUPERUSER`, `ALTER ROLE ` + spare +
			` NOSUPERUSER`},
		"has BYPASSRLS": {`ALTER ROLE ` + spare + ` BYPASSRLS`, `ALTER ROLE ` + spare +
			` NOBYPASSRLS`},
		"has CREATEROLE": {`ALTER ROLE ` + spare + ` CREATEROLE`, `ALTER ROLE ` + spare +
			` NOCREATEROLE`},
		"is a member of the role that owns": {`GRANT ` + user(t, owner) + ` TO ` + spare,
			`REVOKE ` + user(t, owner) + ` FROM ` + spare},
		"is a member of a role without limits": {`GRANT ` + spare + `_limitless TO ` + spare,
			`REVOKE ` + spare + `_limitless FROM ` + spare},
		"there is no database role \"" + spare + "x": {`SELECT 1`, `SELECT 1`},
	} {
		url := other
		if strings.HasPrefix(what, "there is no") {
			url = strings.Replace(serving, role, spare+"x", 1)
		}
		do(c[0])
		err := db.Migrate(t.Context(), owner, url, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
		do(c[1])
	}
	// A role that was ordinary when it was granted its rights, and is none any more, serves
	// and is told of.
	migrated(t, owner, other)
	do(`ALTER ROLE ` + spare + ` CREATEROLE`)
	s, err := Open(t.Context(), Options{DatabaseURL: other})
	must(t, err)
	if !s.Alone() {
		t.Error("nothing is said of a role that can make itself another one")
	}
	must(t, s.Close())

	for what, urls := range map[string][2]string{
		"they must name the same": {server.Database(t), serving},
		"the tables belong to":    {serving, serving},
	} {
		if err := db.Migrate(t.Context(), urls[0], urls[1], slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
