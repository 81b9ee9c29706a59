package store

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/organization"
)

// older makes the store of an older version: its own tables, without those of the queue.
func older(t *testing.T, p place, version int64) {
	t.Helper()
	o := db.Options{Folder: p.options.Data, URL: p.options.DatabaseURL, Log: slog.New(slog.DiscardHandler)}
	must(t, db.Restore(t.Context(), o, version, func(*sql.DB) error { return nil }))
}

func rawDB(t *testing.T, p place) *sql.DB {
	t.Helper()
	if p.options.Data != "" {
		db, err := driver.Open("file:" + filepath.Join(p.options.Data, db.FileName) +
			"?_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)&_pragma=foreign_keys(on)")
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
	raw := rawDB(t, p)
	defer func() { must(t, raw.Close()) }()
	if p.options.Data != "" {
		key := idOf(t, sc)
		_, err := raw.ExecContext(t.Context(), db.ForSQLite(text), key[:])
		must(t, err)
		return
	}
	tx, err := raw.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), db.SetOrganization, sc.Organization)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), text, sc.Organization)
	must(t, err)
	must(t, tx.Commit())
}
