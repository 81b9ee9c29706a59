package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// measuredAtOnce is how many captures without known sizes are asked for at a time.
const measuredAtOnce = 200

// retryMeasure is the pause before the next try at files whose size could not be read.
const retryMeasure = time.Minute

// measure finds out how large files are of which nobody noted it when they were made.
// After that there are none, for whoever makes a file says how large it is.
func (o Options) measure(ctx context.Context) {
	for {
		err := o.measureAll(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		o.Log.Warn("files are measured later; until then they do not count for the room of their organization", "error",
			err)
		wait := time.NewTimer(retryMeasure)
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
	}
}

func (o Options) measureAll(ctx context.Context) error {
	all, err := o.Organizations.Organizations(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, org := range all {
		failed = errors.Join(failed, o.measureOf(ctx, organization.Scope{Organization: org.ID}))
	}
	return failed
}

// measureOf goes through the captures of one organization. Of files that cannot be looked
// at it gives the last error, and goes on.
func (o Options) measureOf(ctx context.Context, s organization.Scope) (failed error) {
	after := ""
	for {
		list, err := o.Readings.Unmeasured(ctx, s, after, measuredAtOnce)
		if err != nil || len(list) == 0 {
			return errors.Join(failed, err)
		}
		for _, c := range list {
			after = c.Capture.SessionID
			derived, err := o.size(ctx, c.Derived)
			if err != nil {
				failed = err
				continue
			}
			tables, err := o.size(ctx, c.Table, c.Samples)
			if err != nil {
				failed = err
				continue
			}
			if err := o.Readings.Measured(ctx, s, c, derived, tables); err != nil {
				return err
			}
		}
	}
}

// size is what files weigh together; what is not there weighs nothing.
func (o Options) size(ctx context.Context, names ...string) (bytes int64, err error) {
	for _, name := range names {
		if name == "" {
			continue
		}
		f, err := o.Files.Open(ctx, name)
		if errors.Is(err, upload.ErrNoFile) {
			continue
		}
		if err != nil {
			return 0, err
		}
		bytes += f.Size()
		_ = f.Close() // it was only looked at
	}
	return bytes, nil
}
