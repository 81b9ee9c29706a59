package jobs

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/job"
)

// begun is a desk at which jobs have begun.
type begun struct {
	job.Leases
	jobs      chan []job.Begun
	reclaimed []string
}

func (d *begun) Begun(context.Context) ([]job.Begun, error) { return <-d.jobs, nil }

func (d *begun) Reclaim(_ context.Context, b job.Begun) error {
	d.reclaimed = append(d.reclaimed, b.Subject)
	return nil
}

func TestAJobIsReclaimedWhenTwoRoundsFindThatItHasBegun(t *testing.T) {
	d := &begun{jobs: make(chan []job.Begun)}
	ctx, cancel := context.WithCancel(t.Context())
	tick, done := make(chan time.Time), make(chan struct{})
	go func() {
		defer close(done)
		Options{Leases: d}.search(ctx, tick)
	}()
	named := func(attempt int64, subject string) job.Begun {
		return job.Begun{Job: job.Job{Work: job.Process, Subject: subject}, Number: 1, Attempt: attempt}
	}
	for _, round := range [][]job.Begun{
		{named(1, "dead"), named(1, "quick")},
		{named(1, "dead"), named(1, "new")},
		{named(2, "new")}, // taken anew
		{named(1, "dead")},
	} {
		tick <- time.Now()
		d.jobs <- round
	}
	cancel()
	<-done
	if !slices.Equal(d.reclaimed, []string{"dead"}) {
		t.Errorf("reclaimed %q", d.reclaimed)
	}
}
