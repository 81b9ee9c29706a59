package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresEngine is a PostgreSQL database, with one pool of connections that can
// only read, each transaction on a snapshot, and one that writes.
type postgresEngine struct {
	log      *slog.Logger
	onChange func(org id, entries int)
	now      func() time.Time // the store's clock
	readers  *pgxpool.Pool
	writers  *pgxpool.Pool
	asides   *pgxpool.Pool // readers that may take long
	queue    *postgresQueue
	records  atomic.Int64 // brought in by imports of this process
}

// setOrganization names the organization that row-level security lets through,
// until the end of the transaction.
const setOrganization = `SELECT set_config('app.org', $1, true)`

func openPostgresEngine(ctx context.Context, url string, log *slog.Logger, onChange func(id, int)) (*postgresEngine, error) {
	e := &postgresEngine{log: log, onChange: onChange}
	var err error
	if e.queue, err = newPostgresQueue(); err != nil {
		return nil, err
	}
	reading := map[string]string{
		"default_transaction_isolation": "repeatable read",
		"default_transaction_read_only": "on",
	}
	many := int32(4 * runtime.GOMAXPROCS(0))
	if e.readers, err = openPool(ctx, url, many, reading); err != nil {
		return nil, err
	}
	if e.writers, err = openPool(ctx, url, many, map[string]string{"lock_timeout": "10s"}); err != nil {
		e.readers.Close()
		return nil, err
	}
	// Whoever reads aside may wait for others in the middle of it.
	reading[idleTimeout] = "1h"
	if e.asides, err = openPool(ctx, url, mostAside, reading); err != nil {
		e.readers.Close()
		e.writers.Close()
		return nil, err
	}
	return e, nil
}

// errURL does not say what is wrong with the URL, which holds a password.
var errURL = errors.New("the database URL cannot be read; it has the form postgres://user:password@host:5432/database")

// mostAside is more than there are who read aside. A connection is made when it is
// needed.
const mostAside = 32

// idleTimeout ends a transaction of somebody who has stopped in the middle of it.
const idleTimeout = "idle_in_transaction_session_timeout"

func openPool(ctx context.Context, url string, most int32, settings map[string]string) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errURL
	}
	c.ConnConfig.RuntimeParams["application_name"] = "kinebase"
	c.ConnConfig.RuntimeParams["timezone"] = "UTC"
	c.ConnConfig.RuntimeParams[idleTimeout] = "60s"
	// Plans with the values in them would be made anew each time; the statements
	// here have one good plan each.
	c.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	// And that plan goes by an index. Of a table that was empty when a statement was
	// planned, PostgreSQL believes that it always is, and reads it from end to end
	// for every lookup until somebody analyzes it: ten thousand captures into an
	// import.
	for _, way := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan"} {
		c.ConnConfig.RuntimeParams[way] = "off"
	}
	c.ConnConfig.RuntimeParams["jit"] = "off"
	maps.Copy(c.ConnConfig.RuntimeParams, settings)
	c.ConnConfig.StatementCacheCapacity = 256
	c.MaxConns = max(c.MaxConns, most)
	return pgxpool.NewWithConfig(ctx, c)
}

// checkRole refuses a role to which the second wall does not apply.
func checkRole(ctx context.Context, conn *pgx.Conn) error {
	var name string
	var super, bypass bool
	err := conn.QueryRow(ctx, `SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user`).Scan(&name, &super, &bypass)
	if err != nil {
		return err
	}
	if super || bypass {
		return fmt.Errorf("the database role %q is a superuser or has BYPASSRLS, so that row-level security would not hold; make an ordinary role, for instance: CREATE ROLE kinebase LOGIN PASSWORD '…' NOSUPERUSER NOBYPASSRLS; CREATE DATABASE kinebase OWNER kinebase", name)
	}
	return nil
}

// again says whether a transaction failed only because of another one, and may
// be run again. A key that is taken is such a case too: every insert of a chosen
// id comes after a look, so that somebody else was quicker.
func again(err error) bool {
	var pg *pgconn.PgError
	var unknown *commitError
	if errors.As(err, &unknown) {
		return false
	}
	if !errors.As(err, &pg) {
		return pgconn.SafeToRetry(err)
	}
	return pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "23505"
}

// lost says whether the connection broke, which for a read is reason enough to
// try on another.
func lost(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "57P01" || pg.Code == "57P02"
	}
	var connect *pgconn.ConnectError
	return !errors.As(err, &connect) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) &&
		!errors.Is(err, errNoRow) && isNetwork(err)
}

func (e *postgresEngine) read(ctx context.Context, org id, fn func(tx) error) error {
	return e.reading(ctx, func(conn *pgxpool.Conn) error {
		t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN"}
		return t.finish(guard(func() error { return fn(t) }))
	})
}

func (e *postgresEngine) aside(ctx context.Context, org id, fn func(tx) error) error {
	return e.asides.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN"}
		return t.finish(guard(func() error { return fn(t) }))
	})
}

// once needs no BEGIN: statements sent together are one transaction. When the
// connection breaks after rows have been handed out, they cannot be taken back,
// and the error is the caller's.
func (e *postgresEngine) once(ctx context.Context, org id, statements ...statement) error {
	return e.reading(ctx, func(conn *pgxpool.Conn) error {
		t := &postgresTx{ctx: ctx, conn: conn, org: org}
		err := t.do(statements...)
		if err != nil && t.handed {
			return &brokenOff{err}
		}
		return err
	})
}

// brokenOff is the error of a read that must not be tried again.
type brokenOff struct{ error }

func (b *brokenOff) Unwrap() error { return b.error }

func (e *postgresEngine) reading(ctx context.Context, fn func(*pgxpool.Conn) error) error {
	for attempt := 0; ; attempt++ {
		err := e.readers.AcquireFunc(ctx, fn)
		var broken *brokenOff
		if errors.As(err, &broken) {
			return broken.error
		}
		if err == nil || attempt == 2 || !(again(err) || lost(err)) {
			return err
		}
	}
}

func (e *postgresEngine) write(ctx context.Context, org id, fn func(*writeTx) error) error {
	for attempt := 1; ; attempt++ {
		var w *writeTx
		err := e.writers.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN", writes: true}
			w = &writeTx{tx: t, org: org, attempt: attempt, now: e.now}
			return t.finish(guard(func() error {
				if err := fn(w); err != nil {
					return err
				}
				if err := w.settle(); err != nil {
					return err
				}
				if w.touched {
					if err := t.do(delta(org, w.lists)); err != nil {
						return err
					}
				}
				if len(w.jobs) > 0 {
					return e.queue.insert(ctx, conn, w.jobs)
				}
				return nil
			}))
		})
		if err == nil {
			for _, f := range w.after {
				f()
			}
			if w.touched {
				e.onChange(org, w.entries)
			}
			return nil
		}
		if attempt == 8 || !again(err) {
			return err
		}
		select { // not all of them at once again
		case <-time.After(time.Duration(rand.Int64N(int64(attempt) * int64(5*time.Millisecond)))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fold takes its snapshot with the lock: a fold that committed in between has
// deleted rows that this one would delete, which PostgreSQL refuses, and then it
// is tried again.
func (e *postgresEngine) fold(ctx context.Context, org id, fn func(tx) error) error {
	for attempt := 0; ; attempt++ {
		err := e.writers.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN ISOLATION LEVEL REPEATABLE READ", writes: true}
			return t.finish(guard(func() error {
				var mine bool
				if err := t.do(one(into(&mine), `SELECT pg_try_advisory_xact_lock($1, hashtext($2))`, int32(foldLock), org.String())); err != nil {
					return err
				}
				if !mine {
					return errElsewhere
				}
				return fn(t)
			}))
		})
		if attempt == 5 || !again(err) {
			return err
		}
	}
}

// The first keys of advisory locks, in ASCII; the second is the organization's.
const (
	foldLock   = 0x666f6c64 // "fold"
	importLock = 0x696d706f // "impo"
	numberLock = 0x6e756d62 // "numb"
	lineLock   = 0x6c696e65 // "line"
)

func (e *postgresEngine) exclude(w *writeTx) error {
	lock := `pg_advisory_xact_lock_shared`
	if w.attempt > 1 {
		lock = `pg_advisory_xact_lock`
	}
	return w.do(exec(`SELECT `+lock+`($1, hashtext($2))`, int32(importLock), w.org.String()))
}

func (e *postgresEngine) number(w *writeTx) error {
	return w.do(exec(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, int32(numberLock), w.org.String()))
}

func (e *postgresEngine) line(w *writeTx) error {
	return w.do(exec(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, int32(lineLock), w.org.String()))
}

func (e *postgresEngine) moment(context.Context) (uint64, bool, error) { return 0, false, nil }

// filled has PostgreSQL look at the tables each time that twice as much was brought in
// as at the last time. Of a table that nobody analyzed, it believes that an organization
// has 0.5 % of the rows, reads these from one end to the other rather than look a
// hundred keys up, and keeps to that plan until it analyzes the table by itself, a
// minute later.
func (e *postgresEngine) filled(ctx context.Context, records int) {
	now := uint64(e.records.Add(int64(records)))
	if before := now - uint64(records); now < 512 || bits.Len64(now) == bits.Len64(before) {
		return
	}
	// To a role that does not own them, it says so and leaves them as they are.
	if _, err := e.writers.Exec(ctx, `ANALYZE athlete, athlete_attribute, capture, capture_row, capture_group, combination, list_block, list_delta`); err != nil {
		e.log.Warn("The tables could not be analyzed during an import, which may be slow for a while.", "error", err)
	}
}

func (e *postgresEngine) tidy(context.Context) error { return nil }

func (e *postgresEngine) close() error {
	e.readers.Close()
	e.writers.Close()
	e.asides.Close()
	return nil
}

// postgresTx sends statements in batches. The transaction begins with the first
// one, in the same round trip.
type postgresTx struct {
	ctx   context.Context
	conn  *pgxpool.Conn
	org   id
	begin string // "" for an implicit transaction of one batch
	begun bool

	writes bool

	handed bool // a row has reached who asked
}

func (t *postgresTx) do(statements ...statement) error {
	var b pgx.Batch
	prelude := 0
	if !t.begun {
		t.begun = true
		if t.begin != "" {
			b.Queue(t.begin)
			prelude++
		}
		org := ""
		if t.org != (id{}) {
			org = t.org.String()
		}
		b.Queue(setOrganization, org)
		prelude++
	}
	for i := range statements {
		b.Queue(statements[i].sql, postgresArgs(statements[i].args)...)
	}
	results := t.conn.SendBatch(t.ctx, &b)
	err := func() error {
		for range prelude {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		for i := range statements {
			if err := statements[i].take(results, &t.handed); err != nil {
				return rowError(statements[i].sql, err)
			}
		}
		return nil
	}()
	closing := results.Close()
	if err != nil {
		return err
	}
	return closing
}

// take reads one statement's result.
func (st *statement) take(results pgx.BatchResults, handed *bool) error {
	if st.read == nil {
		tag, err := results.Exec()
		if err == nil && st.affected != nil {
			*st.affected = tag.RowsAffected()
		}
		return err
	}
	r, err := results.Query()
	if err != nil {
		return err
	}
	defer r.Close()
	if err := st.read(postgresRows{r, handed}); err != nil {
		return err
	}
	r.Close()
	if st.affected != nil {
		*st.affected = r.CommandTag().RowsAffected()
	}
	return r.Err()
}

// finish ends an explicit transaction: it commits when err is nil.
func (t *postgresTx) finish(err error) error {
	if !t.begun {
		return err
	}
	if err != nil {
		// The caller may have gone; the connection must be usable all the same, and a
		// connection that cannot roll back is closed by the pool.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 5*time.Second)
		defer cancel()
		_, _ = t.conn.Exec(ctx, "ROLLBACK")
		return err
	}
	tag, err := t.conn.Exec(t.ctx, "COMMIT")
	var pg *pgconn.PgError
	switch {
	case err == nil && tag.String() == "ROLLBACK":
		return errors.New("the transaction was rolled back")
	case errors.As(err, &pg) && (pg.Code[:2] == "40" || pg.Code[:2] == "23"):
		return err // refused, and so rolled back
	case err != nil && t.writes:
		return &commitError{err}
	}
	return err
}

// commitError is a COMMIT whose answer did not come: whether it was done is not
// known, so it must not be tried again. The driver may call such an error safe to
// retry: when a connection breaks under a COMMIT, what it tells in the end is that
// the connection is closed.
type commitError struct{ error }

func (e *commitError) Unwrap() error { return e.error }

// postgresArgs turns the store's types into the driver's.
func postgresArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case id:
			out[i] = [16]byte(v)
		case *id:
			if v != nil {
				out[i] = [16]byte(*v)
			}
		case int:
			out[i] = int64(v)
		default:
			out[i] = a
		}
	}
	return out
}

type postgresRows struct {
	pgx.Rows
	handed *bool
}

func (r postgresRows) Next() bool {
	next := r.Rows.Next()
	*r.handed = *r.handed || next
	return next
}

func (r postgresRows) Raw(col int) []byte { return r.RawValues()[col] }

func (r postgresRows) Scan(dest ...any) error {
	for i, d := range dest {
		if p, ok := d.(*id); ok {
			dest[i] = (*[16]byte)(p)
		}
	}
	return r.Rows.Scan(dest...)
}
