//go:build corpus_video

package e2e

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func TestAVideoOfOneCameraBecomesMotion(t *testing.T) {
	testkit.Long(t)
	m := newMachine(t, apptest.SQLite)
	// another account could not enter the folder of a test
	m.env = append(append(m.env, videoSettings(t)...), "KINEBASE_READER_UID=0")
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
	if motion.Frames != 230 || motion.Rate == nil || *motion.Rate != 30 || motion.Up != "+y" ||
		!slices.Equal(motion.Unknown, []string{"depth"}) || len(motion.Bones) < 20 {
		t.Errorf("%d frames, rate %v, up %q, unknown %v, %d bones", motion.Frames, motion.Rate, motion.Up,
			motion.Unknown, len(motion.Bones))
	}
	missing := map[string]float64{}
	for _, channel := range motion.Channels {
		missing[channel.Name] = channel.Missing
	}
	// Two people: the one who is there longest is found in 208 of the 230 pictures, and the other one in 141.
	for who, pictures := range map[string]float64{"left_hip": 208, "left_hip_2": 141} {
		if found := 230 * (1 - missing[who]/100); math.Abs(found-pictures) > 5 {
			t.Errorf("%s is there in %v pictures", who, found)
		}
	}
	codes := map[string]bool{}
	for _, w := range motion.Warnings {
		codes[w.Code] = true
	}
	if !codes["scale-estimated"] || !codes["depth-unknown"] || !codes["several-people"] || codes["no-pose-estimator"] {
		t.Errorf("the warnings are %v", motion.Warnings)
	}
	for _, metric := range motion.Computed.Metrics { // of a squat, which this is not, and one camera
		if metric.Column == "peak_knee_flexion_left" {
			t.Errorf("one camera gives %v", metric)
		}
	}
}

// TestTheVideosOfSeveralCamerasBecomeMetres sends two real cameras and the calibration of four. The
// videos themselves are kept as they are, for what one camera gives is tested elsewhere.
func TestTheVideosOfSeveralCamerasBecomeMetres(t *testing.T) {
	testkit.Long(t)
	m := newMachine(t, apptest.PostgreSQL)
	settings := videoSettings(t)
	for i, setting := range settings {
		if command, ok := strings.CutPrefix(setting, "KINEBASE_VIDEO_PROCESSOR="); ok {
			program := strings.Trim(strings.Fields(command)[0], `"`)
			settings[i] = `KINEBASE_VIDEO_PROCESSOR=/bin/sh -c 'case "$1" in *.cameras) exec "$0" motion "$1" "$2.csv";; esac; printf "time,A_x [m],A_y [m],A_z [m]\n0,1,1,1\n1,1,1,1\n" > "$2.csv"' ` + program + ` {input} {output}`
		}
	}
	m.env = append(append(m.env, settings...), "KINEBASE_READER_UID=0")
	_, secret := m.token(m.organization())
	c, err := client.New(m.serve().url, secret)
	if err != nil {
		t.Fatal(err)
	}
	folder := corpus.Folder(t, "KINEBASE_TEST_VIDEO")
	first := sendVideo(t, c, "cam01.mp4", client.NewCapture{Camera: map[string]any{}})
	group, _, _ := strings.Cut(first.SessionID, "_")
	second := sendVideo(t, c, "cam02.mp4", client.NewCapture{GroupID: group, Camera: map[string]any{}})
	calibration, err := os.ReadFile(filepath.Join(folder, "calib.qca.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{
		// cameras are found by name
		"videos":      []map[string]any{{"session_id": second.SessionID}, {"session_id": first.SessionID}},
		"calibration": map[string]any{"name": "calib.qca.txt", "text": string(calibration)},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := send(t, c, client.NewCapture{FileName: "beam.cameras", GroupID: group, Activity: "squat",
		Movement: "bodyweight"}, string(text))
	if got := settledCapture(t, c, all.SessionID); got.Status != client.Completed {
		t.Fatalf("it ended in %s: %s", got.Status, *got.Error)
	}
	motion, err := c.Motion(t.Context(), all.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	if motion.Frames != 100 || *motion.Rate != 60 || motion.Up != "+z" || len(motion.Unknown) > 0 ||
		len(motion.Bones) < 20 || motion.Video != nil {
		t.Errorf("%d frames, rate %v, up %q, unknown %v, %d bones", motion.Frames, *motion.Rate, motion.Up,
			motion.Unknown, len(motion.Bones))
	}
	codes := map[string]bool{}
	for _, w := range motion.Warnings {
		codes[w.Code] = true
	}
	if !codes["reprojection-error"] {
		t.Errorf("the warnings are %v", motion.Warnings)
	}
	if motion.Computed == nil || motion.Computed.Used.MarkerSet == "" && len(motion.Computed.Withheld) == 0 {
		t.Errorf("nothing was measured: %+v", motion.Computed)
	}
}
