package jobs

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/job"
)

// rounds is when is looked for jobs that a worker took and then died before it could
// say so.
const rounds = 15 * time.Second

// search finds them: between two rounds whoever has taken a job gets to say so.
func (o Options) search(ctx context.Context, tick <-chan time.Time) {
	before := map[job.Begun]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		o.tidy()
		begun, err := o.Leases.Begun(ctx)
		now := map[job.Begun]bool{}
		for _, b := range begun {
			now[b] = true
			if before[b] && err == nil {
				err = o.Leases.Reclaim(ctx, b)
			}
		}
		if err != nil && ctx.Err() == nil {
			o.Log.Warn("jobs of dead workers are looked for later", "error", err)
		}
		before = now
	}
}

// tidy removes what dead workers, and disks that failed, have left in a folder before it had a
// name.
func (o Options) tidy() {
	if o.Tidy == nil {
		return
	}
	if _, err := o.Tidy(); err != nil {
		o.Log.Warn("what dead workers have left is removed later", "error", err)
	}
}
