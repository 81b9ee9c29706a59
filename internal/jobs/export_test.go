package jobs_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// stuck are files of which some motion tables do not open, as in a bucket that does not
// answer, until nobody waits any more.
type stuck struct {
	upload.Files
	of    atomic.Pointer[string] // the organization whose they are
	begun chan struct{}
	ended chan struct{}
}

// Open opens a file, or waits.
func (s *stuck) Open(ctx context.Context, name string) (upload.File, error) {
	if of := s.of.Load(); of == nil || !strings.HasPrefix(name, "motion/org="+*of) {
		return s.Files.Open(ctx, name)
	}
	s.begun <- struct{}{}
	<-ctx.Done()
	s.ended <- struct{}{}
	return nil, ctx.Err()
}

// heard waits for something.
func (o *office) heard(c <-chan struct{}, what string, limit time.Duration) {
	o.t.Helper()
	select {
	case <-c:
	case <-time.After(limit):
		o.t.Fatalf("not within %s: %s", limit, what)
	}
}

func TestExportsThatWaitForABucketHoldUpNobodyAndEndWhenTheyAreCanceled(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		files := &stuck{Files: o.files, begun: make(chan struct{}, 1000), ended: make(chan struct{}, 1000)}
		o.through = files
		o.open()
		slow := o.scope
		o.await(o.sent("good"), capture.Completed, soon)
		files.of.Store(&slow.Organization)
		var waiting []string
		for range 40 { // more than there are workers
			j, err := o.store.CreateJob(t.Context(), slow, export.Request{}, nil)
			o.must(err)
			waiting = append(waiting, j.ID)
		}
		o.heard(files.begun, "a table is opened", soon)
		o.heard(files.begun, "another is opened", soon)

		o.scope = organization.Scope{Organization: organization.NewID()}
		o.must(o.store.CreateOrganization(t.Context(), organization.Organization{ID: o.scope.Organization, Name: "Quick", CreatedAt: time.Now()}))
		o.await(o.sent("good"), capture.Completed, soon)
		j, err := o.store.CreateJob(t.Context(), o.scope, export.Request{}, nil)
		o.must(err)
		begun := time.Now()
		if got := o.awaitExport(j.ID, soon); got.Status != export.Completed {
			t.Errorf("the export of another is %+v", got)
		}
		t.Logf("the export of another took %v", time.Since(begun))

		begun = time.Now()
		for _, id := range waiting {
			_, err := o.store.CancelJob(t.Context(), slow, id, nil)
			o.must(err)
		}
		// They end long before opening a table is given up.
		o.heard(files.ended, "the first is cut short", 5*time.Second)
		o.heard(files.ended, "the second is cut short", 5*time.Second)
		t.Logf("canceled within %v", time.Since(begun))
	})
}
