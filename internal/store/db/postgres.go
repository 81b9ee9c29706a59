package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/turns"
)

// Postgres is a PostgreSQL database, with one pool of connections that can
// only read, each transaction on a snapshot, and one that writes.
type Postgres struct {
	url     string
	log     *slog.Logger
	gather  func(org ID, notes []byte) Statement
	readers *pgxpool.Pool
	writers *pgxpool.Pool
	asides  *pgxpool.Pool // readers that may take long
	queue   *postgresQueue
	breaker *breaker.Breaker
	asker   *asker
	records atomic.Int64 // brought in by imports of this process
	alone   bool         // see oneRole

	reads, writes *turns.Line[ID] // to the connections of readers and writers
}

// SetOrganization names the organization that row-level security lets through,
// until the end of the transaction.
const SetOrganization = `SELECT set_config('app.org', $1, true)`

func openPostgres(ctx context.Context, o Options) (*Postgres, error) {
	url, log := o.URL, o.Log
	e := &Postgres{url: url, log: log, gather: o.Gather}
	var err error
	if e.alone, err = preparePostgres(ctx, url, log); err != nil {
		return nil, fmt.Errorf("the database: %w", err)
	}
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
	e.asker = &asker{config: e.readers.Config().ConnConfig}
	e.breaker = breaker.New(breaker.Options{Name: "the database", Refusal: databaseSilent, Ask: e.asker.ask, Log: log,
		After: o.Timer})
	e.reads = turns.NewPlaces[ID](int64(e.readers.Config().MaxConns), turns.ToRead)
	e.writes = turns.NewPlaces[ID](int64(e.writers.Config().MaxConns), turns.ToWrite)
	// A reader aside may wait for others in the middle of it.
	reading[idleTimeout] = "1h"
	if e.asides, err = openPool(ctx, url, mostAside, reading); err != nil {
		e.breaker.Close()
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
	session := map[string]string{idleTimeout: "60s"}
	// Plans with the values in them would be made again each time; the statements
	// here have one good plan each.
	session["plan_cache_mode"] = "force_generic_plan"
	// And that plan goes by an index. Of a table that was empty when a statement was
	// planned, PostgreSQL believes that it always is, and reads it from end to end
	// for every lookup until somebody analyzes it: ten thousand captures into an
	// import.
	for _, way := range []string{"enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_bitmapscan"} {
		session[way] = "off"
	}
	session["jit"] = "off"
	maps.Copy(session, settings)
	c.ConnConfig.AfterConnect = settle(session)
	bound(c.ConnConfig)
	c.ConnConfig.StatementCacheCapacity = 256
	c.MaxConns = max(c.MaxConns, most)
	// A connection that was idle is asked before it is used. One whose other end has lost it answers nothing, without
	// an end: another one takes its place.
	c.PingTimeout = cmp.Or(c.PingTimeout, breaker.AnswerTime)
	return pgxpool.NewWithConfig(ctx, c)
}

// settle makes settings those of each connection once it is there. A pooler such as pgbouncer refuses a connection that
// begins with settings which it does not know, and it knows hardly any.
func settle(settings map[string]string) func(context.Context, *pgconn.PgConn) error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&text, "SET %s TO '%s';", name, settings[name])
	}
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, text.String()).ReadAll()
		return err
	}
}

// checkRole refuses a role to which the second wall does not apply.
func checkRole(ctx context.Context, conn *pgx.Conn) error {
	var name string
	var super, bypass bool
	err := conn.QueryRow(ctx, `SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user`).Scan(
		&name, &super, &bypass)
	if err != nil {
		return err
	}
	if super || bypass {
		return fmt.Errorf("the database role %q is a superuser or has BYPASSRLS, so that row-level security would "+
			"not hold; make an ordinary role, for instance: CREATE ROLE kinebase LOGIN PASSWORD '…' NOSUPERUSER "+
			"NOBYPASSRLS; CREATE DATABASE kinebase OWNER kinebase", name)
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
	return !errors.As(err, &connect) && !errors.Is(err, context.Canceled) &&
		!errors.Is(err, context.DeadlineExceeded) &&
		!errors.Is(err, ErrNoRow) && isNetwork(err)
}

func (e *Postgres) Read(ctx context.Context, org ID, fn func(Tx) error) error {
	return e.reading(ctx, org, func(ctx context.Context, conn *pgxpool.Conn) error {
		t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN"}
		return t.finish(Guard(func() error { return fn(t) }))
	})
}

// Aside reads on a connection of its own.
func (e *Postgres) Aside(ctx context.Context, org ID, fn func(Tx) error) error {
	return e.guarded(ctx, func(ctx context.Context) error {
		return e.asides.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN"}
			return t.finish(Guard(func() error { return fn(t) }))
		})
	})
}

// Once needs no BEGIN: statements sent together are one transaction. When the
// connection breaks after rows have been handed out, they cannot be taken back,
// and the error is the caller's.
func (e *Postgres) Once(ctx context.Context, org ID, statements ...Statement) error {
	return e.reading(ctx, org, func(ctx context.Context, conn *pgxpool.Conn) error {
		t := &postgresTx{ctx: ctx, conn: conn, org: org}
		err := t.Do(statements...)
		if err != nil && t.handed {
			return &brokenOff{err}
		}
		return err
	})
}

// brokenOff is the error of a read that must not be tried again.
type brokenOff struct{ error }

func (b *brokenOff) Unwrap() error { return b.error }

func (e *Postgres) reading(ctx context.Context, org ID, fn func(context.Context, *pgxpool.Conn) error) error {
	if err := e.reads.Wait(ctx, org, 1, busyReading); err != nil {
		return err
	}
	defer e.reads.Put(org, 1)
	return e.guarded(ctx, func(ctx context.Context) error {
		return e.readAgain(ctx, func(conn *pgxpool.Conn) error { return fn(ctx, conn) })
	})
}

// readAgain reads until nothing of others, and no broken connection, is in the way.
func (e *Postgres) readAgain(ctx context.Context, fn func(*pgxpool.Conn) error) error {
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

func (e *Postgres) Write(ctx context.Context, org ID, fn func(*Write) error) error {
	if err := e.writes.Wait(ctx, org, 1, busyWriting); err != nil {
		return err
	}
	var w *Write
	err := e.guarded(ctx, func(ctx context.Context) (err error) {
		w, err = e.transact(ctx, org, fn)
		return err
	})
	e.writes.Put(org, 1)
	if err != nil {
		return err
	}
	for _, f := range w.after {
		f()
	}
	return nil
}

// transact runs a write until it is done, or fails for another reason than others that
// write; w is the transaction that was committed.
func (e *Postgres) transact(ctx context.Context, org ID, fn func(*Write) error) (w *Write, err error) {
	for attempt := 1; ; attempt++ {
		err = e.writers.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN", writes: true}
			w = &Write{Tx: t, Org: org, engine: e, Attempt: attempt}
			return t.finish(Guard(func() error {
				if err := fn(w); err != nil {
					return err
				}
				if w.gathers {
					if err := t.Do(e.gather(org, w.gathered)); err != nil {
						return err
					}
				}
				if len(w.jobs) > 0 {
					return e.queue.insert(ctx, conn, w.jobs)
				}
				return nil
			}))
		})
		if err == nil || attempt == 8 || !again(err) {
			return w, err
		}
		select { // not all of them at once again
		case <-time.After(time.Duration(rand.Int64N(int64(attempt) * int64(5*time.Millisecond)))):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Bulk is nothing special where every write has a transaction of its own.
func (e *Postgres) Bulk(ctx context.Context, org ID, fn func(*Write) error) error {
	return e.Write(ctx, org, fn)
}

// BulkRecords is how many records of an import go into one transaction.
func (e *Postgres) BulkRecords() int { return 1000 }

// Fold takes its snapshot with the lock: a fold that committed in between has
// deleted rows that this one would delete, which PostgreSQL refuses, and then it
// is tried again.
func (e *Postgres) Fold(ctx context.Context, org ID, fn func(Tx) error) error {
	if err := e.writes.Wait(ctx, org, 1, busyWriting); err != nil {
		return err
	}
	defer e.writes.Put(org, 1)
	return e.guarded(ctx, func(ctx context.Context) error { return e.foldAgain(ctx, org, fn) })
}

func (e *Postgres) foldAgain(ctx context.Context, org ID, fn func(Tx) error) error {
	for attempt := 0; ; attempt++ {
		err := e.writers.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			t := &postgresTx{ctx: ctx, conn: conn, org: org, begin: "BEGIN ISOLATION LEVEL REPEATABLE READ",
				writes: true}
			return t.finish(Guard(func() error {
				var mine bool
				if err := t.Do(One(Into(&mine), `SELECT pg_try_advisory_xact_lock($1, hashtext($2))`, int32(foldLock),
					org.String())); err != nil {
					return err
				}
				if !mine {
					return ErrElsewhere
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

func (e *Postgres) exclude(w *Write) error {
	lock := `pg_advisory_xact_lock_shared`
	if w.Attempt > 1 {
		lock = `pg_advisory_xact_lock`
	}
	return w.Do(Exec(`SELECT `+lock+`($1, hashtext($2))`, int32(importLock), w.Org.String()))
}

func (e *Postgres) number(w *Write) error {
	return w.Do(Exec(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, int32(numberLock), w.Org.String()))
}

func (e *Postgres) line(w *Write) error {
	return w.Do(Exec(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, int32(lineLock), w.Org.String()))
}

// Moment is not known: other servers commit too.
func (e *Postgres) Moment(context.Context) (uint64, bool, error) { return 0, false, nil }

// Filled has PostgreSQL look at the tables each time that twice as much was brought in
// as at the last time. Of a table that nobody analyzed, it believes that an organization
// has 0.5 % of the rows, reads these from one end to the other rather than look a
// hundred keys up, and keeps to that plan until it analyzes the table by itself, a
// minute later.
func (e *Postgres) Filled(ctx context.Context, records int) {
	now := uint64(e.records.Add(int64(records)))
	if before := now - uint64(records); now < 512 || bits.Len64(now) == bits.Len64(before) {
		return
	}
	// A function of the owner does it: of a role that does not own them, ANALYZE leaves
	// them as they are.
	err := e.guarded(ctx, func(ctx context.Context) error {
		_, err := e.writers.Exec(ctx, `SELECT kinebase_analyze()`)
		return err
	})
	if err != nil {
		e.log.Warn("The tables could not be analyzed during an import, which may be slow for a while.", "error", err)
	}
}

// Tidy does nothing: PostgreSQL looks after itself.
func (e *Postgres) Tidy(context.Context) error { return nil }

func (e *Postgres) Close() error {
	e.breaker.Close()
	e.asker.Close()
	for _, pool := range []*pgxpool.Pool{e.readers, e.writers, e.asides} {
		e.breaker.Leave(pool.Close) // it would wait for each connection
	}
	return nil
}

// Breaker is open while the database does not answer.
func (e *Postgres) Breaker() *breaker.Breaker { return e.breaker }

// OneRole says that the role could lift the wall between organizations.
func (e *Postgres) OneRole() bool { return e.alone }
