package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	sqlite "github.com/ncruces/go-sqlite3/driver"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/kinebase/kinebase/job"
)

// Jobs are put into the queue in the transaction of the rows that they are about.
// The queue's library wants a transaction of database/sql, or of pgx, where the
// store has a connection of its own in the middle of one: the connection is lent
// to it, dressed as such a transaction.

// attempts is how often a job that fails is tried: until somebody mends what it
// fails of. What may be tried only so often is counted in our own rows.
const attempts = 10_000

// insertParams are the jobs as the queue wants them.
func insertParams(jobs []job.Job) []river.InsertManyParams {
	params := make([]river.InsertManyParams, len(jobs))
	for i, j := range jobs {
		params[i] = river.InsertManyParams{Args: j,
			InsertOpts: &river.InsertOpts{MaxAttempts: attempts, Queue: j.Queue(), Priority: j.Priority(),
				ScheduledAt: j.At}}
	}
	return params
}

// subjectIndex makes jobs be found by what they are about. It is made after the
// queue's own tables, which a new version of the queue may have made again.
const subjectIndex = `CREATE INDEX IF NOT EXISTS river_job_subject ON river_job ((args->>'subject'))`

// ForgetSubject takes the name of what is erased out of the jobs about it, those
// that are done included: the queue keeps them for a while, and on a server that is
// down for as long as it is. They are not removed, for SQLite would give the number
// of one that is running to the next. A job about nothing ends by itself.
// The engines name the path differently; SQLite takes what PostgreSQL reads for a
// comment, and the other way round.
func ForgetSubject(org ID, subject string) Statement {
	return Exec(`UPDATE river_job SET args = /*+ jsonb_set(args, '$.subject', '') -- */ jsonb_set(args, '{subject}', '""')
		WHERE args->>'subject' = $1 AND args->>'organization' = $2`, subject, org.String())
}

// quiet is for a client that only inserts, and has nothing to say.
var quiet = slog.New(slog.DiscardHandler)

// sqliteQueue inserts into SQLite through the writer's connection.
type sqliteQueue struct {
	client *river.Client[*sql.Tx]
	db     *sql.DB
	conn   *mappedConn // the writer's, for db
}

func newSQLiteQueue(c *mappedConn) (*sqliteQueue, error) {
	client, err := river.NewClient(riversqlite.New(nil), &river.Config{Logger: quiet})
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(lender{c})
	db.SetMaxOpenConns(1)
	return &sqliteQueue{client, db, c}, nil
}

func (q *sqliteQueue) insert(jobs []job.Job) error {
	ctx := context.Background() // the writer's work is never cancelled half way
	t, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = q.client.InsertManyFastTx(ctx, t, insertParams(jobs))
	return errors.Join(err, t.Commit())
}

// lender lends a connection that is open already.
type lender struct{ conn *mappedConn }

func (l lender) Connect(context.Context) (driver.Conn, error) { return lent{l.conn}, nil }
func (l lender) Driver() driver.Driver                        { return &sqlite.SQLite{} }

// lent is the writer's connection in the middle of its transaction, which is
// neither begun nor ended nor closed by whom it is lent to.
type lent struct{ *mappedConn }

func (l lent) Begin() (driver.Tx, error) { return borrowed{}, nil }
func (l lent) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	return borrowed{}, nil
}
func (l lent) Close() error { return nil }

type borrowed struct{}

func (borrowed) Commit() error   { return nil }
func (borrowed) Rollback() error { return nil }

// postgresQueue inserts into PostgreSQL.
type postgresQueue struct {
	client *river.Client[pgx.Tx]
}

func newPostgresQueue() (*postgresQueue, error) {
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Logger: quiet})
	return &postgresQueue{client}, err
}

func (q *postgresQueue) insert(ctx context.Context, conn *pgxpool.Conn, jobs []job.Job) error {
	_, err := q.client.InsertManyFastTx(ctx, postgresLent{conn}, insertParams(jobs))
	return err
}

// postgresLent is a connection in the middle of a transaction.
type postgresLent struct{ conn *pgxpool.Conn }

var _ pgx.Tx = postgresLent{}

// errLent is what ends a transaction that is not one's own.
var errLent = errors.New("store: the transaction is lent, and its end is not the borrower's")

func (l postgresLent) Begin(context.Context) (pgx.Tx, error) { return nil, errLent }
func (l postgresLent) Commit(context.Context) error          { return errLent }
func (l postgresLent) Rollback(context.Context) error        { return errLent }
func (l postgresLent) LargeObjects() pgx.LargeObjects        { panic(errLent) }
func (l postgresLent) Conn() *pgx.Conn                       { return l.conn.Conn() }
func (l postgresLent) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string,
	rows pgx.CopyFromSource) (int64, error) {
	return l.conn.CopyFrom(ctx, table, columns, rows)
}
func (l postgresLent) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return l.conn.SendBatch(ctx, b)
}
func (l postgresLent) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return l.conn.Conn().Prepare(ctx, name, sql)
}
func (l postgresLent) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return l.conn.Exec(ctx, sql, args...)
}
func (l postgresLent) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return l.conn.Query(ctx, sql, args...)
}
func (l postgresLent) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return l.conn.QueryRow(ctx, sql, args...)
}

// QueueDB opens what the workers of the queue work with.
func (e *Postgres) QueueDB(ctx context.Context) (*sql.DB, *pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(e.url)
	if err != nil {
		return nil, nil, errURL
	}
	c.ConnConfig.RuntimeParams["application_name"] = "kinebase-queue"
	c.ConnConfig.RuntimeParams["timezone"] = "UTC"
	bound(c.ConnConfig)
	c.MinConns, c.MaxConns = 1, 6
	c.MaxConnIdleTime = 5 * time.Minute
	pool, err := pgxpool.NewWithConfig(ctx, c)
	return nil, pool, err
}

// QueueDB opens what the workers of the queue work with.
func (e *SQLite) QueueDB(context.Context) (*sql.DB, *pgxpool.Pool, error) {
	db, err := openMapped(e.mapping,
		"&_pragma=busy_timeout(10000)&_pragma=synchronous(full)&_pragma=secure_delete(on)&_pragma=foreign_keys(on)&_pragma=cache_size(-512)&_pragma=temp_store(memory)")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1) // two of the queue's own would only wait for each other
	return db, nil, nil
}
