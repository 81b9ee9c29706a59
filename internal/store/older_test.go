package store

import (
	"database/sql"
	"io/fs"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/kinebase/kinebase/organization"
)

// older makes the store of an older version: its own tables, without those of the queue.
func older(t *testing.T, p place, version int64) {
	t.Helper()
	dialect, dir := goose.DialectPostgres, "migrations/postgres"
	if p.options.Data != "" {
		dialect, dir = goose.DialectSQLite3, "migrations/sqlite"
		must(t, os.MkdirAll(p.options.Data, 0o700))
	}
	files, err := fs.Sub(migrations, dir)
	must(t, err)
	db := rawDB(t, p)
	m, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	must(t, err)
	done, err := m.UpTo(t.Context(), version)
	must(t, err)
	if len(done) == 0 {
		t.Fatal("the store is migrated already: begin with one of unmigrated")
	}
	must(t, db.Close())
}

func rawDB(t *testing.T, p place) *sql.DB {
	t.Helper()
	if p.options.Data != "" {
		db, err := openMigrating(p.options.Data, quiet)
		must(t, err)
		return db
	}
	config, err := pgx.ParseConfig(p.options.DatabaseURL)
	must(t, err)
	return stdlib.OpenDB(*config)
}

// inOlder runs a statement, in PostgreSQL's words, for an organization: $1.
func inOlder(t *testing.T, p place, sc organization.Scope, text string) {
	t.Helper()
	db := rawDB(t, p)
	defer func() { must(t, db.Close()) }()
	if p.options.Data != "" {
		key := idOf(t, sc)
		_, err := db.ExecContext(t.Context(), forSQLite(text), key[:])
		must(t, err)
		return
	}
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), setOrganization, sc.Organization)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), text, sc.Organization)
	must(t, err)
	must(t, tx.Commit())
}
