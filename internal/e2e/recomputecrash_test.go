package e2e

import (
	"context"
	"fmt"
	"maps"
	"math"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestRecordingsAreMeasuredAgainHoweverOftenTheServerIsKilled gives points other names, which has
// all recordings measured again, and kills the server in the middle of it. In the end each is
// measured by the names that hold, and none has been changed, for all values are as they were.
func TestRecordingsAreMeasuredAgainHoweverOftenTheServerIsKilled(t *testing.T) {
	testkit.Long(t)
	for _, e := range []apptest.Engine{apptest.SQLite, apptest.PostgreSQL} {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, e)
			j := begun(t, m)
			ctx := context.Background()
			var sessions []string
			heights := map[string]float64{}
			file, height := leap(1000)
			for n := range 8 {
				r, err := j.client.Reserve(ctx,
					client.NewCapture{FileName: fmt.Sprintf("jump%d.csv", n), Activity: "jump",
						Movement: "countermovement"})
				if err != nil {
					t.Fatal(err)
				}
				j.upload(r, file)
				sessions = append(sessions, r.SessionID)
			}
			motion := func(session string) *client.Motion {
				got, err := j.client.Motion(ctx, session)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			modified := func() map[string]time.Time {
				page, err := j.client.ListCaptures(ctx, client.CaptureFilter{Include: []string{"updated"}})
				if err != nil {
					t.Fatal(err)
				}
				all := map[string]time.Time{}
				for _, c := range page.Captures {
					all[c.SessionID] = *c.UpdatedAt
				}
				return all
			}
			for _, session := range sessions {
				j.await(session, "completed")
				if heights[session] = found(motion(session),
					"jump_height"); !(math.Abs(heights[session]-height) < 0.004) {
					t.Fatalf("a jump is %v m high, want %v", heights[session], height)
				}
			}
			before := modified()
			middle := 0
			for round := range 3 {
				names, err := j.client.PutLandmarks(ctx, false,
					[]client.Landmark{{Name: "left_heel", Points: [][]string{{fmt.Sprintf("HEEL%d", round)}}}})
				if err != nil {
					t.Fatal(err)
				}
				current := func() (n int) {
					for _, session := range sessions {
						if c := motion(session).Computed; c != nil && c.Landmarks == names.Version {
							n++
						}
					}
					return n
				}
				testkit.Until(t, "a recording is measured by the new names", func() bool { return current() > 0 })
				j.server.kill()
				j.start()
				if n := current(); n < len(sessions) {
					middle++
				}
				testkit.Until(t, "all recordings are measured by the new names",
					func() bool { return current() == len(sessions) })
			}
			t.Logf("%d of 3 times the server was killed in the middle", middle)
			for _, session := range sessions {
				if got := found(motion(session), "jump_height"); got != heights[session] {
					t.Errorf("the height was %v m and is %v", heights[session], got)
				}
			}
			if after := modified(); len(after) != len(sessions) || !maps.Equal(after, before) {
				t.Errorf("captures were changed, and no value of them is another: %v, before %v", after, before)
			}
		})
	}
}
