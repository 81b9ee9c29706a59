package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// stuck are files of which some motion tables do not open, as in a bucket that does not
// answer, until nobody waits any more.
type stuck struct {
	upload.Files
	of    atomic.Pointer[string] // the organization whose they are
	begun chan struct{}
	ended chan error
}

// Open opens a file, or waits.
func (s *stuck) Open(ctx context.Context, name string) (upload.File, error) {
	if of := s.of.Load(); of == nil || !strings.HasPrefix(name, "motion/org="+*of) {
		return s.Files.Open(ctx, name)
	}
	s.begun <- struct{}{}
	<-ctx.Done()
	s.ended <- ctx.Err()
	return nil, ctx.Err()
}

func TestExportsThatWaitForABucketHoldUpNobodyAndEndWhenTheyAreCanceled(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		files := &stuck{Files: o.files, begun: make(chan struct{}, 1000), ended: make(chan error, 1000)}
		o.through = files
		o.open()
		slow := o.scope
		o.await(o.sent("good"), capture.Completed)
		of := slow.Organization.String()
		files.of.Store(&of)
		var waiting []string
		for range 40 { // more than there are workers
			j, err := o.store.CreateJob(t.Context(), slow, export.Request{}, nil)
			o.must(err)
			waiting = append(waiting, j.ID)
		}
		testkit.Receive(t, files.begun, "a table is opened")
		testkit.Receive(t, files.begun, "another is opened")

		o.scope = organization.Scope{Organization: organization.NewID()}
		o.must(o.store.CreateOrganization(t.Context(),
			organization.Organization{ID: o.scope.Organization, Name: "Quick", CreatedAt: time.Now()}))
		o.await(o.sent("good"), capture.Completed)
		j, err := o.store.CreateJob(t.Context(), o.scope, export.Request{}, nil)
		o.must(err)
		begun := time.Now()
		if got := o.awaitExport(j.ID); got.Status != export.Completed {
			t.Errorf("the export of another is %+v", got)
		}
		t.Logf("the export of another took %v", time.Since(begun))

		begun = time.Now()
		for _, id := range waiting {
			_, err := o.store.CancelJob(t.Context(), slow, id, nil)
			o.must(err)
		}
		for range 2 { // they are cut short, and do not end because opening a table is given up
			if err := testkit.Receive(t, files.ended, "opening a table ends"); !errors.Is(err, context.Canceled) {
				t.Errorf("opening a table ends with %v", err)
			}
		}
		t.Logf("canceled within %v", time.Since(begun))
	})
}
