package db

import (
	"context"
	"errors"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// The write-ahead log is copied into the database by a connection of its own, so
// that no writer waits for it. A deleted row stays readable in the log until a
// checkpoint cuts the log down to nothing, which one open reader can keep from
// happening: it is tried again until it does.

const (
	// checkpointPages of the log, of 4 KiB each, are worth copying.
	checkpointPages = 4096
	// truncatePages are too many: under steady writes the log is never copied to its
	// very end and so never begins again, until a checkpoint holds the writer back
	// for the rest of it.
	truncatePages = 16384
	// longPages are what an import that has the database to itself leaves in the log, which then takes
	// half a gigabyte.
	longPages       = 131072
	checkpointRetry = 100 * time.Millisecond
)

// committed is told after each group of writes.
func (e *SQLite) committed(erased bool) {
	if e.importing.Load() > 0 && !erased {
		return // the import has it copied, seldom: a page that changed often is copied once
	}
	if pages := e.walPages; erased || pages >= checkpointPages {
		e.requestCheckpoint(erased || pages >= truncatePages)
	}
}

// requestCheckpoint is for the write loop and what runs while it does: it takes
// no lock, for callers that wait for room in the queue hold e.closing, and while
// close waits for them the write loop must go on.
func (e *SQLite) requestCheckpoint(truncate bool) {
	for {
		select {
		case e.checkpoints <- truncate:
			return
		case waiting, ok := <-e.checkpoints: // join what is asked for already
			truncate = truncate || waiting && ok
		}
	}
}

func (e *SQLite) checkpointLoop() {
	defer close(e.checkpointed)
	for truncate := range e.checkpoints {
		for {
			err := e.checkpoint(truncate)
			if err == nil {
				break
			}
			if !errors.Is(err, sqlite3.BUSY) && !errors.Is(err, sqlite3.LOCKED) {
				e.log.Warn("the log could not be copied into the database; it is tried again", "error", err)
			}
			if !truncate {
				break // the next commits ask again
			}
			select {
			case more, ok := <-e.checkpoints:
				if !ok {
					return
				}
				truncate = truncate || more
			case <-time.After(checkpointRetry):
			}
		}
	}
}

// checkpoint copies what it can without holding anybody back, and then, to
// truncate, the little that has come since while the writer waits.
func (e *SQLite) checkpoint(truncate bool) error {
	e.checkpointLock.Lock()
	defer e.checkpointLock.Unlock()
	if err := renew(&e.checkpointer, e.openCheckpointer); err != nil {
		return err
	}
	return e.checkpointer.part.Do(func(s *sqliteSession) error {
		_, _, err := s.conn.WALCheckpoint("main", sqlite3.CHECKPOINT_PASSIVE)
		if err == nil && truncate {
			_, _, err = s.conn.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
		}
		return err
	})
}

// Tidy lets the planner look at what has grown, and shortens the log.
func (e *SQLite) Tidy(context.Context) error {
	e.closing.RLock()
	defer e.closing.RUnlock()
	if !e.closed {
		e.requestCheckpoint(true)
	}
	return nil
}
