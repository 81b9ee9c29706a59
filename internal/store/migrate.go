package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"golang.org/x/sys/unix"
)

//go:embed migrations
var migrations embed.FS

// lockFile lies beside the SQLite file. Whoever holds it migrates.
const lockFile = "kinebase.lock"

// migrateSQLite brings the database of a data folder to the newest version,
// making it where there is none. Of several processes one does it and the others
// wait, as long as it takes.
func migrateSQLite(ctx context.Context, dir string, log *slog.Logger) (err error) {
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	for {
		err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("locking the data folder: %w", err)
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
	db, err := openMigrating(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrate(ctx, db, goose.DialectSQLite3, "migrations/sqlite", log); err != nil {
		return err
	}
	if err := migrateQueue(ctx, riversqlite.New(db), log); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, subjectIndex)
	return err
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
func openMigrating(dir string) (*sql.DB, error) {
	return driver.Open(fileURI(filepath.Join(dir, FileName)) + "&_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=secure_delete(on)&_pragma=foreign_keys(on)")
}

// migrationLock is the key of PostgreSQL's advisory lock: "kinebase" in ASCII.
const migrationLock = 0x6b696e6562617365

// connectTime is how long a server may take to let somebody in: at most that for the one
// who migrates, and so long for others where their URL says nothing.
const connectTime = 10 * time.Second

// migrating is how the one who migrates connects. The driver waits without an end where
// the URL does not say for how long.
func migrating(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errURL
	}
	config.ConnectTimeout = min(cmp.Or(config.ConnectTimeout, connectTime), connectTime)
	return config, nil
}

// migratePostgres does the same under one advisory lock of the database.
func migratePostgres(ctx context.Context, url string, log *slog.Logger) (err error) {
	config, err := migrating(url)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := conn.Raw(func(c any) error { return checkRole(ctx, c.(*stdlib.Conn).Conn()) }); err != nil {
		return err
	}
	// The wait has no limit; the lock ends with the connection, however it ends.
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
		return err
	}
	defer func() {
		_, unlock := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, int64(migrationLock))
		err = errors.Join(err, unlock)
	}()
	if err := migrate(ctx, db, goose.DialectPostgres, "migrations/postgres", log); err != nil {
		return explainRights(err, config)
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return errURL
	}
	defer pool.Close()
	if err := migrateQueue(ctx, riverpgxv5.New(pool), log); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, subjectIndex)
	return err
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

// explainRights says in words that a role may not make tables, which is what
// whoever has not made the role its database's owner meets first.
func explainRights(err error, config *pgx.ConnConfig) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch pg.Code {
	case "42501", "3F000": // insufficient_privilege, invalid_schema_name
		role, database := pgx.Identifier{config.User}.Sanitize(), pgx.Identifier{config.Database}.Sanitize()
		return fmt.Errorf("the database role %q may not make tables in the database %q, which it has to own (%s); as a superuser: ALTER DATABASE %s OWNER TO %s; and in that database: CREATE SCHEMA IF NOT EXISTS public; GRANT ALL ON SCHEMA public TO %s",
			config.User, config.Database, pg.Message, database, role, role)
	}
	return err
}

func migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, dir string, log *slog.Logger) error {
	files, err := fs.Sub(migrations, dir)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return err
	}
	if current > target {
		return fmt.Errorf("the store was written by a newer Kinebase (schema %d, this one knows %d); use that version or a newer one", current, target)
	}
	done, err := p.Up(ctx)
	for _, m := range done {
		log.Info("migrated", "version", m.Source.Version, "seconds", m.Duration.Seconds())
	}
	return err
}
