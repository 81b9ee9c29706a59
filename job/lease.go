package job

import (
	"context"
	"errors"
	"time"
)

// A worker takes a job under a lease, extends the lease while it is alive, and gives it back.
// Another worker takes the job when the lease has run out, as a higher attempt, and what the
// first one says after that is refused.
const (
	// Lease is how long a worker is believed to be alive after it was last heard of, and Beat
	// how often it is heard of.
	Lease = 20 * time.Second
	Beat  = 5 * time.Second
	// MaxDeaths is how many workers or readers may die of a piece of work before it has failed.
	MaxDeaths = 3
)

// ErrLost says that a piece of work is not, or no longer, the worker's.
var ErrLost = errors.New("the work was taken over, or what it is about is gone")

// Held is a job that a worker has taken.
type Held struct {
	Job
	Attempt int64 // fences: what an earlier attempt says is refused
}

// Leases says which worker does which job, of every kind of work that is done under a lease:
// Process, Gather, Export and ExportFile.
type Leases interface {
	// Extend says that the worker is alive; ErrLost when the work is another's.
	Extend(ctx context.Context, h Held) error
	// Watch puts a job whose worker has died into the queue again; with wait above 0 it is to
	// be asked again after that.
	Watch(ctx context.Context, j Job) (wait time.Duration, err error)
	// Begun gives the jobs with leases, of all organizations, that the queue takes for being
	// worked on.
	Begun(ctx context.Context) ([]Begun, error)
	// Reclaim puts one of them into the queue again unless a worker has a lease on what it is
	// about, or it waits there already.
	Reclaim(ctx context.Context, b Begun) error
}

// watches names, for each work under a lease, the work that watches its worker.
var watches = map[string]string{Process: Watch, Gather: WatchGather, Export: WatchExport, ExportFile: WatchExportFile}

// Watching is the job that looks, when a new lease on this one has run out, whether its worker
// is alive.
func (j Job) Watching(now time.Time) Job {
	j.Work, j.At = watches[j.Work], now.Add(Lease)
	return j
}

// Watched is the job whose worker this one looks after.
func (j Job) Watched() Job {
	for work, watch := range watches {
		if watch == j.Work {
			return Job{Work: work, Organization: j.Organization, Subject: j.Subject}
		}
	}
	return j
}
