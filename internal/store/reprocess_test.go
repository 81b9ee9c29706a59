package store

import (
	"errors"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestAFileIsReadOnceMoreOnRequestWithAllItsTries(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		clock(s)
		sc := tenant(t, s, "A")
		again := func(session string) error {
			_, err := s.Reprocess(t.Context(), sc, session, nil)
			return err
		}
		dies := func(session string) {
			must(t, s.Release(t.Context(), sc, claimed(t, s, sc, session), time.Time{}, true, "It fell over."))
		}
		finish := func(session string, o upload.Outcome) {
			w := claimed(t, s, sc, session)
			must(t, s.ExpectMade(t.Context(), sc, w, s.now().Add(time.Hour), o.Table, o.Samples))
			must(t, s.Finish(t.Context(), sc, w, o))
		}

		waiting := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
		refused(t, again(waiting), fault.Conflict, "awaiting_upload")
		put(t, s, sc, session("no file", nil))
		refused(t, again("no file"), fault.Conflict, "never had a file")
		refused(t, again("unknown"), fault.NotFound, "")

		file, _ := arrived(t, s, sc)
		refused(t, again(file), fault.Conflict, "being read")
		for range job.MaxDeaths {
			dies(file)
		}
		if got, _ := status(t, s, sc, file); got != capture.Error {
			t.Fatalf("after three deaths: %s", got)
		}
		must(t, again(file))
		if got, why := status(t, s, sc, file); got != capture.Processing || why != "" {
			t.Errorf("asked for once more: %s %q", got, why)
		}
		if n := listed(t, s, sc, capture.Query{Filter: capture.Filter{Status: capture.Processing}}).Total; n != 1 {
			t.Errorf("%d captures are listed as processing", n)
		}
		refused(t, again(file), fault.Conflict, "being read")
		for range job.MaxDeaths - 1 {
			dies(file)
		}
		finish(file, upload.Outcome{Table: "table 1", Samples: "samples 1", Info: []byte(`{}`), Rate: 100})

		must(t, again(file))
		same(t, "due while it is read again", erasable(t, s, sc), []string{})
		finish(file, upload.Outcome{Table: "table 2", Samples: "samples 2", Info: []byte(`{}`), Rate: 50})
		same(t, "due when it was", erasable(t, s, sc), []string{"samples 1", "table 1"})
		read, err := s.Stored(t.Context(), sc, file)
		must(t, err)
		if read.Capture.Status != capture.Completed || read.Table != "table 2" || *read.Capture.FPSDetected != 50 {
			t.Errorf("read once more: %+v", read)
		}
	})
}

func TestWhatAnEarlierReaderWritesIsRefusedOnceTheFileIsReadAgain(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		file, _ := arrived(t, s, sc)
		late := claimed(t, s, sc, file)
		ahead(job.Lease + time.Second)
		must(t, s.Fail(t.Context(), sc, claimed(t, s, sc, file), "It is no motion file."))
		_, err := s.Reprocess(t.Context(), sc, file, nil)
		must(t, err)
		if err := s.Finish(t.Context(), sc, late, upload.Outcome{}); err == nil {
			t.Error("a worker that was taken for dead finished a later reading")
		}
		claimed(t, s, sc, file)
	})
}

func TestAFileIsReadOnceMoreThoughItsTablesAreBeingRenewed(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		clock(s)
		sc := tenant(t, s, "A")
		file, _ := arrived(t, s, sc)
		finish := func(work *upload.Work, o upload.Outcome) error {
			must(t, s.ExpectMade(t.Context(), sc, work, s.now().Add(time.Hour), o.Table))
			return s.Finish(t.Context(), sc, work, o)
		}
		must(t, finish(claimed(t, s, sc, file), upload.Outcome{Table: "table", Info: []byte(`{}`), Rate: 100}))
		changed(t, s, sc, file, func(c *capture.Capture) { c.Activity = ptr("athletic_development") })
		renewal := claimed(t, s, sc, file)
		if !renewal.Renew {
			t.Fatal("its tables are not renewed")
		}
		must(t, s.ExpectMade(t.Context(), sc, renewal, s.now().Add(time.Hour), "renewed"))

		_, err := s.Reprocess(t.Context(), sc, file, nil)
		must(t, err)
		same(t, "to be erased", erasable(t, s, sc), []string{"renewed"})
		if err := s.Finish(t.Context(), sc, renewal, upload.Outcome{Table: "renewed"}); !errors.Is(err, job.ErrLost) {
			t.Errorf("the renewal that was overtaken ended with %v", err)
		}
		if work := claimed(t, s, sc, file); work.Renew {
			t.Error("the file was asked for, and its tables are renewed alone")
		}
	})
}
