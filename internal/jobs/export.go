package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// Exports that are built at the same time, and those of them that do something: they
// take turns, a piece each, so that a large one holds up nobody.
const (
	builders  = 16
	buildTurn = 2
)

// buildTime is how long the queue lets a builder live. Whether it does live, its lease
// tells much sooner.
const buildTime = 24 * time.Hour

// builder builds exports.
type builder struct {
	river.WorkerDefaults[building]
	exports export.Builder
	files   upload.Files
	budget  int64
	turns   *semaphore.Weighted // first come, first served
}

// Timeout is a day.
func (b *builder) Timeout(*river.Job[building]) time.Duration { return buildTime }

// Work builds an export.
func (b *builder) Work(ctx context.Context, j *river.Job[building]) error {
	if err := b.turns.Acquire(ctx, 1); err != nil {
		return err
	}
	mine := true
	defer func() {
		if mine {
			b.turns.Release(1)
		}
	}()
	turn := func(ctx context.Context) error {
		b.turns.Release(1)
		mine = false
		err := b.turns.Acquire(ctx, 1)
		mine = err == nil
		return err
	}
	return again(b.exports.Build(ctx, scope(j.Args.Job), j.Args.Subject, export.Site{Budget: b.budget, Turn: turn, Look: b.look}))
}

// look opens a motion table, for one that cannot be opened must not end an export
// while it is given out.
func (b *builder) look(ctx context.Context, name string, rows int) (reason string, err error) {
	f, err := b.files.Open(ctx, name)
	if errors.Is(err, upload.ErrNoFile) {
		return "Its motion table is not there.", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	t, err := frames.Open(f, f.Size())
	switch {
	case err != nil:
		return "Its motion table cannot be read.", nil
	case t.Rows() != rows:
		return "Its motion table has another number of frames than its recording.", nil
	}
	return "", nil
}
