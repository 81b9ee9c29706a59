package jobs

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/kinebase/kinebase/job"
)

// fromQueue is a job as the queue gives it back: its arguments have been JSON, which has no work.
func fromQueue[T args](t *testing.T, put job.Job) *river.Job[T] {
	t.Helper()
	text, err := json.Marshal(put)
	if err != nil {
		t.Fatal(err)
	}
	var j river.Job[T]
	if err := json.Unmarshal(text, &j.Args); err != nil {
		t.Fatal(err)
	}
	return &j
}

func TestAWatcherFromTheQueueKnowsWhichWorkItWatches(t *testing.T) {
	var watched job.Job
	watch := func(_ context.Context, j job.Job) (time.Duration, error) {
		watched = j.Watched()
		return 0, nil
	}
	for work, run := range map[string]func(job.Job) error{
		job.Process: func(j job.Job) error {
			return (&pollWorker[watching]{ask: watch}).Work(t.Context(), fromQueue[watching](t, j))
		},
		job.Export: func(j job.Job) error {
			return (&pollWorker[watchingBuild]{ask: watch}).Work(t.Context(), fromQueue[watchingBuild](t, j))
		},
		job.ExportFile: func(j job.Job) error {
			return (&pollWorker[watchingCopy]{ask: watch}).Work(t.Context(), fromQueue[watchingCopy](t, j))
		},
	} {
		about := job.Job{Work: work, Organization: "O", Subject: "S"}
		if err := run(about.Watching(time.Now())); err != nil || watched != about {
			t.Errorf("the watcher of %s watches %+v, %v", work, watched, err)
		}
	}
}
