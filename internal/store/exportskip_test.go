package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/upload"
)

func TestAJobKnowsHowManyCapturesItLeftOutAndNamesAHundred(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		film(t, s, sc, session("sound", &noon, ids[0]), walked(3, "A", -1))
		const none = forgottenAtOnce + 5
		list := make([]capture.Capture, none)
		for i := range list { // of two athletes each is met twice, and left out once
			list[i] = session(fmt.Sprintf("v%03d", i), &noon, ids...)
		}
		for some := range slices.Chunk(list, 100) {
			put(t, s, sc, some...)
		}
		r := exported(t, s, sc, export.Request{Athletes: ids})
		left := func(want int64) []export.Skip {
			t.Helper()
			j, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{})
			must(t, err)
			if j.LeftOut != want || len(j.Skipped) != int(min(want, export.DefaultSkipped)) {
				t.Errorf("%d are left out and %d of them named, want %d", j.LeftOut, len(j.Skipped), want)
			}
			return j.Skipped
		}
		if first := left(none); first[0].SessionID != "v000" || first[99].SessionID != "v099" {
			t.Errorf("named are %+v", first)
		}
		must(t, s.engine.write(t.Context(), mustID(t, sc.Organization), func(w *writeTx) error {
			return w.do(insertRecording(w.org, "v001", &recording{Stored: upload.Stored{FileName: "walk 1.c3d"}}))
		}))
		more, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{Limit: none + 1, Files: true})
		must(t, err)
		if len(more.Skipped) != none || more.Skipped[0].FileName != "" || more.Skipped[1].FileName != "walk 1.c3d" {
			t.Errorf("asked for all, %d are named, and the first as %+v", len(more.Skipped), more.Skipped[:2])
		}
		if few, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{Limit: 3}); err != nil || len(few.Skipped) != 3 || few.LeftOut != none || few.Skipped[1].FileName != "" {
			t.Errorf("asked for three, the job is %+v, %v", few, err)
		}
		// Whether they are named or not.
		for _, session := range []string{"v001", "v300", "sound"} {
			must(t, s.DeleteCapture(t.Context(), sc, session, func(string) error { return nil }))
		}
		left(none - 2)
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		left(none - 2) // all of them are still Bob's
		must(t, s.DeleteAthlete(t.Context(), sc, ids[1], anybody))
		left(0)

		for some := range slices.Chunk(list, 100) {
			for i := range some {
				some[i].AthleteIDs = nil
			}
			put(t, s, sc, some...)
		}
		r = exported(t, s, sc, export.Request{})
		left(none)
		ahead(export.Life + time.Minute)
		for wait := time.Second; wait > 0; {
			var err error
			wait, err = s.ForgetResult(t.Context(), sc, r.Job.ID)
			must(t, err)
		}
		left(0)
	})
}
