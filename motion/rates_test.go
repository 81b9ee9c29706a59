package motion_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// timed are files of three rows at the times that are given, in every format whose
// rows have one, and no place that states a rate.
func timed(a, b, c float64) map[string]string {
	return map[string]string{
		"a.sto": fmt.Sprintf("x\nendheader\ntime\tv\n%v\t1\n%v\t2\n%v\t3\n", a, b, c),
		"a.trc": fmt.Sprintf("PathFileType\t4\t(X/Y/Z)\ta.trc\nNumFrames\tNumMarkers\tUnits\n3\t1\tm\nFrame#\tTime\tA\t\t\n\n1\t%v\t1\t2\t3\n2\t%v\t1\t2\t3\n3\t%v\t1\t2\t3\n", a, b, c),
		"a.csv": fmt.Sprintf("time,v\n%v,1\n%v,2\n%v,3\n", a, b, c),
	}
}

func held(t *testing.T, name, text string) *motion.Recording {
	t.Helper()
	rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
		return motion.Read(name, bytes.NewReader([]byte(text)), int64(len(text)))
	})
	if rec == nil {
		t.Fatalf("%q cannot be read", text)
	}
	h := header(t, name, []byte(text))
	if h.Rate != rec.Rate || h.Frames != rec.Frames {
		t.Errorf("%d rows at %v Hz, the header says %d at %v", rec.Frames, rec.Rate, h.Frames, h.Rate)
	}
	return rec
}

func TestARateOutsideItsBoundsIsNoneAndTheTimesAreKept(t *testing.T) {
	for _, step := range []float64{0.001, 1e-6, 1000, 9.9e-7, 7e-7, 1e-12, 1000.2, 1e15} {
		want := 1 / step
		if step < 1e-6 || step > 1000 {
			want = 0
		}
		for name, text := range timed(0, step, 2*step) {
			rec := held(t, name, text)
			if math.Abs(rec.Rate-want) > 1e-6*want || math.Abs(rec.Time(1)-step) > 1e-6*step {
				t.Errorf("%s: rows %v s apart are at %v Hz, want %v; the second is at %v s", name, step, rec.Rate, want, rec.Time(1))
			}
			if kept := rec.Warnings.Has(quality.TimesUneven); kept != (want == 0) {
				t.Errorf("%s: rows %v s apart: warnings %v", name, step, rec.Warnings)
			}
		}
	}
}

func TestTimesBeyondAllClocksAreNone(t *testing.T) {
	for _, times := range [][3]float64{{-1.7e308, 0, 1.7e308}, {1.7e308, 0, -1.7e308}, {1e300, 1e300, 1e300}, {0, 1, 1e21}} {
		for name, text := range timed(times[0], times[1], times[2]) {
			if rec := held(t, name, text); rec.Duration() > 3 || math.Abs(rec.Start) > 2 {
				t.Errorf("%s: rows at %v s begin at %v s and take %v", name, times, rec.Start, rec.Duration())
			}
		}
	}
}

func TestAStatedRateOutsideItsBoundsIsNone(t *testing.T) {
	for stated, want := range map[string]float64{"1000000": 1e6, "0.001": 1e-3, "1000001": 0, "0.0009": 0, "1e300": 0, "-100": 0, "0": 0} {
		for name, text := range map[string]string{
			"a.trc": "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n" + stated + "\t1\t1\tm\nFrame#\tTime\tA\t\t\n\n1\t0\t1\t2\t3\n",
			"a.csv": "sessionid,fps,frame,time,v\na," + stated + ",0,,1\n",
		} {
			if rec := held(t, name, text); rec.Rate != want {
				t.Errorf("%s: %s Hz stated are %v", name, stated, rec.Rate)
			}
		}
	}
}
