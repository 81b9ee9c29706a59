package jobs

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/job"
)

// searchEvery is how often we look for jobs whose worker died before claiming them.
const searchEvery = 15 * time.Second

// search finds these jobs. A worker has the time between two searches to claim its job.
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

// tidy removes unnamed files that dead workers and failed disks have left in a folder.
func (o Options) tidy() {
	if o.Tidy == nil {
		return
	}
	if _, err := o.Tidy(); err != nil {
		o.Log.Warn("what dead workers have left is removed later", "error", err)
	}
}
