package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// foundBy is what is known of a recording, with one metric that a version of the library found.
func foundBy(version string, value float64) []byte {
	return fmt.Appendf(nil, `{"computed":{"library":%q,"events":[],"metrics":[{"column":"m","value":%g}]}}`, version,
		value)
}

// measuredBy brings a capture whose recording a version has measured.
func measuredBy(t *testing.T, s *Store, sc organization.Scope, name string, info []byte) {
	t.Helper()
	file, table := organization.NewUUID(), organization.NewUUID()
	must(t, s.ExpectBrought(t.Context(), sc, name, time.Now().Add(time.Hour), file, table))
	must(t, s.Bring(t.Context(), sc, upload.Brought{Capture: session(name, &noon), FileName: "f.c3d", Original: file,
		Size: 3, Outcome: upload.Outcome{Table: table, Info: info}}))
}

func TestOutdatedRecordingsAreThoseOfEveryOtherVersionPieceByPiece(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		want := map[string]string{}
		for i := range 30 {
			name, version := fmt.Sprintf("s%02d", i), []string{"aaa", "current", "zzz", ""}[i%4]
			info := foundBy(version, 1)
			if version == "" {
				info = []byte(`{"computed":null}`)
			}
			measuredBy(t, s, sc, name, info)
			if version != "current" {
				want[name] = version
			}
		}
		measuredBy(t, s, other, "foreign", foundBy("aaa", 1))
		reserve(t, s, sc, organization.NewUUID()) // has nothing to look into
		for _, limit := range []int{1, 3, 100} {
			got, after := map[string]string{}, upload.Outdated{}
			for {
				list, err := s.Outdated(t.Context(), sc, "current", after, limit)
				must(t, err)
				if len(list) == 0 {
					break
				}
				for _, o := range list {
					if _, twice := got[o.SessionID]; twice {
						t.Fatalf("%s comes twice", o.SessionID)
					}
					got[o.SessionID] = o.By
				}
				after = list[len(list)-1]
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("in pieces of %d: got %v, want %v", limit, got, want)
			}
		}
		if n, err := s.CountOutdated(t.Context(), sc, "current"); int(n) != len(want) || err != nil {
			t.Errorf("%d are counted (%v), want %d", n, err, len(want))
		}
	})
}

func TestWhatWasFoundIsRefusedWhenTheRecordingHasChangedSince(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		for name, change := range map[string]func(string){
			"labels": func(n string) { changed(t, s, sc, n, func(c *capture.Capture) { c.Activity = ptr("golf") }) },
			"rate":   func(n string) { changed(t, s, sc, n, func(c *capture.Capture) { c.FPSDetected = ptr(99.0) }) },
			"deleted": func(n string) {
				must(t, s.DeleteCapture(t.Context(), sc, n, func(string) error { return nil }))
			},
			"again": func(n string) {
				_, err := s.Reprocess(t.Context(), sc, n, nil)
				must(t, err)
			},
			"brought": func(n string) { measuredBy(t, s, sc, n, foundBy("old", 3)) },
		} {
			measuredBy(t, s, sc, name, foundBy("old", 1))
			of, err := s.Stored(t.Context(), sc, name)
			must(t, err)
			change(name)
			if err := s.Recomputed(t.Context(), sc, of, foundBy("current", 2)); err == nil ||
				!strings.Contains(err.Error(), job.ErrLost.Error()) {
				t.Errorf("%s: %v", name, err)
			}
			if got, err := s.Stored(t.Context(), sc, name); err == nil &&
				strings.Contains(string(got.Info), "current") {
				t.Errorf("%s: stored %s", name, got.Info)
			}
		}
	})
}

func TestACaptureIsLastModifiedWhenAValueOfItIsAnotherAndNotWhenOnlyTheVersionIs(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		measuredBy(t, s, sc, "s", foundBy("old", 1))
		tagged := func() string {
			a, err := s.Capture(t.Context(), sc, "s", 0)
			must(t, err)
			return a.Tag
		}
		for _, step := range []struct {
			info    []byte
			changes bool
		}{{foundBy("new", 1), false}, {foundBy("newer", 2), true}, {[]byte(`{"computed":{"library":"newest"}}`), true},
			{foundBy("newest", 0), true}} {
			before := tagged()
			of, err := s.Stored(t.Context(), sc, "s")
			must(t, err)
			must(t, s.Recomputed(t.Context(), sc, of, step.info))
			got, err := s.Stored(t.Context(), sc, "s")
			must(t, err)
			if string(got.Info) != string(step.info) || (tagged() != before) != step.changes {
				t.Errorf("after %s: changed is %v; stored %s", step.info, tagged() != before, got.Info)
			}
		}
	})
}

func TestRecordingsAreAskedForOnceByTheVersionThatHoldsAndAJobOfADeadWorkerHoldsUpNothing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ask := func(version string, want int) {
			t.Helper()
			must(t, s.Recompute(t.Context(), sc, version))
			if n := queued(t, s, job.Recompute, ""); n != want {
				t.Errorf("%d jobs after version %s has asked, want %d", n, version, want)
			}
		}
		measuredBy(t, s, sc, "s", foundBy("one", 1))
		ask("one", 0) // no version holds
		must(t, s.Hold(t.Context(), "one"))
		ask("one", 0) // nothing is outdated
		must(t, s.Hold(t.Context(), "two"))
		ask("one", 0) // an older server, which is still at work
		ask("two", 1)
		ask("two", 1)
		must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE river_job SET state = 'running' WHERE kind = $1`, job.Recompute))
		}))
		ask("two", 2)
		begun, err := s.Begun(context.Background())
		must(t, err)
		for _, b := range begun {
			if b.Work == job.Recompute {
				t.Error("a job without a lease is taken for one of a dead worker")
			}
		}
	})
}

func TestOtherNamesOfPointsHaveAllRecordingsOfTheirOrganizationMeasuredAgain(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		measuredBy(t, s, sc, "s", foundBy("current", 1))
		measuredBy(t, s, other, "t", foundBy("current", 1))
		outdated := func(want, wantOther int64) {
			t.Helper()
			for scope, want := range map[organization.Scope]int64{sc: want, other: wantOther} {
				if n, err := s.CountOutdated(t.Context(), scope, "current"); n != want || err != nil {
					t.Errorf("%d are outdated (%v), want %d", n, err, want)
				}
			}
		}
		own := func(points ...string) movement.MarkerSet {
			set := movement.MarkerSet{Landmarks: []movement.Landmark{}}
			for _, point := range points {
				set.Landmarks = append(set.Landmarks, movement.Landmark{Name: "pelvis", Points: [][]string{{point}}})
			}
			return set
		}
		any := func(*movement.MarkerSet) error { return nil }
		outdated(0, 0)
		must(t, s.SetLandmarks(t.Context(), sc, own("HIPS"), any))
		outdated(1, 0)
		if n := queued(t, s, job.Recompute, ""); n != 1 {
			t.Errorf("%d jobs", n)
		}
		of, err := s.Stored(t.Context(), sc, "s")
		must(t, err)
		set := own("HIPS")
		must(t, s.Recomputed(t.Context(), sc, of, fmt.Appendf(nil, `{"computed":{"library":"current","landmarks":%q}}`,
			set.Version())))
		outdated(0, 0)
		refusal := errors.New("no")
		if err := s.SetLandmarks(t.Context(), sc, own("X"), func(before *movement.MarkerSet) error {
			if before.Version() != set.Version() {
				t.Errorf("before it was %+v", before)
			}
			return refusal
		}); !errors.Is(err, refusal) {
			t.Error(err)
		}
		if kept, err := s.Landmarks(t.Context(), sc); err != nil || kept.Version() != set.Version() {
			t.Errorf("after a refusal it is %+v (%v)", kept, err)
		}
		must(t, s.SetLandmarks(t.Context(), sc, own(), any))
		outdated(1, 0)
	})
}

func TestLabelsThatAnImportChangesHaveTheRecordingMeasuredOnceMore(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		measuredBy(t, s, sc, "s", foundBy("current", 1))
		c := session("s", &noon)
		c.Dimensions = map[string]string{"bat_length": "33"}
		put(t, s, sc, c)
		if n := queued(t, s, job.Process, "s"); n != 0 {
			t.Error("it is measured once more although nothing that counts has changed")
		}
		c.Activity, c.Movement = ptr("jump"), ptr("squat")
		put(t, s, sc, c)
		w := claimed(t, s, sc, "s")
		if !w.Renew || strings.Contains(string(w.Info), `"library"`) || *w.Capture.Movement != "squat" {
			t.Errorf("the work is %+v", w)
		}
	})
}
