package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
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
