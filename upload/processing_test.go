package upload_test

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/upload"
)

func TestTheRestIsExpectedToGoOnAsFastAsWhatIsDone(t *testing.T) {
	begun := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return begun.Add(time.Duration(s * float64(time.Second))) }
	for _, c := range []struct {
		what    string
		p       upload.Processing
		now     float64
		seconds float64 // below 0: nothing is expected
	}{
		{"nobody has begun", upload.Processing{}, 10, -1},
		{"nothing was told", upload.Processing{Begun: begun}, 10, -1},
		{"nothing is done", upload.Processing{Begun: begun, Told: after(10)}, 10, -1},
		{"hardly anything is done", upload.Processing{Begun: begun, Told: after(10), Done: 0.009}, 10, -1},
		{"it has hardly begun", upload.Processing{Begun: begun, Told: after(0.5), Done: 0.5}, 1, -1},
		{"a clock that went back", upload.Processing{Begun: begun, Told: after(-5), Done: 0.5}, 1, -1},
		{"a quarter took ten seconds", upload.Processing{Begun: begun, Told: after(10), Done: 0.25}, 10, 30},
		{"four seconds have passed since", upload.Processing{Begun: begun, Told: after(10), Done: 0.25}, 14, 26},
		{"it takes longer than expected", upload.Processing{Begun: begun, Told: after(10), Done: 0.9}, 60, 0},
		{"all is done", upload.Processing{Begun: begun, Told: after(10), Done: 1}, 10, 0},
	} {
		left, ok := c.p.Left(after(c.now))
		if ok != (c.seconds >= 0) || ok && left.Seconds() != c.seconds {
			t.Errorf("%s: %v, %v", c.what, left, ok)
		}
	}
}

func TestProcessingIsToldWhileItLastsAndNeverLooksDoneBeforeItIs(t *testing.T) {
	begun := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	s := upload.Stored{Capture: capture.Capture{SessionID: "walk", Status: capture.Processing},
		Processing: upload.Processing{Begun: begun, Told: begun.Add(100 * time.Second), Done: 0.99999}}
	for _, c := range []struct {
		status capture.Status
		want   string
	}{
		{capture.Processing, `"begun_at":"2026-05-13T12:00:00.000Z","done":0.9999,"seconds_left":1}`},
		{capture.Completed, `"begun_at":null,"done":null,"seconds_left":null}`},
	} {
		s.Capture.Status = c.status
		want := `{"session_id":"walk","status":"` + string(c.status) + `",` + c.want
		if got := string(s.AppendProcessing(nil, begun.Add(100*time.Second))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
