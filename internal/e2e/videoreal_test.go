//go:build corpus_video

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
)

// sendVideo sends one of the real videos, and gives its capture when it has been processed.
func sendVideo(t *testing.T, c *client.Client, name string, n client.NewCapture) *client.Capture {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus.Folder(t, "KINEBASE_TEST_VIDEO"), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n.FileName = name
	r, err := c.Reserve(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Upload(t.Context(), r, f); err != nil {
		t.Fatal(err)
	}
	return settledCapture(t, c, r.SessionID)
}

// settledCapture waits until a capture is processed.
func settledCapture(t *testing.T, c *client.Client, id string) (got *client.Capture) {
	t.Helper()
	testkit.Until(t, id+" is processed", func() bool {
		var err error
		if got, err = c.Capture(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return got.Status == client.Completed || got.Status == client.Failed
	})
	return got
}

func TestAVideoOfOneCameraBecomesMotion(t *testing.T) {
	testkit.Long(t)
	m := newMachine(t, apptest.SQLite)
	m.env = append(append(m.env, videoSettings(t)...), "KINEBASE_READER_UID=0") // another account could not enter the folder of a test
	_, secret := m.token(m.organization())
	c, err := client.New(m.serve().url, secret)
	if err != nil {
		t.Fatal(err)
	}
	name, height := "Jo", 70
	tall, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: &name, Height: &height})
	if err != nil {
		t.Fatal(err)
	}
	got := sendVideo(t, c, "one_camera_walk.mp4", client.NewCapture{
		AthleteIDs: []string{tall.ID}, Activity: "squat", Movement: "bodyweight", Camera: map[string]any{},
	})
	if got.Status != client.Completed {
		t.Fatalf("it ended in %s: %v", got.Status, *got.Error)
	}
	motion, err := c.Motion(t.Context(), got.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	if motion.Frames != 230 || motion.Rate == nil || *motion.Rate != 30 || motion.Up != "+y" || !slices.Equal(motion.Unknown, []string{"depth"}) || len(motion.Bones) < 20 {
		t.Errorf("%d frames, rate %v, up %q, unknown %v, %d bones", motion.Frames, motion.Rate, motion.Up, motion.Unknown, len(motion.Bones))
	}
	missing := -1.0
	for _, channel := range motion.Channels {
		if channel.Name == "left_hip" {
			missing = channel.Missing
		}
	}
	if missing < 0 || missing > 5 {
		t.Errorf("%v %% of the left hip are missing", missing)
	}
	codes := map[string]bool{}
	for _, w := range motion.Warnings {
		codes[w.Code] = true
	}
	if !codes["scale-estimated"] || !codes["depth-unknown"] || codes["no-pose-estimator"] {
		t.Errorf("the warnings are %v", motion.Warnings)
	}
	for _, metric := range motion.Computed.Metrics { // of a squat, which this is not, and one camera
		if metric.Column == "peak_knee_flexion_left" {
			t.Errorf("one camera gives %v", metric)
		}
	}
}
