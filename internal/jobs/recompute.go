package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Recompute measures recordings by the library of this program that were measured by another
// version of it. It reads their tables, never the files that came in.
type Recompute struct {
	Library upload.Library
	Files   upload.Files
	Reader  upload.Reader
	Dry     bool // nothing is written
}

// Recomputed is a recording that was measured.
type Recomputed struct {
	SessionID string
	Columns   []string // whose values are others than before
	Err       error    // why it could not be measured: it stays as it was
}

// Part measures at most limit recordings of an organization, so many at the same time, and calls
// each for every one, in any order. next is the place of the last one, and done says that there
// are no more after it. An error is the database's, or of ctx.
func (r Recompute) Part(ctx context.Context, s organization.Scope, after upload.Outdated, limit, atOnce int,
	each func(Recomputed)) (next upload.Outdated, done bool, err error) {
	list, err := r.Library.Outdated(ctx, s, movement.Read().Version, after, limit)
	if err != nil || len(list) == 0 {
		return after, true, err
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	var lock sync.Mutex
	var stopped error
	for _, o := range list {
		group.Go(func() error {
			var got Recomputed
			err := safely(func() (err error) {
				got.Columns, err = r.one(ctx, s, o.SessionID)
				return err
			})
			got.SessionID, got.Err = o.SessionID, err
			lock.Lock()
			defer lock.Unlock()
			if ctx.Err() != nil || breaker.Silent(err) {
				stopped = errors.Join(ctx.Err(), err)
				return nil
			}
			each(got)
			return nil
		})
	}
	_ = group.Wait() // it was told
	if stopped != nil {
		return after, false, stopped
	}
	return list[len(list)-1], len(list) < limit, nil
}

// one measures a recording and gives the columns whose values are others now.
func (r Recompute) one(ctx context.Context, s organization.Scope, session string) (columns []string, err error) {
	c, err := r.Library.Stored(ctx, s, session)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, nil // it was deleted meanwhile
	case err != nil:
		return nil, err
	case c.Capture.Status != capture.Completed:
		return nil, nil // it is measured when its file is read
	}
	var before frames.Info
	if err := json.Unmarshal(c.Info, &before); err != nil {
		return nil, fmt.Errorf("what is known of the recording cannot be read: %w", err)
	}
	info, err := r.measure(ctx, s, c)
	if err != nil {
		return nil, err
	}
	var after frames.Info
	if err := json.Unmarshal(info, &after); err != nil {
		return nil, err
	}
	if !r.Dry {
		if err := r.Library.Recomputed(ctx, s, c, info); err != nil {
			return nil, err
		}
	}
	return before.Computed.Differences(after.Computed), nil
}

// measure has a reader measure what the tables hold.
func (r Recompute) measure(ctx context.Context, s organization.Scope, c upload.Stored) (info []byte, err error) {
	var files [2]upload.File
	for i, name := range []string{c.Table, c.Samples} {
		if name == "" {
			continue
		}
		f, err := r.Files.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		files[i] = f
	}
	info, err = r.Reader.Measure(ctx, s, upload.MeasuredAs(c.Capture, c.Rate), c.Info, files[0], files[1])
	return info, named(err, c.Table, c.Samples)
}

// recomputer works through the recordings of an organization until another job waits: an upload,
// or another organization.
type recomputer struct {
	river.WorkerDefaults[recomputing]
	Recompute
	atOnce int
	limit  time.Duration
	log    *slog.Logger
	lock   sync.Mutex
	places map[organization.ID]upload.Outdated // where the next turn of an organization begins
}

// perTurn is how many recordings are measured before it is asked whether another job waits, for
// each that is measured at the same time. A turn ends after mostTurn recordings even when none does,
// so that a job never runs for long.
const (
	perTurn  = 8
	mostTurn = 1000
)

// Timeout is that of the longest recording.
func (r *recomputer) Timeout(*river.Job[recomputing]) time.Duration { return r.limit }

// Work takes one turn.
func (r *recomputer) Work(ctx context.Context, j *river.Job[recomputing]) error {
	s := scope(j.Args.Job)
	for n := perTurn * r.atOnce; ; n += perTurn * r.atOnce {
		if done, err := r.part(ctx, s); err != nil || done {
			return err
		}
		if waits, err := r.Library.Waits(ctx); err != nil || waits || n >= mostTurn {
			// the next turn stands behind all that waits
			return errors.Join(err, r.Library.Recompute(ctx, s, movement.Read().Version))
		}
	}
}

// part measures a part of them. What could not be measured is passed over until somebody asks
// again, and what was changed meanwhile comes once more.
func (r *recomputer) part(ctx context.Context, s organization.Scope) (done bool, err error) {
	if holds, err := r.Library.Holds(ctx); err != nil || holds != movement.Read().Version {
		return true, err // a server of another version has started since, and measures by that
	}
	failed, changed := 0, false
	var why error
	next, done, err := r.Part(ctx, s, r.place(s), perTurn*r.atOnce, r.atOnce, func(got Recomputed) {
		switch {
		case lost(got.Err):
			changed = true
		case got.Err != nil:
			failed, why = failed+1, got.Err
		}
	})
	switch {
	case breaker.Silent(err):
		return false, river.JobSnooze(afterOutage)
	case err != nil:
		return false, err
	}
	if failed > 0 {
		r.log.Warn("recordings could not be measured by this version of the library; they keep what was found "+
			"before, and are tried again later",
			"organization", s.Organization, "recordings", failed, "error", why)
	}
	switch {
	case changed: // it is outdated still: this part once more
		return false, river.JobSnooze(afterOutage)
	case done:
		r.forget(s)
	default:
		r.keep(s, next)
	}
	return done, nil
}

func (r *recomputer) place(s organization.Scope) upload.Outdated {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.places[s.Organization]
}

func (r *recomputer) keep(s organization.Scope, at upload.Outdated) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.places[s.Organization] = at
}

func (r *recomputer) forget(s organization.Scope) {
	r.lock.Lock()
	defer r.lock.Unlock()
	delete(r.places, s.Organization)
}

// recomputeEvery is how often a server looks for recordings that another version has measured:
// a server of that version may still have been at work.
const recomputeEvery = time.Hour

// recompute has them measured by this version: when a server starts, and at every tick.
func (o Options) recompute(ctx context.Context, tick <-chan time.Time) {
	held := false
	for {
		err := o.askRecompute(ctx, &held)
		if err != nil && ctx.Err() == nil && !breaker.Silent(err) {
			o.Log.Warn("recordings that another version of the library has measured are looked for later", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// askRecompute asks for the recordings of all organizations.
func (o Options) askRecompute(ctx context.Context, held *bool) error {
	version := movement.Read().Version
	if !*held { // the server that started last says which version holds
		if err := o.Library.Hold(ctx, version); err != nil {
			return err
		}
		*held = true
	}
	all, err := o.Organizations.Organizations(ctx)
	if err != nil {
		return err
	}
	for _, org := range all {
		err = errors.Join(err, o.Library.Recompute(ctx, organization.Scope{Organization: org.ID}, version))
	}
	return err
}
