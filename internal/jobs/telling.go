package jobs

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// telling is how far a video processor is with a file. It is written down when the lease of the work is extended,
// and not whenever the processor says it.
type telling struct {
	done atomic.Uint64 // the bits of a number from 0 to 1
	told float64       // what was written down
}

// hear takes the part that is done.
func (h *telling) hear(done float64) { h.done.Store(math.Float64bits(done)) }

// tell writes it down where it has changed. Nothing but a display depends on it, so what goes wrong is told once more
// at the next time.
func (h *telling) tell(ctx context.Context, p *processor, s organization.Scope, work *upload.Work) {
	done := math.Float64frombits(h.done.Load())
	if done == h.told {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, job.Beat)
	defer cancel()
	if err := p.Readings.Tell(ctx, s, work, done); err == nil {
		h.told = done
	}
}
