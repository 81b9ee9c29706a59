package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pressly/goose/v3"
)

// Restore makes the tables of a version in a database that has none, and runs f while nobody else migrates it.
func Restore(ctx context.Context, o Options, version int64, f func(*sql.DB) error) error {
	if o.URL == "" {
		return restoreSQLite(ctx, o, version, f)
	}
	return withSchema(ctx, o.URL, func(s *schema) error {
		if s.owner != "" && !s.owns {
			return fmt.Errorf("the database role %q does not own the tables; restore as their owner %q", s.role,
				s.owner)
		}
		if err := migrateTo(ctx, s.db, goose.DialectPostgres, "postgres", version, o.Log); err != nil {
			return err
		}
		return f(s.db)
	})
}

func restoreSQLite(ctx context.Context, o Options, version int64, f func(*sql.DB) error) error {
	if _, err := os.Lstat(filepath.Join(o.Folder, FileName)); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is a store in %s already: restore into an empty folder", o.Folder)
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return err
	}
	dir, err := filepath.Abs(o.Folder)
	if err != nil {
		return err
	}
	return withSQLite(ctx, dir, o.Log, func(db *sql.DB) error {
		if err := migrateTo(ctx, db, goose.DialectSQLite3, "sqlite", version, o.Log); err != nil {
			return err
		}
		return f(db)
	})
}
