package db

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// commitJobs commits jobs of a work.
func commitJobs(t *testing.T, e Engine, works ...string) {
	t.Helper()
	must(t, e.Write(t.Context(), ID{}, func(w *Write) error {
		for _, work := range works {
			w.Enqueue(job.Job{Work: work, Organization: organization.NewUUID(), Subject: organization.NewUUID()})
		}
		return nil
	}))
}

func TestWhoAwaitsJobsHearsOfTheQueuesAsSoonAsTheyAreCommitted(t *testing.T) {
	e := lite(t)
	e.bell.look.Stop() // it hears of them, and does not look
	commitJobs(t, e, job.Expire)
	queues, err := e.AwaitJobs(t.Context())
	if err != nil || !slices.Equal(queues, []string{job.Quick}) {
		t.Errorf("it hears of %q (%v)", queues, err)
	}
	for range 100 { // a call that is given up loses nothing
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan []string, 1)
		go func() {
			queues, _ := e.AwaitJobs(ctx)
			given <- queues
		}()
		go cancel()
		commitJobs(t, e, job.Process)
		heard := testkit.Receive(t, given, "the call ends")
		if heard == nil {
			heard, err = e.AwaitJobs(t.Context())
			must(t, err)
		}
		if !slices.Equal(heard, []string{job.Slow}) {
			t.Fatalf("it hears of %q", heard)
		}
	}
}

func TestWhoAwaitsJobsHearsOfThoseOfAnotherProcess(t *testing.T) {
	e := lite(t)
	db, _, err := e.QueueDB(t.Context()) // a connection that rings no bell, as another process has
	must(t, err)
	defer func() { _ = db.Close() }()
	commitJobs(t, e, job.Expire)
	_, err = e.AwaitJobs(t.Context())
	must(t, err)
	e.rung(t.Context())
	began := time.Now()
	_, err = db.Exec(`INSERT INTO river_job (args, kind, max_attempts, priority, queue, state) VALUES (jsonb('{}'), 'expire', 1, 1, 'default', 'available')`)
	must(t, err)
	queues, err := e.AwaitJobs(t.Context())
	if err != nil || queues != nil {
		t.Errorf("it hears of %q (%v)", queues, err)
	}
	t.Logf("heard after %v", time.Since(began).Round(time.Millisecond))
}
