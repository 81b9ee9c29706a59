package motion_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
)

// TestRecordingsThatStandBelowOneAnotherAreRefusedInEveryTextFormat has two recordings in the
// rows of one file, which nothing tells apart but the times that begin again.
func TestRecordingsThatStandBelowOneAnotherAreRefusedInEveryTextFormat(t *testing.T) {
	heads := map[string]string{
		"a.trc": "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t" +
			"OrigDataStartFrame\tOrigNumFrames\n100\t100\t%d\t1\tmm\t100\t1\t%[1]d\nFrame#\tTime\tA\t\t\n\t\tX1\t" +
			"Y1\tZ1\n\n",
		"a.sto": "Coordinates\nversion=1\nnRows=%d\nnColumns=3\ninDegrees=yes\nendheader\ntime\tknee_angle\t" +
			"hip_angle\n",
		"a.mot": "motion\nnRows=%d\nnColumns=3\nendheader\ntime\tknee_angle\thip_angle\n",
		"a.csv": "time,knee,hip\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a.trc", "a.sto", "a.mot", "a.csv"}).Draw(t, "format")
		first, second := rapid.IntRange(5, 100).Draw(t, "first"),
			rapid.SampledFrom([]int{0, 2, 3, 50}).Draw(t, "second")
		start := rapid.SampledFrom([]float64{0, 3.5}).Draw(t, "start")
		text := heads[name]
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, first+second)
		}
		line := strings.Count(text, "\n") + first + 1
		for i := range first + second {
			k := i
			if i >= first {
				k = i - first
			}
			at := start + float64(k)/100
			switch name {
			case "a.trc":
				text += fmt.Sprintf("%d\t%.5f\t%d\t2\t3\n", i+1, at, i)
			case "a.csv":
				text += fmt.Sprintf("%.3f,%d,%d\n", at, i, 2*i)
			default:
				text += fmt.Sprintf("%.8f\t%d.5\t%d.25\n", at, i%90, i%45)
			}
		}
		rec, err := motion.Read(name, strings.NewReader(text), int64(len(text)))
		switch {
		case second == 0 && (err != nil || rec.Frames != first):
			t.Fatalf("one recording: %v", err)
		case second > 0 && (err == nil || !strings.Contains(err.Error(), "stands below another") ||
			!strings.Contains(err.Error(), fmt.Sprintf("(line %d)", line))):
			t.Fatalf("two recordings, the second from line %d: %v", line, err)
		}
	})
}
