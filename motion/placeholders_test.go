package motion_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
	"pgregory.net/rapid"
)

// measurement is a marker and a force of so many frames, written as a table of a kind.
func measurement(kind string, x [][4]float64) string {
	var b strings.Builder
	switch kind {
	case "csv":
		b.WriteString("time,A_X (mm),A_Y (mm),A_Z (mm),Fz (N)\n")
	case "trc":
		fmt.Fprintf(&b, "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t%d\t1\tmm\n"+
			"Frame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n", len(x))
	case "sto":
		fmt.Fprintf(&b, "a\nversion=1\nnRows=%d\nnColumns=2\ninDegrees=no\nendheader\ntime\tforce\n", len(x))
	}
	for i, v := range x {
		t := float64(i) / 100
		switch kind {
		case "csv":
			fmt.Fprintf(&b, "%.2f,%v,%v,%v,%v\n", t, v[0], v[1], v[2], v[3])
		case "trc":
			fmt.Fprintf(&b, "%d\t%.2f\t%v\t%v\t%v\n", i+1, t, v[0], v[1], v[2])
		case "sto":
			fmt.Fprintf(&b, "%.2f\t%v\n", t, v[3])
		}
	}
	return b.String()
}

func readText(t interface{ Fatalf(string, ...any) }, kind, text string) *motion.Recording {
	rec, err := motion.Read("a."+kind, bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return rec
}

func TestNumbersThatStandWhereNothingWasMeasuredAreMissingAndTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"csv", "trc", "sto"}).Draw(t, "kind")
		n := rapid.IntRange(3, 30).Draw(t, "frames")
		mark := rapid.SampledFrom([]float64{-9999, -99999, -999999, 9999, 99999, 999999}).Draw(t, "mark")
		lost := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "lost")
		lost[n-1] = false
		rows := make([][4]float64, n)
		gone := 0
		for i := range rows {
			for k := range rows[i] {
				rows[i][k] = math.Round(rapid.Float64Range(-4000, 4000).Draw(t, "number")*8) / 8
			}
			if lost[i] {
				rows[i], gone = [4]float64{mark, mark, mark, mark}, gone+1
			}
		}
		rec := readText(t, kind, measurement(kind, rows))
		for i := range rows {
			if len(rec.Points) > 0 {
				if p := &rec.Points[0]; p.Missing(i) != lost[i] || !lost[i] && float64(p.X[i]) != rows[i][0] {
					t.Errorf("frame %d is at %v, written %v", i, p.X[i], rows[i])
				}
			}
			for _, c := range rec.Analogs {
				missing, want := math.IsNaN(float64(c.Values[i])), lost[i] && mark < 0
				if missing != want || !missing && float64(c.Values[i]) != rows[i][3] {
					t.Errorf("%s in frame %d is %v, written %v", c.Name, i, c.Values[i], rows[i][3])
				}
			}
		}
		if told := rec.Warnings.Has(quality.Placeholders); told != (gone > 0) {
			t.Errorf("%d are lost; warnings %v", gone, rec.Warnings)
		}
	})
}

func TestNumbersThatWereMeasuredAreNoPlaceholders(t *testing.T) {
	for name, at := range map[string]func(i int) float64{
		"a course through 9999":   func(i int) float64 { return float64(9990 + i) },
		"a course through -9999":  func(i int) float64 { return float64(-9990 - i) },
		"beside numbers as large": func(i int) float64 { return []float64{-9999, 5001}[i%2] },
		"of another size":         func(i int) float64 { return []float64{-998, 3}[i%2] },
		"-99 among its like":      func(i int) float64 { return []float64{-99, -60}[i%2] },
		"not whole":               func(i int) float64 { return []float64{-9999.5, 3}[i%2] },
	} {
		for _, kind := range []string{"csv", "trc", "sto"} {
			rows := make([][4]float64, 30)
			for i := range rows {
				rows[i] = [4]float64{at(i), at(i), at(i), at(i)}
			}
			rec := readText(t, kind, measurement(kind, rows))
			for i := range rows {
				if len(rec.Points) > 0 && float64(rec.Points[0].Z[i]) != at(i) || kind != "trc" &&
					float64(rec.Analogs[0].Values[i]) != at(i) {
					t.Errorf("%s in %s: frame %d is not %v", name, kind, i, at(i))
				}
			}
			if rec.Warnings.Has(quality.Placeholders) {
				t.Errorf("%s in %s: %v", name, kind, rec.Warnings)
			}
		}
	}
	// Of a position one number alone is none: the two others were measured.
	rec := readText(t, "csv", measurement("csv", [][4]float64{{1, 2, 3, 4}, {-9999, 2, 3, 5}, {1, 2, 3, 6}}))
	if rec.Points[0].X[1] != -9999 || rec.Points[0].Missing(1) {
		t.Errorf("%+v", rec.Points[0])
	}
}

// TestNumbersThatMayStandForNoneAreKeptAndTold has a single number such as -99 kept, for a sensor
// may have measured it, but never in silence; of a point all three of whose numbers are -99 nothing
// is kept.
func TestNumbersThatMayStandForNoneAreKeptAndTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"csv", "trc", "sto"}).Draw(t, "kind")
		n := rapid.IntRange(3, 30).Draw(t, "frames")
		mark := rapid.SampledFrom([]float64{-99, -999, 999, -99.9, -999.9, -99.99, -999.99, -9999.9, -9999.99,
			-99999.99, -32768, -2147483648}).Draw(t, "mark")
		rows := make([][4]float64, n)
		gone := map[int]bool{}
		for i := range rows {
			for k := range rows[i] {
				rows[i][k] = math.Round(rapid.Float64Range(-49, 49).Draw(t, "number")*8) / 8
			}
			if i < n-1 && rapid.Bool().Draw(t, "lost") {
				rows[i], gone[i] = [4]float64{mark, mark, mark, mark}, true
			}
		}
		rec := readText(t, kind, measurement(kind, rows))
		for i := range rows {
			if len(rec.Points) > 0 {
				if p := &rec.Points[0]; p.Missing(i) != gone[i] || !gone[i] && float64(p.X[i]) != rows[i][0] {
					t.Errorf("frame %d is at %v, written %v", i, p.X[i], rows[i])
				}
			}
			for _, c := range rec.Analogs {
				if c.Values[i] != float32(rows[i][3]) {
					t.Errorf("%s in frame %d is %v, written %v", c.Name, i, c.Values[i], rows[i][3])
				}
			}
		}
		if told := rec.Warnings.Has(quality.Placeholders); told != (len(gone) > 0) {
			t.Errorf("%v are lost; warnings %v", gone, rec.Warnings)
		}
	})
}

func TestAMarkerThatWasNeverSeenIsMissing(t *testing.T) {
	for _, mark := range []float64{-9999, 99999} {
		rows := make([][4]float64, 5)
		for i := range rows {
			rows[i] = [4]float64{mark, mark, mark, float64(i)}
		}
		for _, kind := range []string{"csv", "trc"} {
			rec := readText(t, kind, measurement(kind, rows))
			for i := range rows {
				if !rec.Points[0].Missing(i) {
					t.Errorf("%s: frame %d is at %v", kind, i, rec.Points[0].X[i])
				}
			}
		}
	}
}
