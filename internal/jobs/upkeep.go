package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Each work has arguments of a type of its own, for that is how the queue tells
// them apart; all say the same.
type (
	processing    struct{ job.Job }
	recomputing   struct{ job.Job }
	watching      struct{ job.Job }
	expiring      struct{ job.Job }
	erasing       struct{ job.Job }
	building      struct{ job.Job }
	watchingBuild struct{ job.Job }
	forgetting    struct{ job.Job }
	copying       struct{ job.Job }
	watchingCopy  struct{ job.Job }
	gathering     struct{ job.Job }
	watchingPiece struct{ job.Job }
	delivering    struct{ job.Job }
)

func (processing) Kind() string    { return job.Process }
func (recomputing) Kind() string   { return job.Recompute }
func (watching) Kind() string      { return job.Watch }
func (expiring) Kind() string      { return job.Expire }
func (erasing) Kind() string       { return job.Erase }
func (building) Kind() string      { return job.Export }
func (watchingBuild) Kind() string { return job.WatchExport }
func (forgetting) Kind() string    { return job.ForgetExport }
func (copying) Kind() string       { return job.ExportFile }
func (watchingCopy) Kind() string  { return job.WatchExportFile }
func (gathering) Kind() string     { return job.Gather }
func (watchingPiece) Kind() string { return job.WatchGather }
func (delivering) Kind() string    { return job.Deliver }

func (w watching) about() job.Job      { return w.Job }
func (w expiring) about() job.Job      { return w.Job }
func (w watchingBuild) about() job.Job { return w.Job }
func (w forgetting) about() job.Job    { return w.Job }
func (w watchingCopy) about() job.Job  { return w.Job }
func (w watchingPiece) about() job.Job { return w.Job }

// pollWorker is the worker of a work that is one verb of the store, which says when it is
// to be asked again, if ever.
type pollWorker[T args] struct {
	river.WorkerDefaults[T]
	ask func(context.Context, job.Job) (wait time.Duration, err error)
}

// args are the arguments of a work.
type args interface {
	river.JobArgs
	about() job.Job
}

// asked is the job as it was put into the queue, which keeps the work apart from what it is about.
func asked(a args) job.Job {
	j := a.about()
	j.Work = a.Kind()
	return j
}

// about has a verb of the store asked about the subject of a job.
func about(verb func(context.Context, organization.Scope, string) (time.Duration, error)) func(context.Context,
	job.Job) (time.Duration, error) {
	return func(ctx context.Context, j job.Job) (time.Duration, error) { return verb(ctx, scope(j), j.Subject) }
}

// Work asks.
func (a *pollWorker[T]) Work(ctx context.Context, j *river.Job[T]) error {
	return again(a.ask(ctx, asked(j.Args)))
}

// eraser removes the files that belong to nobody.
type eraser struct {
	river.WorkerDefaults[erasing]
	readings upload.Readings
	files    upload.Files
}

// eraseAtOnce is how many files are removed before the store hears of it.
const eraseAtOnce = 100

// Work removes what is due, until nothing is. A file that cannot be removed stays
// due, and so does the job.
func (w *eraser) Work(ctx context.Context, j *river.Job[erasing]) error {
	err := w.erase(ctx, j)
	if breaker.Silent(err) {
		return river.JobSnooze(afterOutage)
	}
	return err
}

func (w *eraser) erase(ctx context.Context, j *river.Job[erasing]) error {
	for {
		names, err := w.readings.Erasable(ctx, scope(j.Args.Job), eraseAtOnce)
		if err != nil || len(names) == 0 {
			return err
		}
		for _, name := range names {
			if err := w.files.Erase(ctx, name); err != nil {
				return err
			}
		}
		if err := w.readings.Erased(ctx, scope(j.Args.Job), names); err != nil {
			return err
		}
	}
}
