package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

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

// schema is a PostgreSQL in the hands of whoever holds its lock of migrations.
type schema struct {
	standing
	url    string
	config *pgx.ConnConfig
	db     *sql.DB
	conn   *sql.Conn // has the lock
}

// withSchema runs f under one advisory lock of the database.
func withSchema(ctx context.Context, url string, f func(*schema) error) (err error) {
	s := schema{url: url}
	if s.config, err = migrating(url); err != nil {
		return err
	}
	s.db = stdlib.OpenDB(*s.config)
	defer func() { err = errors.Join(err, s.db.Close()) }()
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.conn.Close()) }()
	if err := s.raw(func(conn *pgx.Conn) error { return checkRole(ctx, conn) }); err != nil {
		return err
	}
	// The wait has no limit; the lock ends with the connection, however it ends.
	if _, err := s.conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
		return err
	}
	defer func() {
		_, unlock := s.conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`,
			int64(migrationLock))
		err = errors.Join(err, unlock)
	}()
	if err := s.raw(func(conn *pgx.Conn) error { return s.Read(ctx, conn) }); err != nil {
		return err
	}
	return f(&s)
}

func (s *schema) raw(f func(*pgx.Conn) error) error {
	return s.conn.Raw(func(c any) error { return f(c.(*stdlib.Conn).Conn()) })
}

// up brings the tables, and those of the queue, to the newest version.
func (s *schema) up(ctx context.Context, log *slog.Logger) error {
	if err := migrate(ctx, s.db, goose.DialectPostgres, "postgres", log); err != nil {
		return explainRights(err, s.config)
	}
	pool, err := pgxpool.New(ctx, s.url)
	if err != nil {
		return errURL
	}
	defer pool.Close()
	if err := migrateQueue(ctx, riverpgxv5.New(pool), log); err != nil {
		return err
	}
	_, err = s.conn.ExecContext(ctx, subjectIndex)
	return err
}

// check says what is missing for a role that may not migrate, and how its database gets it.
func (s *schema) check(ctx context.Context) error {
	var missing string
	err := s.conn.QueryRowContext(ctx,
		`SELECT COALESCE(min(c.relname::text), '') FROM pg_class c, pg_class g WHERE g.oid = to_regclass('goose_db_version')
	AND c.relnamespace = g.relnamespace AND c.relowner = g.relowner AND c.relkind IN ('r', 'p') AND NOT (has_table_privilege(c.oid, 'SELECT')
	AND (c.relname IN ('`+VersionTable+`', '`+queueVersionTable+`') OR has_table_privilege(c.oid, 'INSERT') AND (c.relname = '`+auditTable+`' OR has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))))`).Scan(&missing)
	if err != nil {
		return err
	}
	if missing != "" {
		return s.ask("the database role %q may not use the table %q", s.role, missing)
	}
	_, current, target, err := versions(ctx, s.db, goose.DialectPostgres, "postgres")
	switch {
	case err != nil:
		return err
	case current > target:
		return newer(current, target)
	case current < target:
		return s.ask("the tables are those of an older version (schema %d, this one needs %d), and the database role "+
			"%q may not change them", current, target, s.role)
	}
	pool, err := pgxpool.New(ctx, s.url)
	if err != nil {
		return errURL
	}
	defer pool.Close()
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	queue, err := m.Validate(ctx, nil)
	if err != nil {
		return err
	}
	if !queue.OK {
		return s.ask("the queue's tables are those of an older version, and the database role %q may not change them",
			s.role)
	}
	return nil
}

// ask says what is missing and what to type.
func (s *schema) ask(format string, args ...any) error {
	return fmt.Errorf(format+
		"; their owner %q does it: KINEBASE_MIGRATE_DATABASE_URL='postgres://%s:PASSWORD@HOST/%s' kinebase migrate, "+
		"with KINEBASE_DATABASE_URL as it is here",
		append(args, s.owner, s.owner, s.config.Database)...)
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
		return fmt.Errorf("the database role %q may not make tables in the database %q, which it has to own (%s), "+
			"unless another role owns the tables and has run kinebase migrate, with its URL in "+
			"KINEBASE_MIGRATE_DATABASE_URL; as a superuser: ALTER DATABASE %s OWNER TO %s; and in that database: "+
			"CREATE SCHEMA IF NOT EXISTS public; GRANT ALL ON SCHEMA public TO %s",
			config.User, config.Database, pg.Message, database, role, role)
	}
	return err
}
