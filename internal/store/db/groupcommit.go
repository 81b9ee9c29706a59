package db

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/ncruces/go-sqlite3"
)

// Concurrent writes on SQLite share one transaction and so one wait for the
// disk. Each has a savepoint, so that one that fails leaves the others alone.
// But a full disk or an I/O error rolls back the whole transaction and not the
// savepoint alone, so after every error the connection is asked whether the
// transaction still stands; if not, everybody's work is done again, one by one.
// Nobody is told of success before the COMMIT.

// maxGroup bounds a group, and with it how long the first of it waits.
const maxGroup = 128

// writing is one caller's work, waiting for the writer.
type writing struct {
	ctx   context.Context
	org   ID
	fn    func(*Write) error
	alone bool       // in a transaction of its own
	place bool       // holds a place of the line to the writer
	done  chan error // of one place, so that the writer never waits for a caller

	begun atomic.Bool // set by the writer, or by a caller that gives up before

	w   *Write
	err error
}

// writeLoop serves the queue until it is closed.
func (e *SQLite) writeLoop() {
	defer close(e.stopped)
	var next *writing
	for {
		first := next
		if next = nil; first == nil {
			var ok bool
			if first, ok = <-e.queue; !ok {
				return
			}
			if !e.begin(first) {
				continue
			}
		}
		group := []*writing{first}
	fill:
		for !first.alone && len(group) < maxGroup {
			select {
			case more, ok := <-e.queue:
				switch {
				case !ok:
					break fill
				case !e.begin(more):
					continue
				case more.alone:
					next = more
					break fill
				}
				group = append(group, more)
			default:
				break fill
			}
		}
		e.commit(group)
		for _, op := range group {
			op.done <- op.err
		}
	}
}

// begin makes room in the queue for the next one that waits for it, and says whether
// the caller still waits.
func (e *SQLite) begin(op *writing) bool {
	if op.place {
		e.writes.Put(op.org, 1)
	}
	return op.begun.CompareAndSwap(false, true)
}

// commit does the work of a group and sets each one's error.
func (e *SQLite) commit(group []*writing) {
	err := e.attempt(group)
	var unknown *commitError
	// Another process is writing: one wait for it is enough for all. What may have been
	// done is not done again.
	if errors.Is(err, sqlite3.BUSY) || errors.As(err, &unknown) {
		for _, op := range group {
			op.err = err
		}
	} else if err != nil && len(group) > 1 {
		for _, op := range group {
			if alone := e.attempt([]*writing{op}); alone != nil {
				op.err = alone
			}
		}
	} else if err != nil {
		group[0].err = err
	}
	erased := false
	for _, op := range group {
		if op.err != nil || op.w == nil {
			continue
		}
		for _, f := range op.w.after {
			f()
		}
		e.bell.ring(op.w.jobs)
		erased = erased || op.w.Erased
	}
	e.committed(erased)
}

// attempt runs the group in one transaction. An error means that nothing of it
// was kept; an error of a single writing is in its err.
func (e *SQLite) attempt(group []*writing) (err error) {
	if e.writer != nil && e.writer.part.stale() {
		e.reopen(errMapped)
	}
	if e.writer == nil {
		if e.writer, err = e.openWriter(); err != nil {
			return err
		}
	}
	c := e.writer
	if err := c.Do(Exec("BEGIN IMMEDIATE")); err != nil {
		e.distrust(err)
		return err
	}
	defer func() {
		if c.open() {
			if rollback := c.Do(Exec("ROLLBACK")); rollback != nil && c.open() {
				e.reopen(rollback) // closing it rolls back
			}
		}
		if err != nil {
			e.distrust(err)
			err = e.diagnose(err)
		}
	}()
	gathered, shared := map[ID][]byte{}, map[ID]any{}
	for _, op := range group {
		op.w, op.err = nil, op.ctx.Err()
		if op.err != nil {
			continue
		}
		w := &Write{Tx: c, Org: op.org, engine: e, Attempt: 1, Earlier: gathered[op.org], Shared: shared}
		if len(group) > 1 { // alone it needs none, and the copies of pages that a savepoint keeps
			if err := c.Do(Exec("SAVEPOINT one")); err != nil {
				return err
			}
		}
		op.err = Guard(func() error {
			if err := op.fn(w); err != nil {
				return err
			}
			if len(w.jobs) == 0 {
				return nil
			}
			return c.queue.insert(w.jobs)
		})
		if !c.open() {
			if op.err == nil {
				op.err = errors.New("the transaction was lost")
			}
			return op.err
		}
		if len(group) == 1 && op.err != nil {
			return op.err // the whole transaction is rolled back
		}
		if op.err != nil {
			clear(shared)
			if err := c.Do(Exec("ROLLBACK TO one"), Exec("RELEASE one")); err != nil {
				return err
			}
			continue
		}
		if len(group) > 1 {
			if err := c.Do(Exec("RELEASE one")); err != nil {
				return err
			}
		}
		op.w = w
		if w.gathers {
			gathered[op.org] = append(gathered[op.org], w.gathered...)
		}
	}
	for org, notes := range gathered {
		if err := c.Do(e.gather(org, notes)); err != nil {
			return err
		}
	}
	err = c.Do(Exec("COMMIT"))
	if errors.Is(err, errFault) { // the log may have it all the same
		err = &commitError{err}
	}
	return err
}

// roomToWrite is less than any group of writes needs.
const roomToWrite = 64 << 10

// diagnose asks the file system when a write failed: the driver does not tell a
// full disk from a broken one.
func (e *SQLite) diagnose(err error) error {
	if !errors.Is(err, sqlite3.IOERR) {
		return err
	}
	if room, known := freeBytes(filepath.Dir(e.path)); known && room < roomToWrite {
		return errors.Join(err, syscall.ENOSPC)
	}
	return err
}

// distrust has the file opened again after an error of the disk: it may have been
// mounted again since.
func (e *SQLite) distrust(err error) {
	for _, code := range []sqlite3.ErrorCode{sqlite3.IOERR, sqlite3.CANTOPEN, sqlite3.READONLY, sqlite3.NOTADB,
		sqlite3.CORRUPT} {
		if errors.Is(err, code) {
			e.reopen(err)
			return
		}
	}
}

// reopen closes the writer's connection; the next write opens another.
func (e *SQLite) reopen(why error) {
	if e.writer == nil {
		return
	}
	e.log.Error("the database file failed; it is opened again", "error", why)
	if err := e.writer.Close(); err != nil {
		e.log.Warn("closing the database file", "error", err)
	}
	e.writer = nil
}
