package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// onWriter runs f on the connection of the write loop.
func onWriter(t *testing.T, e *SQLite, f func(c *sqliteConn)) {
	t.Helper()
	must(t, e.Fold(t.Context(), ID{}, func(Tx) error { f(e.writer); return nil }))
}

func pragma(t *testing.T, c *sqliteConn, name string) (v string) {
	t.Helper()
	must(t, c.Do(One(Into(&v), "PRAGMA "+name)))
	return v
}

func TestEveryConnectionThatWritesWaitsForTheDiskAndOverwritesWhatItDeletes(t *testing.T) {
	e := lite(t)
	durable := func(what string, read func(string) string) {
		for name, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1",
			"secure_delete": "1"} {
			if got := read(name); got != want {
				t.Errorf("%s: %s is %s and not %s", what, name, got, want)
			}
		}
	}
	writer := func(what string) {
		onWriter(t, e, func(c *sqliteConn) {
			durable(what, func(name string) string { return pragma(t, c, name) })
			if pragma(t, c, "query_only") != "0" {
				t.Error("the writer cannot write")
			}
		})
	}
	writer("the writer")
	onWriter(t, e, func(*sqliteConn) {}) // a group of its own
	err := e.Fold(t.Context(), ID{}, func(Tx) error { return sqlite3.IOERR })
	if !errors.Is(err, sqlite3.IOERR) {
		t.Fatal(err)
	}
	writer("the writer after the disk failed")

	for _, name := range []string{"synchronous", "secure_delete"} {
		want := map[string]string{"synchronous": "2", "secure_delete": "1"}[name]
		if got := pragma(t, e.checkpointer, name); got != want {
			t.Errorf("the connection of the checkpoints: %s is %s", name, got)
		}
	}
	db, err := openMigrating(t.TempDir(), quiet)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	durable("migrations", func(name string) (v string) {
		must(t, db.QueryRow("PRAGMA "+name).Scan(&v))
		return v
	})
}

func TestReadersCanOnlyQuery(t *testing.T) {
	e := lite(t)
	for range 2 * e.count {
		must(t, e.withReader(t.Context(), ID{}, func(c *sqliteConn) error {
			if pragma(t, c, "query_only") != "1" || pragma(t, c, "journal_mode") != "wal" {
				t.Error("a reader may write")
			}
			return nil
		}))
		err := e.Once(t.Context(), ID{}, Exec(`DELETE FROM organization`))
		if !errors.Is(err, sqlite3.READONLY) {
			t.Fatalf("a reader deleted: %v", err)
		}
	}
	if pragma(t, e.watch, "query_only") != "1" {
		t.Error("the connection that watches may write")
	}
}

// grouped runs the writings in one group, and gives their errors. While the
// group forms, the write loop is held.
func grouped(t *testing.T, e *SQLite, ops []*writing) {
	t.Helper()
	hold, held := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = e.Fold(context.Background(), ID{}, func(Tx) error { close(held); <-hold; return nil })
	})
	<-held
	for _, op := range ops {
		op.done = make(chan error, 1)
		e.queue <- op
	}
	close(hold)
	for _, op := range ops {
		op.err = <-op.done
	}
	all.Wait()
}

func TestInAGroupOf64EverybodyGetsTheOwnAnswerWhateverHappensToTheOthers(t *testing.T) {
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprintf("disk full %v", full), func(t *testing.T) {
			p := place{t, Options{Folder: withThings.Folder(t)}}
			e := p.open().(*SQLite)
			org := organization.NewID()
			must(t, e.Write(t.Context(), org, func(w *Write) error { return w.Do(keep("taken")) }))
			canceled, cancel := context.WithCancel(t.Context())
			cancel()
			r := chance(t)
			kinds := make([]string, 64)
			for i := range kinds {
				kinds[i] = []string{"writes", "writes", "writes", "is canceled", "violates a key", "panics",
					"is refused"}[r.IntN(7)]
			}
			kinds[0], kinds[63] = "writes", "writes"
			if full {
				kinds[1+r.IntN(62)] = "fills the disk"
			}
			ops := make([]*writing, len(kinds))
			var names [64]string
			for i, kind := range kinds {
				names[i] = fmt.Sprintf("%02d", i)
				name := names[i]
				ctx := t.Context()
				if kind == "is canceled" {
					ctx = canceled
				}
				if kind == "violates a key" {
					name = "taken"
				}
				ops[i] = &writing{ctx: ctx, org: org, fn: func(w *Write) error {
					if err := w.Do(keep(name)); err != nil {
						return err
					}
					switch kind {
					case "panics":
						panic("in the middle")
					case "is refused":
						return fault.New(fault.Conflict, "no")
					case "fills the disk":
						var pages int64
						if err := w.Do(One(Into(&pages), "PRAGMA page_count")); err != nil {
							return err
						}
						limit := func(n int64) error {
							return e.writer.Do(Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)))
						}
						if err := limit(pages + 2); err != nil {
							return err
						}
						return errors.Join(w.Do(keep(strings.Repeat("x", 1<<20))), limit(1<<30))
					}
					return nil
				}}
			}
			grouped(t, e, ops)
			want := []string{}
			for i, kind := range kinds {
				err := ops[i].err
				ok := false
				switch kind {
				case "writes":
					ok = err == nil
					want = append(want, names[i])
				case "is canceled":
					ok = errors.Is(err, context.Canceled)
				case "violates a key":
					ok = errors.Is(err, sqlite3.CONSTRAINT)
				case "panics":
					ok = err != nil && strings.Contains(err.Error(), "in the middle")
				case "is refused":
					ok = fault.Is(err, fault.Conflict)
				case "fills the disk":
					ok = errors.Is(err, sqlite3.FULL) && fault.Is(ToFault(err), fault.Unavailable)
				}
				if !ok {
					t.Errorf("%s, which %s, hears %v", names[i], kind, err)
				}
			}
			must(t, e.Close())
			same(t, "what is there", things(t, p.open()), append(want, "taken"))
		})
	}
}

// everyone of a lost transaction is tried again: the engine must survive that a
// failure takes the whole transaction and not the savepoint alone.
func TestWhenOneOfAGroupLosesTheWholeTransactionTheOthersAreDoneAgain(t *testing.T) {
	e := lite(t)
	org := organization.NewID()
	var ops []*writing
	for i := range 8 {
		ops = append(ops, &writing{ctx: t.Context(), org: org, fn: func(w *Write) error {
			if err := w.Do(keep(fmt.Sprint(i))); err != nil {
				return err
			}
			if i == 5 { // what SQLite does by itself on some errors of the disk
				if err := w.Do(Exec("ROLLBACK")); err != nil {
					return err
				}
				return sqlite3.IOERR_WRITE
			}
			return nil
		}})
	}
	grouped(t, e, ops)
	for i, op := range ops {
		if lost := i == 5; lost != (op.err != nil) {
			t.Errorf("%d hears %v", i, op.err)
		}
	}
	same(t, "what is there", things(t, e), []string{"0", "1", "2", "3", "4", "6", "7"})
}

func TestNobodyHearsOfSuccessBeforeTheCommit(t *testing.T) {
	e := lite(t)
	org := organization.NewID()
	var ops []*writing
	for i := range 8 {
		ops = append(ops, &writing{ctx: t.Context(), org: org, fn: func(w *Write) error {
			if err := w.Do(keep(fmt.Sprint(i))); err != nil {
				return err
			}
			for j, op := range ops {
				if len(op.done) > 0 {
					t.Errorf("%d has heard while %d was at work", j, i)
				}
			}
			var n int64
			if err := e.Once(context.Background(), org, One(Into(&n), `SELECT count(*) FROM thing`)); err != nil ||
				n != 0 {
				t.Errorf("%d rows are to be seen before the commit (%v)", n, err)
			}
			w.Then(func() {
				if err := e.Once(context.Background(), org, One(Into(&n), `SELECT count(*) FROM thing`)); err != nil ||
					n != 8 {
					t.Errorf("%d rows are to be seen after the commit (%v)", n, err)
				}
				for j, op := range ops {
					if len(op.done) > 0 {
						t.Errorf("%d has heard before what follows the commit was done", j)
					}
				}
			})
			return nil
		}})
	}
	grouped(t, e, ops)
	for i, op := range ops {
		if op.err != nil {
			t.Errorf("%d hears %v", i, op.err)
		}
	}
}

func TestAGroupThatFindsTheFileBusyWaitsOnceForAll(t *testing.T) {
	e := lite(t)
	waits, begun, queued := 0, make(chan struct{}, 1), make(chan struct{})
	onWriter(t, e, func(c *sqliteConn) {
		must(t, c.part.Do(func(s *sqliteSession) error {
			return s.conn.BusyHandler(func(_ context.Context, count int) bool {
				if count == 0 {
					if waits++; waits == 1 {
						begun <- struct{}{}
						<-queued
					}
				}
				return count < 10
			})
		}))
	})
	other, err := e.openWriter()
	must(t, err)
	defer func() { must(t, other.Close()) }()
	must(t, other.Do(Exec("BEGIN IMMEDIATE")))
	var ops []*writing
	for range 65 {
		ops = append(ops, &writing{ctx: t.Context(), org: organization.NewID(), fn: func(*Write) error { return nil },
			done: make(chan error, 1)})
	}
	e.queue <- ops[0]
	testkit.Receive(t, begun, "the first waits, alone")
	for _, op := range ops[1:] {
		e.queue <- op
	}
	close(queued)
	for _, op := range ops {
		refused(t, ToFault(testkit.Receive(t, op.done, "a caller hears that the file is busy")), fault.Unavailable,
			"busy")
	}
	if waits != 2 {
		t.Errorf("one caller, and then 64 in a group, waited %d times, want 2", waits)
	}
	must(t, other.Do(Exec("ROLLBACK")))
	must(t, e.Write(t.Context(), ID{}, func(w *Write) error { return w.Do(keep("after")) }))
}

func TestClosingWhileManyWriteEndsAndEverybodyHears(t *testing.T) {
	e := lite(t)
	org := organization.NewID()
	hold, held := make(chan struct{}), make(chan struct{})
	answers := make(chan error, 4*maxGroup)
	go func() {
		answers <- e.Write(context.Background(), org,
			func(w *Write) error { close(held); <-hold; w.Erased = true; return nil })
	}()
	<-held
	for range 3 * maxGroup { // more than the queue takes
		go func() {
			answers <- e.Write(context.Background(), org, func(w *Write) error { w.Erased = true; return nil })
		}()
	}
	testkit.Until(t, "the queue is full", func() bool { return len(e.queue) == cap(e.queue) })
	closed := make(chan error)
	go func() { closed <- e.Close() }()
	testkit.Until(t, "the engine wants to close", func() bool {
		e.closing.RLock()
		defer e.closing.RUnlock()
		return e.closed
	})
	close(hold)
	for range 3*maxGroup + 1 {
		if err := testkit.Receive(t, answers, "everybody hears"); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
	must(t, <-closed)
}

func TestAPanicWhileRowsAreReadLeavesTheConnectionUsable(t *testing.T) {
	e := lite(t)
	must(t, e.Write(t.Context(), ID{}, func(w *Write) error { return w.Do(keep("1"), keep("2")) }))
	const text = `SELECT name FROM thing WHERE note <> $1`
	for range 2 * e.count {
		err := e.Read(t.Context(), ID{}, func(tx Tx) error {
			return tx.Do(Each(func(Rows) error { panic("in a row") }, text, "none"))
		})
		if err == nil || !strings.Contains(err.Error(), "in a row") {
			t.Fatal(err)
		}
	}
	for range 2 * e.count {
		n := 0
		must(t, e.Once(t.Context(), ID{}, Each(func(Rows) error { n++; return nil }, text, "none")))
		if n != 2 {
			t.Fatalf("%d rows", n)
		}
	}
}

func TestAReaderThatWaitsForAConnectionGivesUpWithItsCaller(t *testing.T) {
	e := lite(t)
	var taken []*sqliteConn
	for range e.count {
		taken = append(taken, <-e.readers)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Once(ctx, ID{}, Exec(`SELECT 1`)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, c := range taken {
		e.readers <- c
	}
}
