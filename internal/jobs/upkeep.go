package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/upload"
)

// Each work has arguments of a type of its own, for that is how the queue tells
// them apart; all say the same.
type (
	processing struct{ job.Job }
	watching   struct{ job.Job }
	expiring   struct{ job.Job }
	erasing    struct{ job.Job }
)

func (processing) Kind() string { return job.Process }
func (watching) Kind() string   { return job.Watch }
func (expiring) Kind() string   { return job.Expire }
func (erasing) Kind() string    { return job.Erase }

// watcher looks after whoever processes a file.
type watcher struct {
	river.WorkerDefaults[watching]
	desk upload.Desk
}

// Work has a dead worker's file processed again.
func (w *watcher) Work(ctx context.Context, j *river.Job[watching]) error {
	return again(w.desk.Watch(ctx, scope(j.Args.Job), j.Args.Subject))
}

// expirer ends reservations.
type expirer struct {
	river.WorkerDefaults[expiring]
	desk upload.Desk
}

// Work ends the reservation if no file has come.
func (w *expirer) Work(ctx context.Context, j *river.Job[expiring]) error {
	return again(w.desk.Expire(ctx, scope(j.Args.Job), j.Args.Subject))
}

// eraser removes the files that belong to nobody.
type eraser struct {
	river.WorkerDefaults[erasing]
	desk  upload.Desk
	files upload.Files
}

// eraseAtOnce is how many files are removed before the store hears of it.
const eraseAtOnce = 100

// Work removes what is due, until nothing is. A file that cannot be removed stays
// due, and so does the job.
func (w *eraser) Work(ctx context.Context, j *river.Job[erasing]) error {
	for {
		names, err := w.desk.Erasable(ctx, scope(j.Args.Job), eraseAtOnce)
		if err != nil || len(names) == 0 {
			return err
		}
		for _, name := range names {
			if err := w.files.Erase(ctx, name); err != nil {
				return err
			}
		}
		if err := w.desk.Erased(ctx, scope(j.Args.Job), names); err != nil {
			return err
		}
	}
}
