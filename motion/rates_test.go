package motion_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
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
		"a.sto": fmt.Sprintf("x\nendheader\ntime (s)\tv\n%v\t1\n%v\t2\n%v\t3\n", a, b, c),
		"a.trc": fmt.Sprintf("PathFileType\t4\t(X/Y/Z)\ta.trc\nNumFrames\tNumMarkers\tUnits\n3\t1\tm\nFrame#\tTime "+
			"(s)\tA\t\t\n\n1\t%v\t1\t2\t3\n2\t%v\t1\t2\t3\n3\t%v\t1\t2\t3\n", a, b, c),
		"a.csv": fmt.Sprintf("time (s),v\n%v,1\n%v,2\n%v,3\n", a, b, c),
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
				t.Errorf("%s: rows %v s apart are at %v Hz, want %v; the second is at %v s", name, step, rec.Rate, want,
					rec.Time(1))
			}
			if kept := rec.Warnings.Has(quality.TimesUneven); kept != (want == 0) {
				t.Errorf("%s: rows %v s apart: warnings %v", name, step, rec.Warnings)
			}
		}
	}
}

func TestTimesBeyondAllClocksAreNone(t *testing.T) {
	for _, times := range [][3]float64{{-1.7e308, 0, 1.7e308}, {1.7e308, 0, -1.7e308}, {1e300, 1e300, 1e300},
		{0, 1, 1e21}} {
		for name, text := range timed(times[0], times[1], times[2]) {
			if rec := held(t, name, text); rec.Duration() > 3 || math.Abs(rec.Start) > 2 {
				t.Errorf("%s: rows at %v s begin at %v s and take %v", name, times, rec.Start, rec.Duration())
			}
		}
	}
}

func TestAStatedRateOutsideItsBoundsIsNone(t *testing.T) {
	for stated, want := range map[string]float64{"1000000": 1e6, "0.001": 1e-3, "1000001": 0, "0.0009": 0, "1e300": 0,
		"-100": 0, "0": 0} {
		for name, text := range map[string]string{
			"a.trc": "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n" + stated +
				"\t1\t1\tm\nFrame#\tTime\tA\t\t\n\n1\t0\t1\t2\t3\n",
			"a.csv": "sessionid,fps,frame,time,v\na," + stated + ",0,,1\n",
		} {
			if rec := held(t, name, text); rec.Rate != want {
				t.Errorf("%s: %s Hz stated are %v", name, stated, rec.Rate)
			}
		}
	}
}

// paced are files of so many rows by a rate, whose times have so many decimals, in
// every format whose rows have one; stated is what they say of their rate, "" for
// nothing. A TRC file that says something is to be believed, so there is none.
func paced(rate float64, rows, decimals int, stated string) map[string]string {
	var csv, sto, trc strings.Builder
	if stated == "" {
		csv.WriteString("time (s),v\n")
		sto.WriteString("x\nendheader\ntime (s)\tv\n")
		fmt.Fprintf(&trc, "PathFileType\t4\t(X/Y/Z)\ta.trc\nNumFrames\tNumMarkers\tUnits\n%d\t1\tm\nFrame#\tTime "+
			"(s)\tA\t\t\n\n", rows)
	} else {
		csv.WriteString("sessionid,fps,frame,time,v\n")
		sto.WriteString("x\nDataRate=" + stated + "\nendheader\ntime\tv\n")
	}
	for i := range rows {
		at := fmt.Sprintf("%.*f", decimals, 2+float64(i)/rate)
		if stated != "" {
			fmt.Fprintf(&csv, "a,%s,%d,", stated, i)
		}
		csv.WriteString(at + ",1\n")
		sto.WriteString(at + "\t1\n")
		fmt.Fprintf(&trc, "%d\t%s\t1\t2\t3\n", i+1, at)
	}
	files := map[string]string{"a.csv": csv.String(), "a.sto": sto.String(), "a.trc": trc.String()}
	if stated != "" {
		delete(files, "a.trc")
	}
	return files
}

// lastly is by how much the last frame is told at another time than it was, in parts of
// what may be: 1.5 ms, or half of a pace.
func lastly(rec *motion.Recording, rate float64, rows int) float64 {
	off := math.Abs(rec.Time(rows-1) - (2 + float64(rows-1)/rate))
	return off / min(0.0015, 0.5/rate)
}

func TestTheLastFrameStaysInItsPlaceWhateverTheRate(t *testing.T) {
	for _, rate := range []float64{0.25, 3, 24000.0 / 1001, 29.97, 59.94, 99.503, 119.88012, 1000.0 / 30.05, 240.006,
		1259.2592, 2148.148} {
		for _, rows := range []int{3, 500, 40_000} {
			for name, text := range paced(rate, rows, 9, "") {
				rec := held(t, name, text)
				if off := lastly(rec, rate, rows); off > 1 || rec.Times != nil ||
					rec.Warnings.Has(quality.TimesUneven) {
					t.Errorf("%s: of %d rows at %v Hz, read at %v Hz, the last is %.3g times too far off", name, rows,
						rate, rec.Rate, off)
				}
			}
		}
	}
}

func TestTimesRoundedToAMillisecondGiveTheRateAllTheSame(t *testing.T) {
	for _, rate := range []float64{10, 25, 50, 59.94, 100, 119.88, 125, 200, 250, 500} {
		whole := rate == math.Trunc(rate)
		sizes := []int{200, 5000}
		if !whole { // it takes as many to tell such a rate exactly, and a whole one must be exact before
			sizes = append(sizes, 100_000)
		}
		for _, rows := range sizes {
			for name, text := range paced(rate, rows, 3, "") {
				rec := held(t, name, text)
				// The first and the last time are off by half a millisecond at most.
				near := 0.001*rate*rate/float64(rows-1) + 1e-5*rate
				if whole && rec.Rate != rate || math.Abs(rec.Rate-rate) > near || rec.Times != nil {
					t.Errorf("%s: %d rows at %v Hz are read at %v Hz", name, rows, rate, rec.Rate)
				}
				if rows == 100_000 && rec.Rate != rate {
					t.Errorf("%s: %d rows at %v Hz are read at %v Hz", name, rows, rate, rec.Rate)
				}
			}
		}
	}
}

func TestAStatedRateIsTakenOnlyWhereTheLastFrameStaysInItsPlace(t *testing.T) {
	for _, c := range []struct {
		stated string
		rate   float64
		rows   int
		taken  bool
	}{
		{"100", 100, 6000, true},
		{"119.88", 119.88012, 6000, true},
		{"60", 59.94, 3, true}, // a third of a millisecond
		{"60", 59.94, 6000, false},
		{"100", 1 / 0.01005, 6000, false},
		{"2148", 2148.148, 2148, true},
		{"2148", 2148.148, 60 * 2148, false},
		{"50", 100, 50, false},
	} {
		for name, text := range paced(c.rate, c.rows, 9, c.stated) {
			rec := held(t, name, text)
			if taken := fmt.Sprint(rec.Rate) == c.stated; taken != c.taken ||
				rec.Warnings.Has(quality.RateDisagrees) == c.taken {
				t.Errorf("%s: %d rows at %v Hz that say %s are read at %v Hz, warnings %v", name, c.rows, c.rate,
					c.stated, rec.Rate, rec.Warnings)
			}
			if off := lastly(rec, c.rate, c.rows); off > 1 {
				t.Errorf("%s: of %d rows at %v Hz that say %s the last is %.3g times too far off", name, c.rows, c.rate,
					c.stated, off)
			}
		}
	}
}

func TestFramesWithTimesOfTheirOwnLastFromTheEarliestToTheLatest(t *testing.T) {
	for name, text := range map[string]string{
		"a.trc": "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t3\t1\tm\nFrame#\t" +
			"Time\tA\t\t\n\n1\t0\t1\t2\t3\n2\t0.01\t1\t2\t3\n3\t9\t1\t2\t3\n",
		"a.csv": "sessionid,fps,frame,time,v\na,100,0,0,1\na,100,1,0.01,2\na,100,2,9,3\n",
	} {
		if rec := held(t, name, text); rec.Rate != 100 || rec.Duration() != 9 {
			t.Errorf("%s: at %v Hz the frames take %v s, want 9", name, rec.Rate, rec.Duration())
		}
	}
	for name, text := range timed(0, 0.01, 9) {
		if rec := held(t, name, text); rec.Rate != 0 || rec.Duration() != 9 || len(rec.Times) != 3 {
			t.Errorf("%s: uneven frames of no stated rate have %v Hz, and take %v s, want 9", name, rec.Rate,
				rec.Duration())
		}
	}
}

func TestLogsWhoseTimesScatterKeepThemAndHaveTheRateTheyScatterAbout(t *testing.T) {
	for _, rate := range []float64{50, 60, 100} {
		sto, csv := "x\nendheader\ntime\tv\n", "time (s),v\n"
		for i := range 200 {
			at := float64(i)/rate + 0.001*float64(i*i%7-3)
			sto, csv = sto+fmt.Sprintf("%.4f\t%d\n", at, i), csv+fmt.Sprintf("%.4f,%d\n", at, i)
		}
		for name, text := range map[string]string{"a.sto": sto, "a.csv": csv} {
			rec := held(t, name, text)
			if rec.Rate != rate || rec.Analogs[0].Rate != rate || len(rec.Times) != 200 ||
				!rec.Warnings.Has(quality.TimesUneven) {
				t.Errorf("%s at %v Hz has the rate %v and %d times, warnings %v", name, rate, rec.Rate, len(rec.Times),
					rec.Warnings)
			}
			h, err := motion.ReadHeader(name, strings.NewReader(text), int64(len(text)))
			if err != nil || h.Rate != rate {
				t.Errorf("the header of %s says %v Hz (%v)", name, h.Rate, err)
			}
		}
	}
}
