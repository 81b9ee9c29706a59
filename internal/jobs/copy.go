package jobs

import (
	"bufio"
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// Files of results that are made at the same time, and the memory for them. One large
// file does not hold up a small one, and no file an export.
const (
	fileBuilders = 2
	copyRoom     = export.Budget
)

// copyTime is how long the queue lets a fileBuilder work. A dead one is found much sooner, by
// its lease.
const copyTime = 24 * time.Hour

// fileBuilder makes files of results, to be kept.
type fileBuilder struct {
	river.WorkerDefaults[copying]
	Options
	room *semaphore.Weighted
}

// errFull says that a file has become larger than there can be room for.
var errFull = errors.New("there is no room for the file")

// Timeout is a day.
func (c *fileBuilder) Timeout(*river.Job[copying]) time.Duration { return copyTime }

// Work makes a file and keeps it.
func (c *fileBuilder) Work(ctx context.Context, j *river.Job[copying]) error {
	s := scope(j.Args.Job)
	work, wait, err := c.Copies.ClaimFile(ctx, s, j.Args.Subject)
	if err != nil || work == nil {
		return again(wait, err)
	}
	name := export.FileName(s.Organization.String(), work.Format)
	return c.work(ctx, leased{
		held: work.Held,
		do:   func(ctx context.Context) error { return c.copy(ctx, s, work, name) },
		end: func(ctx context.Context, why error, stopping bool) error {
			c.forget(ctx, s, name)
			return c.end(ctx, s, work, why, stopping)
		},
	})
}

// quietEvery is the time between two checks for active downloads.
const quietEvery = 200 * time.Millisecond

// quiet waits until no caller has a result written by this server, for a while.
func (c *fileBuilder) quiet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, export.Patience, errPatience)
	defer cancel()
	tick := time.NewTicker(quietEvery)
	defer tick.Stop()
	for c.Downloads.Busy() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, errPatience) {
				return cause
			}
			return nil
		}
	}
	return nil
}

var errPatience = errors.New("callers have had their time")

// copy writes the result to where it is kept. It goes there as it is written: a
// temporary file would need the room twice.
func (c *fileBuilder) copy(ctx context.Context, s organization.Scope, work *export.FileWork, name string) error {
	if !work.Again {
		if err := c.quiet(ctx); err != nil {
			return err
		}
	}
	weight := work.Format.Weight(work.Columns)
	if err := c.room.Acquire(ctx, weight); err != nil {
		return err
	}
	defer c.room.Release(weight)
	if err := c.Copies.ExpectFile(ctx, s, work, name); err != nil {
		return err
	}
	rows := export.NewReader(c.Files, s.Organization.String(), work.Result, func(row int64) ([]export.Part, error) {
		return c.Results.Parts(ctx, s, work.Job.ID, work.Version, row, export.PartsAtOnce)
	})
	from, to := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		pieces := bufio.NewWriterSize(&bounded{to, work.Room}, 256<<10)
		err := work.Format.Write(ctx, pieces, rows, export.Budget)
		if err == nil {
			err = pieces.Flush()
		}
		_ = to.CloseWithError(err) // what Put then fails with; closing itself never fails
	}()
	size, err := c.Files.Put(ctx, name, from, -1)
	_ = from.Close() // nor does this, and whoever writes does not wait for ever
	<-written
	if err != nil {
		return err
	}
	_, err = c.Copies.FinishFile(ctx, s, work, name, size)
	return err
}

// bounded is a file that may have so many bytes.
type bounded struct {
	to   io.Writer
	room int64
}

// Write writes, or says that there is no room.
func (b *bounded) Write(p []byte) (int, error) {
	if b.room -= int64(len(p)); b.room < 0 {
		return 0, errFull
	}
	return b.to.Write(p)
}

// end says why a file was not made.
func (c *fileBuilder) end(ctx context.Context, s organization.Scope, work *export.FileWork, why error,
	stopping bool) error {
	switch {
	case lost(why), fault.Is(why, fault.NotFound): // the result has changed, or is gone
		return nil
	case stopping:
		return c.Copies.ReleaseFile(ctx, s, work, time.Time{})
	// to fill a disk again and again would harm all others
	case errors.Is(why, errFull), errors.Is(why, syscall.ENOSPC), errors.Is(why, syscall.EDQUOT),
		fault.Is(why, fault.Unprocessable): // it has more columns than can be written
		return c.Copies.GiveUpFile(ctx, s, work)
	}
	c.Log.Warn("a file of an export could not be made; it is tried again", "organization", s.Organization, "attempt",
		work.Held.Attempt, "error", why)
	return c.Copies.ReleaseFile(ctx, s, work, later(work.Held.Attempt))
}
