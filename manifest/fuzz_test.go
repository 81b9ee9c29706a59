package manifest_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
)

// FuzzLine holds that whatever stands in a line, it is either refused with a
// reason or becomes a record that can be written as a line and read back.
func FuzzLine(f *testing.F) {
	o := fixture.Organization{ID: org, Athletes: 3, Captures: 9, Jobs: 4, Shared: 0.5}
	for r := range o.Records() {
		f.Add(fixture.Line(r))
	}
	f.Add([]byte(`{"type":"capture","status":"error","error":"a\nb","activity":" \u00c4 ","capture_time":"2026-05-13T12:00+02","fps_detected":6e1,"dimensions":{"eyes":"\ud83d\ude00"}}`))
	f.Add([]byte(`{"type":"athlete","first_name":"A\u0308","positions":[],"custom_attributes":{"a":"\t"},"created_at":"2026-05-13T12:00:00"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := manifest.Parse(append([]byte(nil), line...), now)
		if err != nil {
			var told *fault.Error
			if !errors.As(err, &told) || told.Code != fault.BadRequest || told.Message == "" {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		if r.Capture != nil {
			if wire := r.Capture.AppendJSON(nil, ""); !json.Valid(wire) {
				t.Fatalf("shown as %s", wire)
			}
		}
		again, err := manifest.Parse(fixture.Line(r), now)
		if err != nil {
			t.Fatalf("written as %s\nit is refused: %v", fixture.Line(r), err)
		}
		if !reflect.DeepEqual(again, r) {
			t.Fatalf("written as %s\nit is another record", fixture.Line(r))
		}
	})
}
