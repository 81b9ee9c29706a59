package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// Exports of which a step is done at the same time, and those of them that list their
// parts: these take turns, a piece each, so that a large one holds up nobody.
const (
	builders  = 16
	buildTurn = 2
)

// buildStep is after how long a step lets another export have its place.
const buildStep = 2 * time.Second

// lookTime is the most that opening one table takes.
const lookTime = time.Minute

// buildTime is how long the queue lets a builder live, for the parts of a large export
// are listed in one step. Whether it does live, its lease tells much sooner.
const buildTime = time.Hour

// builder builds exports.
type builder struct {
	river.WorkerDefaults[building]
	Options
	direct upload.Files        // not steady: the opener is
	turns  *semaphore.Weighted // first come, first served
}

// Timeout is an hour.
func (b *builder) Timeout(*river.Job[building]) time.Duration { return buildTime }

// Work does one step of an export.
func (b *builder) Work(ctx context.Context, j *river.Job[building]) error {
	build, wait, err := b.Exports.ClaimBuild(ctx, scope(j.Args.Job), j.Args.Subject, b.ExportBudget)
	if err != nil || build == nil {
		return again(wait, err)
	}
	return b.work(ctx, leased{
		held: build.Held(),
		do:   func(ctx context.Context) error { return export.Advance(ctx, build, b.turns, b.look, buildStep) },
		end: func(ctx context.Context, why error, stopping bool) error {
			if err := build.Release(ctx, !lost(why) && !stopping); err != nil {
				b.Log.Warn("an export is taken over later", "error", err)
			}
			if lost(why) {
				return nil
			}
			return why
		},
	})
}

// look opens a motion table, for one that cannot be opened must not end an export
// while it is given out. It waits while the bucket does not answer.
func (b *builder) look(ctx context.Context, name string, rows int) (reason string, err error) {
	err = steadily(ctx, b.Bucket, func() (err error) {
		reason, err = b.opens(ctx, name, rows)
		return err
	})
	return reason, err
}

func (b *builder) opens(ctx context.Context, name string, rows int) (reason string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	f, err := b.direct.Open(ctx, name)
	if errors.Is(err, upload.ErrNoFile) {
		return "Its motion table is not there.", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	read := &reads{File: f}
	t, err := frames.Open(read, f.Size())
	switch {
	case read.failed != nil: // the storage is to blame, and not what is in the table
		return "", read.failed
	case err != nil:
		return "Its motion table cannot be read.", nil
	case t.Rows() != rows:
		return "Its motion table has another number of frames than its recording.", nil
	}
	return "", nil
}

// reads is a file that remembers whether the storage failed under it.
type reads struct {
	upload.File
	failed error
}

// ReadAt is io.ReaderAt.
func (r *reads) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.File.ReadAt(p, off)
	if fault.Is(err, fault.Unavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		r.failed = err
	}
	return n, err
}
