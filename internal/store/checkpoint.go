package store

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
	checkpointEvery = 256 // commits
	checkpointRetry = 100 * time.Millisecond
)

// committed is told after each group of writes.
func (e *sqliteEngine) committed(erased bool) {
	if erased || e.unchecked.Add(1) >= checkpointEvery {
		e.requestCheckpoint(erased)
	}
}

// requestCheckpoint is for the write loop and what runs while it does: it takes
// no lock, for callers that wait for room in the queue hold e.closing, and while
// close waits for them the write loop must go on.
func (e *sqliteEngine) requestCheckpoint(truncate bool) {
	for {
		select {
		case e.checkpoints <- truncate:
			return
		case waiting, ok := <-e.checkpoints: // join what is asked for already
			truncate = truncate || waiting && ok
		}
	}
}

func (e *sqliteEngine) checkpointLoop() {
	defer close(e.checkpointed)
	for truncate := range e.checkpoints {
		e.unchecked.Store(0)
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

func (e *sqliteEngine) checkpoint(truncate bool) error {
	mode := sqlite3.CHECKPOINT_PASSIVE
	if truncate {
		mode = sqlite3.CHECKPOINT_TRUNCATE
	}
	e.checkpointLock.Lock()
	defer e.checkpointLock.Unlock()
	_, _, err := e.checkpointer.conn.WALCheckpoint("main", mode)
	return err
}

// tidy lets the planner look at what has grown, and shortens the log.
func (e *sqliteEngine) tidy(context.Context) error {
	e.closing.RLock()
	defer e.closing.RUnlock()
	if !e.closed {
		e.requestCheckpoint(true)
	}
	return nil
}
