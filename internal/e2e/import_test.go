package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// TestAnImportLeavesRoomForOtherWrites creates athletes through the interface
// while thousands of captures are imported.
func TestAnImportLeavesRoomForOtherWrites(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		captures := 15_000 // fifteen transactions of the import on PostgreSQL: many more than two
		if e == apptest.SQLite {
			captures = 40_000 // transactions of at most 5,000
		}
		m := newMachine(t, e)
		org := m.organization()
		_, secret := m.token(org)
		s := m.serve()
		c := s.client(secret)
		made := fixture.Organization{ID: org, Athletes: 100, Captures: captures}
		var text bytes.Buffer
		if err := made.WriteNDJSON(&text); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(m.home, "manifest.ndjson")
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var done summary
		begun, ended := time.Now(), make(chan time.Duration, 1)
		go func() {
			defer close(ended)
			m.run(&done, "import", "--org", org, file)
			ended <- time.Since(begun)
		}()

		writes, slowest := 0, time.Duration(0)
		took := time.Duration(0)
		for took == 0 {
			before := time.Now()
			if _, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: ptr("Ada")}); err != nil {
				t.Errorf("beside an import: %v", err)
			}
			writes, slowest = writes+1, max(slowest, time.Since(before))
			select {
			case took = <-ended:
				t.Logf("%d captures in %v; beside them %d writes, the slowest %v", captures,
					took.Round(time.Millisecond), writes, slowest.Round(time.Millisecond))
			default:
			}
			if t.Failed() {
				<-ended
				return
			}
		}
		// A write that finds no gap between two transactions of an import waits for its end.
		if slowest > took/2 {
			t.Errorf("a write took %v of the %v of an import", slowest, took)
		}
		if done.Captures != int64(captures) || done.Failed != 0 {
			t.Errorf("the import says %+v", done)
		}
		page, err := c.ListCaptures(t.Context(), client.CaptureFilter{Limit: 1})
		if err != nil || page.TotalCount != int64(captures) {
			t.Errorf("right after the import the list counts %+v (%v), want %d", page, err, captures)
		}
	})
}
