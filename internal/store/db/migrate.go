package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/kinebase/kinebase/internal/store/migrations"
)

// lockFile is beside the SQLite file. The process that holds it migrates.
const lockFile = "kinebase.lock"

// migrateSQLite brings the database of a data folder to the newest version,
// making it where there is none. Of several processes one does it and the others
// wait, as long as it takes.
func migrateSQLite(ctx context.Context, dir string, log *slog.Logger) error {
	return withSQLite(ctx, dir, log, func(db *sql.DB) error {
		if err := migrate(ctx, db, goose.DialectSQLite3, "sqlite", log); err != nil {
			return err
		}
		if err := migrateQueue(ctx, riversqlite.New(db), log); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, subjectIndex)
		return err
	})
}

// withSQLite runs f while no other process migrates the database of the folder.
func withSQLite(ctx context.Context, dir string, log *slog.Logger, f func(*sql.DB) error) (err error) {
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	for {
		mine, err := lockAlone(lock)
		if err != nil {
			return fmt.Errorf("locking the data folder: %w", err)
		}
		if mine {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err := private(dir); err != nil {
		return err
	}
	db, err := openMigrating(dir, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return f(db)
}

// private makes the files for their owner alone, which SQLite would make readable
// for everybody. It removes log and index when the last connection closes.
func private(dir string) error {
	for _, part := range []string{"", "-wal", "-shm"} {
		file, err := os.OpenFile(filepath.Join(dir, FileName+part), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// openMigrating opens the file for migrations, as durable as every other writer.
func openMigrating(dir string, log *slog.Logger) (*sql.DB, error) {
	return openMapped(newMapping(filepath.Join(dir, FileName), log),
		"&_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=secure_delete(on)&_pragma=foreign_keys(on)")
}

// migrateQueue brings the tables of the queue to the version that its library
// wants. They stand outside row-level security: a job names an organization and a
// session, and nothing else.
func migrateQueue[T any](ctx context.Context, driver riverdriver.Driver[T], log *slog.Logger) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	done, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err != nil {
		return fmt.Errorf("the queue's tables: %w", err)
	}
	for _, v := range done.Versions {
		log.Debug("migrated the queue", "version", v.Version, "seconds", v.Duration.Seconds())
	}
	return nil
}

// versions gives what runs the migrations of an engine, the version that a database has, and the one that this
// program needs.
func versions(ctx context.Context, db *sql.DB, dialect goose.Dialect, engine string) (p *goose.Provider, current,
	target int64, err error) {
	p, err = goose.NewProvider(dialect, db, migrations.Of(engine), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, 0, 0, err
	}
	current, target, err = p.GetVersions(ctx)
	return p, current, target, err
}

func migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, engine string, log *slog.Logger) error {
	p, current, target, err := versions(ctx, db, dialect, engine)
	if err != nil {
		return err
	}
	if current > target {
		return newer(current, target)
	}
	return reached(p.Up(ctx))(log)
}

// migrateTo brings a database that has no tables to the version of a backup.
func migrateTo(ctx context.Context, db *sql.DB, dialect goose.Dialect, engine string, version int64,
	log *slog.Logger) error {
	p, current, target, err := versions(ctx, db, dialect, engine)
	switch {
	case err != nil:
		return err
	case version > target:
		return newer(version, target)
	case current > version:
		return fmt.Errorf("the tables of the store are of a newer version than the backup (schema %d, the backup has "+
			"%d): restore into a place without tables", current, version)
	}
	return reached(p.UpTo(ctx, version))(log)
}

// reached tells of the migrations that were done.
func reached(done []*goose.MigrationResult, err error) func(*slog.Logger) error {
	return func(log *slog.Logger) error {
		for _, m := range done {
			log.Info("migrated", "version", m.Source.Version, "seconds", m.Duration.Seconds())
		}
		return err
	}
}

func newer(current, target int64) error {
	return fmt.Errorf("the store was written by a newer Kinebase (schema %d, this one knows %d); use that version or "+
		"a newer one", current, target)
}
