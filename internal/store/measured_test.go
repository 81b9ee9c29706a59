package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
)

func TestAFileImportedAgainLeavesWhatPeopleHaveAdded(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, ctx := p.open(), context.Background()
		scope := tenant(t, s, "Files")
		take := func(c capture.Capture, measured bool) manifest.Effect {
			t.Helper()
			out, err := s.Import(ctx, scope, []manifest.Record{{Capture: &c, Measured: measured}}, false)
			if err != nil || out[0].Err != nil {
				t.Fatal(err, out)
			}
			return out[0].Effect
		}
		rate, jump, at := 100.0, "jump", time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
		file := capture.Capture{SessionID: "file", Status: capture.Completed, FPSDetected: &rate, Source: capture.SourceImport}
		take(file, true)
		told := file
		told.Activity, told.CaptureTime = &jump, &at
		take(told, false)
		if e := take(file, true); e != manifest.Unchanged {
			t.Errorf("the same file again: effect %v", e)
		}
		why := "The file is cut short."
		broken := capture.Capture{SessionID: "file", Status: capture.Error, Error: &why, Source: capture.SourceImport}
		if e := take(broken, true); e != manifest.Updated {
			t.Errorf("a file that is read otherwise now: effect %v", e)
		}
		a, err := s.Capture(ctx, scope, "file")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"activity":"jump"`, `"capture_time":"2026-05-13T12:00:00.000Z"`, `"status":"error"`, why, `"fps_detected":null`} {
			if !strings.Contains(string(a.Body), want) {
				t.Errorf("no %s in %s", want, a.Body)
			}
		}
	})
}

func TestAnImportedAthleteIsNeverUpdatedBeforeItWasCreated(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		take := func(a athlete.Athlete) manifest.Outcome {
			t.Helper()
			out, err := s.Import(t.Context(), sc, []manifest.Record{{Athlete: &a}}, false)
			must(t, err)
			got, err := s.Athlete(t.Context(), sc, a.ID)
			must(t, err)
			if got.UpdatedAt.Before(got.CreatedAt) {
				t.Errorf("created %v, updated %v", got.CreatedAt, got.UpdatedAt)
			}
			return out[0]
		}
		long := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		a := person("1")
		a.CreatedAt, a.UpdatedAt = time.Time{}, long
		take(a)
		a.CreatedAt, a.UpdatedAt = time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}
		refused(t, take(a).Err, fault.BadRequest, "created_at")
	})
}
