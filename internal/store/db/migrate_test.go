package db

import (
	"database/sql"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"github.com/kinebase/kinebase/internal/store/migrations"
	"github.com/kinebase/kinebase/internal/testkit"
)

// A migration in the words of PostgreSQL serves both engines, also in a table of SQLite that is STRICT.
func TestOneMigrationAddsColumnsOnBothEngines(t *testing.T) {
	folders := fstest.MapFS{
		"both/00002_more.sql": {Data: []byte(`-- +goose Up
ALTER TABLE typed ADD COLUMN a TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE typed ADD COLUMN b BIGINT NOT NULL DEFAULT 0;
ALTER TABLE typed ADD COLUMN c DOUBLE PRECISION;
ALTER TABLE typed ADD COLUMN d BYTEA;
ALTER TABLE typed ADD COLUMN e UUID;
`)},
		"sqlite/00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE typed (id INTEGER NOT NULL) STRICT;\n")},
		"sqlite/00003_last.sql": {Data: []byte("-- +goose Up\n" +
			"INSERT INTO typed VALUES (1, 'x', 2, 0.5, x'01', x'02');\n")},
		"postgres/00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE typed (id BIGINT NOT NULL);\n")},
		"postgres/00003_last.sql": {Data: []byte("-- +goose Up\nINSERT INTO typed VALUES (1, 'x', 2, 0.5, '\\x01',\n" +
			"'00000000-0000-0000-0000-000000000002');\n")},
	}
	migrated := func(db *sql.DB, dialect goose.Dialect, engine string) {
		t.Helper()
		p, err := goose.NewProvider(dialect, db, migrations.In(folders, engine), goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		done, err := p.Up(t.Context())
		if err != nil || len(done) != 3 {
			t.Fatalf("%s: %d migrations: %v", engine, len(done), err)
		}
		var a string
		var b, c float64
		if err := db.QueryRowContext(t.Context(), `SELECT a, b, c FROM typed`).Scan(&a, &b, &c); err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		if a != "x" || b != 2 || c != 0.5 {
			t.Errorf("%s: the row has %q, %v and %v", engine, a, b, c)
		}
	}
	err := withSQLite(t.Context(), t.TempDir(), quiet, func(db *sql.DB) error {
		migrated(db, goose.DialectSQLite3, "sqlite")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = withSchema(t.Context(), testkit.Postgres(t).Database(t), func(s *schema) error {
		migrated(s.db, goose.DialectPostgres, "postgres")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
