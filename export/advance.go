package export

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/job"
)

// Build is an export that a worker has taken. Every verb of one that has been taken over by
// another worker, or was canceled, is job.ErrLost.
type Build interface {
	// Held is the job and the worker's attempt.
	Held() job.Held
	// List lists the parts of the result from one snapshot, in pieces that take turns, unless
	// an earlier step has. ended says that the job has failed of what the parts are.
	List(ctx context.Context, turns Turns) (ended bool, err error)
	// Unopened gives the next parts whose tables were not opened yet, and whether they are the
	// last ones.
	Unopened(ctx context.Context) (parts []Unopened, last bool, err error)
	// Opened takes parts out whose tables cannot be read, by the reasons for these tables, and
	// keeps how far that has come.
	Opened(ctx context.Context, parts []Unopened, unreadable map[string]string, next Next) error
	// Release ends the step of a worker that could not go on. failed says that the job is to
	// blame; in the end it fails of that.
	Release(ctx context.Context, failed bool) error
}

// Unopened is a part whose table was not opened yet.
type Unopened struct {
	N         int64 // of the part
	SessionID string
	Table     string // in upload.Files
	Frames    int    // that it should have
}

// Next is what comes after some parts.
type Next int

// The next steps of a job.
const (
	More   Next = iota // this worker goes on
	Others             // other jobs have their step; this one comes again
	Done               // nothing: the job is completed
)

// Turns lets so many pieces be listed at a time, in the order in which they come.
type Turns interface {
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// Opener opens a motion table and says why it cannot be read, "" when it can: its capture is
// then left out. An error is one of the disk or the bucket, and passing.
type Opener func(ctx context.Context, table string, frames int) (reason string, err error)

// Parts are looked at until opening their tables has taken openFor; openAtOnce tables are
// opened at a time, for a bucket takes its time.
const (
	openFor    = 5 * time.Second
	openAtOnce = 8
)

// Advance takes a job a step further: its parts are listed, then the tables of these are
// opened, for one that cannot be read must not end the export while it is given out. The step
// ends with the first parts after the time.
func Advance(ctx context.Context, b Build, turns Turns, open Opener, step time.Duration) error {
	begun := time.Now()
	if ended, err := b.List(ctx, turns); err != nil || ended {
		return err
	}
	for next := More; next == More; {
		parts, last, err := b.Unopened(ctx)
		if err != nil {
			return err
		}
		opened, unreadable, err := openSome(ctx, open, parts)
		if err != nil {
			return err
		}
		switch {
		case last && opened == len(parts):
			next = Done
		case time.Since(begun) >= step:
			next = Others
		}
		if err := b.Opened(ctx, parts[:opened], unreadable, next); err != nil {
			return err
		}
	}
	return nil
}

// openSome opens the tables of parts, until it has taken long enough, and gives how many
// that were, and the reasons why some of the tables cannot be read.
func openSome(ctx context.Context, open Opener, parts []Unopened) (opened int, unreadable map[string]string,
	err error) {
	unreadable = map[string]string{}
	asked := map[string]bool{}
	var lock sync.Mutex
	begun := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(openAtOnce)
	for _, p := range parts {
		if opened > 0 && time.Since(begun) >= openFor || ctx.Err() != nil {
			break
		}
		opened++
		if asked[p.Table] {
			continue
		}
		asked[p.Table] = true
		group.Go(func() error {
			reason, err := open(ctx, p.Table, p.Frames)
			if reason != "" {
				lock.Lock()
				defer lock.Unlock()
				unreadable[p.Table] = reason
			}
			return err
		})
	}
	err = group.Wait()
	return opened, unreadable, err
}
