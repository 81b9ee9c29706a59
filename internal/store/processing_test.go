package store

import (
	"errors"
	"testing"
	"time"

	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/upload"
)

func TestHowFarAFileIsIsKnownAsLongAsAWorkerHasIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		file, _ := arrived(t, s, sc)
		stored := func() upload.Stored {
			t.Helper()
			got, err := s.Stored(t.Context(), sc, file)
			must(t, err)
			return got
		}
		idle := func(when string) {
			t.Helper()
			if got := stored().Processing; got != (upload.Processing{}) {
				t.Errorf("%s: %+v", when, got)
			}
		}
		idle("while the file waits")

		first := claimed(t, s, sc, file)
		before := stored()
		ahead(4 * time.Second)
		must(t, s.Tell(t.Context(), sc, first, 0.25))
		got := stored()
		if p := got.Processing; p.Done != 0.25 || p.Told.Sub(p.Begun) < 4*time.Second ||
			!p.Begun.Equal(before.Processing.Begun) {
			t.Errorf("a quarter is done: %+v, begun %v", p, before.Processing.Begun)
		}
		if got.Version != before.Version {
			t.Errorf("the recording has changed: version %d, before %d", got.Version, before.Version)
		}

		ahead(job.Lease + time.Second)
		idle("when the worker was not heard of")
		second := claimed(t, s, sc, file)
		if p := stored().Processing; p.Done != 0 || !p.Told.IsZero() || p.Begun.IsZero() {
			t.Errorf("another worker begins: %+v", p)
		}
		if err := s.Tell(t.Context(), sc, first, 0.5); !errors.Is(err, job.ErrLost) {
			t.Errorf("the first worker tells: %v", err)
		}
		must(t, s.Tell(t.Context(), sc, second, 0.75))
		must(t, s.Release(t.Context(), sc, second, time.Time{}, false, ""))
		idle("when it was given back")
		third := claimed(t, s, sc, file)
		must(t, s.Finish(t.Context(), sc, third, upload.Outcome{Info: []byte(`{}`), Rate: 100}))
		idle("when it was read")
		if err := s.Tell(t.Context(), sc, third, 1); !errors.Is(err, job.ErrLost) {
			t.Errorf("after its end: %v", err)
		}
	})
}
