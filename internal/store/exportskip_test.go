package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
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
		must(t, s.write(t.Context(), mustID(t, sc.Organization.String()), func(w *writeTx) error {
			return w.insertRecording("v001", &recording{Stored: upload.Stored{FileName: "walk 1.c3d"}})
		}))
		more, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{Limit: none + 1, Files: true})
		must(t, err)
		if len(more.Skipped) != none || more.Skipped[0].FileName != "" || more.Skipped[1].FileName != "walk 1.c3d" {
			t.Errorf("asked for all, %d are named, and the first as %+v", len(more.Skipped), more.Skipped[:2])
		}
		if few, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{Limit: 3}); err != nil || len(few.Skipped) != 3 ||
			few.LeftOut != none || few.Skipped[1].FileName != "" {
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

func TestAJobCountsWhatItLeftOutByReasonAlsoAfterDeletions(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		const without = export.DefaultSkipped + 7 // more than are named
		list := make([]capture.Capture, without)
		for i := range list {
			list[i] = session(fmt.Sprintf("v%03d", i), &noon, ids...)
		}
		for some := range slices.Chunk(list, 100) {
			put(t, s, sc, some...)
		}
		film(t, s, sc, session("w1", &noon, ids...), walked(3, "A", -1))
		film(t, s, sc, session("w2", &noon, ids...), walked(3, "A", -1))
		film(t, s, sc, session("w3", &noon, ids[0]), walked(3, "A", 1))
		r := exported(t, s, sc, export.Request{RowFilter: "left_foot_strike"})
		reasons := func(sc organization.Scope, counts ...int64) []export.Reason {
			t.Helper()
			j, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{})
			must(t, err)
			sum, got := int64(0), []int64(nil)
			for _, reason := range j.Reasons {
				sum, got = sum+reason.Captures, append(got, reason.Captures)
			}
			if !slices.Equal(got, counts) || sum != j.LeftOut {
				t.Errorf("%d are left out, for the reasons %+v; want %v", j.LeftOut, j.Reasons, counts)
			}
			return j.Reasons
		}
		first := reasons(sc, without, 2)
		if !strings.Contains(first[0].Text, "no motion") || !strings.Contains(first[1].Text, "event") {
			t.Errorf("the reasons are %+v", first)
		}
		for _, name := range []string{"v003", "v004", "w1"} {
			must(t, s.DeleteCapture(t.Context(), sc, name, func(string) error { return nil }))
		}
		reasons(sc, without-2, 1)
		must(t, s.DeleteCapture(t.Context(), sc, "w2", func(string) error { return nil }))
		reasons(sc, without-2) // a reason without captures is not told
		for _, athlete := range ids {
			must(t, s.DeleteAthlete(t.Context(), sc, athlete, anybody))
		}
		reasons(sc)
	})
}
