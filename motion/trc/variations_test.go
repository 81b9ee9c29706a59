package trc_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/trc"
)

func TestHoweverNamesAndCellsStandTheNumbersAreTheSameOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		markers := []string{"LASI", "R.Heel", "C7"}[:rapid.IntRange(1, 3).Draw(t, "markers")]
		sep := rapid.SampledFrom([]string{"\t", ",", ";"}).Draw(t, "separator")
		point := rapid.SampledFrom([]string{".", ","}).Draw(t, "decimals")
		quoted := rapid.Bool().Draw(t, "quoted")
		style := rapid.SampledFrom([]string{"once", "in order", "thrice", "axes", "axes apart"}).Draw(t, "names")
		counted := rapid.SampledFrom([]string{"markers", "nothing", "columns"}).Draw(t, "NumMarkers")
		frames := rapid.IntRange(2, 6).Draw(t, "frames")
		value := func(f, m, axis int) float64 { return float64(100*m+10*axis+f) + 0.25 }
		cell := func(v float64) string {
			s := strings.ReplaceAll(fmt.Sprintf("%.2f", v), ".", point)
			if quoted {
				return `"` + s + `"`
			}
			return s
		}
		var names, axes []string
		for i, m := range markers {
			axes = append(axes, fmt.Sprintf("X%d", i+1), fmt.Sprintf("Y%d", i+1), fmt.Sprintf("Z%d", i+1))
			switch style {
			case "once":
				names = append(names, m, "", "")
			case "in order":
				names = append(names, m)
			case "thrice":
				names = append(names, m, m, m)
			case "axes":
				names = append(names, m+"_X", m+"_Y", m+"_Z")
			default:
				names = append(names, m+" x", m+" y", m+" z")
			}
		}
		number := map[string]string{"markers": fmt.Sprint(len(markers)),
			"columns": fmt.Sprint(3 * len(markers))}[counted]
		lead := []string{"", ""}[:rapid.IntRange(0, 2).Draw(t, "cells before the axes")]
		lines := []string{
			strings.Join([]string{"PathFileType", "4", "(X/Y/Z)", "a.trc"}, sep),
			strings.Join([]string{"DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units"}, sep),
			strings.Join([]string{"100", "100", fmt.Sprint(frames), number, "mm"}, sep),
			strings.Join(append([]string{"Frame#", "Time"}, names...), sep),
			strings.Join(append(lead, axes...), sep), "",
		}
		for f := range frames {
			row := []string{fmt.Sprint(f + 1), cell(float64(f) / 100)}
			for m := range markers {
				for axis := range 3 {
					row = append(row, cell(value(f, m, axis)))
				}
			}
			lines = append(lines, strings.Join(row, sep))
		}
		text := strings.Join(lines, "\r\n") + "\r\n"
		rec, err := trc.Read(strings.NewReader(text), int64(len(text)))
		var unreadable *quality.Unreadable
		if errors.As(err, &unreadable) {
			if counted == "markers" && (sep != "," || point == ".") {
				t.Errorf("refused: %v", err)
			}
			return
		}
		if err != nil || rec.Frames != frames || len(rec.Points) != len(markers) || rec.Rate != 100 {
			t.Fatalf("%v: %+v\n%s", err, rec, text)
		}
		if rec.Warnings.Has(quality.RowsSkipped) {
			t.Errorf("the axes are no row: %v", rec.Warnings)
		}
		for m, p := range rec.Points {
			if !strings.HasPrefix(p.Name, markers[m]) {
				t.Errorf("marker %d is called %q", m, p.Name)
			}
			for f := range frames {
				for axis, got := range []float32{p.X[f], p.Y[f], p.Z[f]} {
					if want := value(f, m, axis); float64(got) != want {
						t.Errorf("%s, frame %d: %v and not %v, warnings %v\n%s", p.Name, f, got, want, rec.Warnings,
							text)
					}
				}
			}
		}
	})
}

func TestAxesInAnotherOrderAreRefused(t *testing.T) {
	const rows = "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t6\n"
	for axes, right := range map[string]bool{
		"\t\tX1\tY1\tZ1\tX2\tY2\tZ2": true, "\t\tx\ty\tz\tx\ty\tz": true, "X1\tY1\tZ1\tX2\tY2\tZ2": true,
		"\t\tX1\t\tY1\t\tZ1\t\tX2\t\tY2\t\tZ2": true, "": true,
		"\t\tX1\tZ1\tY1\tX2\tZ2\tY2": false, "\t\tY1\tZ1\tX1\tY2\tZ2\tX2": false, "\t\tX1\tY1\tX2\tY2\tX3\tY3": false,
		"\t\tX1\tX2\tY1\tY2\tZ1\tZ2": false, "\t\tX1\tY1\tZ1\tR1\tX2\tY2\tZ2\tR2": false,
		"X1\tY1\tZ1\tResidual1\tX2\tY2\tZ2\tResidual2": false, "\t\tx\ty\tz\tcameras\tx\ty\tz\tcameras": false,
	} {
		text := "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t2\t2\tmm\nFrame#\tTime\t" +
			"A\t\t\tB\n" + axes + "\n\n" + rows
		_, err := trc.Read(strings.NewReader(text), int64(len(text)))
		var unreadable *quality.Unreadable
		if right && err != nil || !right &&
			(!errors.As(err, &unreadable) || !strings.Contains(err.Error(), "(line 5)")) {
			t.Errorf("%q: %v", axes, err)
		}
	}
}

// TestRowsThatAllHaveOneTimeAreTold has the same time in every row: they lie one after another by
// DataRate, and not in silence.
func TestRowsThatAllHaveOneTimeAreTold(t *testing.T) {
	for _, at := range []string{"0", "0.000", "12.5"} {
		text := "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t3\t1\tmm\nFrame#\tTime\tA\n" +
			"\t\tX1\tY1\tZ1\n\n"
		for i := range 3 {
			text += fmt.Sprintf("%d\t%s\t%d\t2\t3\n", i+1, at, i)
		}
		rec, err := trc.Read(strings.NewReader(text), int64(len(text)))
		if err != nil || rec.Rate != 100 || rec.Frames != 3 || !rec.Warnings.Has(quality.RateDisagrees) {
			t.Errorf("%s: %v, %+v", at, err, rec)
		}
	}
}

func TestTimesThatDisagreeGrosslyWithTheRateCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stated := rapid.SampledFrom([]float64{25, 60, 100, 250, 1000}).Draw(t, "DataRate")
		real := stated * rapid.SampledFrom([]float64{0.1, 0.25, 0.5, 1, 2, 10}).Draw(t, "factor")
		unit := rapid.SampledFrom([]float64{1, 1e3, 1e6}).Draw(t, "counted in a second")
		first := rapid.SampledFrom([]float64{0, 2}).Draw(t, "first")
		if unit != 1 && real != stated {
			return // nobody can tell
		}
		var text strings.Builder
		fmt.Fprintf(&text, "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n%g\t30\t1\tmm\n"+
			"Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n\n", stated)
		for f := range 30 {
			fmt.Fprintf(&text, "%d\t%.6f\t%d\t2\t3\n", f+1, (first+float64(f)/real)*unit, f)
		}
		rec, err := trc.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for f := range 30 {
			if want := first + float64(f)/real; math.Abs(rec.Time(f)-want) > 0.002 {
				t.Fatalf("frame %d is at %v and not at %v, at %v Hz; warnings %v", f, rec.Time(f), want, rec.Rate,
					rec.Warnings)
			}
		}
		if rec.Warnings.Has(quality.RateDisagrees) != (real != stated || unit != 1) {
			t.Errorf("warnings %v", rec.Warnings)
		}
	})
}

func TestAMarkerWithTheSignOfCortexIsMissing(t *testing.T) {
	text := "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t2\t1\tmm\nFrame#\tTime\t" +
		"A\n\t\tX1\tY1\tZ1\n\n" +
		"1\t0\t1\t2\t3\n2\t0.01\t9999999\t9999999.0\t9999999\n"
	rec, err := trc.Read(strings.NewReader(text), int64(len(text)))
	if err != nil || rec.Points[0].Missing(0) || !rec.Points[0].Missing(1) {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestALineOfNothingButBlanksAndSeparatorsIsNoRow(t *testing.T) {
	for _, blank := range []string{"", "\v", "\f", " ,;", ",,,,", "\t\t", ";\v;", "\v,\v"} {
		text := "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t2\t1\tmm\nFrame#\tTime\t" +
			"A\n\t\tX1\tY1\tZ1\n" +
			blank + "\n1\t0\t1\t2\t3\n2\t0.01\t1\t2\t3\n"
		if rec, err := trc.Read(strings.NewReader(text), int64(len(text))); err != nil || rec.Frames != 2 {
			t.Errorf("%q: %+v, %v", blank, rec, err)
		}
	}
}

func TestTimesThatScatterOrAreRoundedAreHeldAgainstDataRateAsEvenOnesAre(t *testing.T) {
	even := func(rate, perSecond, apart float64) func(i int) float64 {
		return func(i int) float64 { return math.Round(perSecond*float64(i)/rate) + apart*float64(i*i%5-2) }
	}
	for name, c := range map[string]struct {
		stated float64
		time   func(i int) float64
		want   float64
		last   float64 // time of the last row in seconds
	}{
		"milliseconds rounded at 60 Hz":  {60, even(60, 1000, 0), 60, 0.65},
		"milliseconds rounded at 120 Hz": {120, even(120, 1000, 0), 120, 0.325},
		"milliseconds that scatter":      {100, even(100, 1000, 1), 100, 0.389},
		"microseconds":                   {200, even(200, 1e6, 0), 200, 0.195},
		"ten times too fast": {250, func(i int) float64 { return float64(i)/25 + 0.001*float64(i*i%5-2) },
			25, 1.559},
		"ten times too fast, and a gap": {250, func(i int) float64 { return float64(i)/25 + 0.2*float64(i/20) }, 0,
			1.76},
		"no rate": {0, func(i int) float64 { return float64(i)/50 + 0.001*float64(i*i%5-2) },
			50, 0.779},
	} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf("PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n%v\t40\t1\t"+
				"mm\nFrame#\tTime\tA\t\t\n\n", c.stated)
			for i := range 40 {
				text += fmt.Sprintf("%d\t%v\t%d\t1\t2\n", i+1, c.time(i), i)
			}
			rec, err := trc.Read(strings.NewReader(text), int64(len(text)))
			if err != nil {
				t.Fatal(err)
			}
			if rec.Rate != c.want || !rec.Warnings.Has(quality.RateDisagrees) && c.stated > 0 {
				t.Errorf("%v Hz, want %v; warnings %v", rec.Rate, c.want, rec.Warnings)
			}
			if last := rec.Time(39); math.Abs(last-c.last) > 0.0015 {
				t.Errorf("the last row is at %v s, want %v", last, c.last)
			}
		})
	}
}

func TestATableWithoutItsFrameNumbersIsRefused(t *testing.T) {
	for _, rate := range []float64{10, 50, 100, 120, 250, 1000} {
		for _, from := range []float64{0, 1, 2.5} {
			text := "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t30\t2\tmm\nFrame#\t" +
				"Time\tA\t\t\tB\n" +
				"\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
			for f := range 30 {
				text += fmt.Sprintf("%.4f\t1\t2\t3\t4\t5\t6\n", from+float64(f)/rate)
			}
			if rec, err := trc.Read(strings.NewReader(text), int64(len(text))); err == nil {
				t.Errorf("%v Hz from %v s: %d frames, %v", rate, from, rec.Frames, rec.Points)
			}
		}
	}
}
