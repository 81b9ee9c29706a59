package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/table"
)

// TestPartsOfADayAreNeverSeconds writes times of day as spreadsheets keep them, as parts of a day in
// plain numbers: they become seconds where a stated rate tells it, and else a column and no times.
func TestPartsOfADayAreNeverSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{1, 10, 50, 100}).Draw(t, "rate")
		begins := math.Round(rapid.Float64Range(0, 80_000).Draw(t, "seconds of the day"))
		n := rapid.IntRange(4, 40).Draw(t, "rows")
		stated := rapid.Bool().Draw(t, "stated")
		var text strings.Builder
		if stated {
			fmt.Fprintf(&text, "Sample rate,%g\n\n", rate)
		}
		text.WriteString("time,x\n")
		for i := range n {
			fmt.Fprintf(&text, "%.14f,%d\n", (begins+float64(i)/rate)/86400, 2*i)
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if stated {
			if math.Abs(rec.Start-begins) > 1e-6 || rec.Rate != rate || rec.Times != nil || len(rec.Analogs) != 1 {
				t.Fatalf("from %v s at %v Hz, want %v s at %v Hz: %v\n%s", rec.Start, rec.Rate, begins, rate,
					rec.Warnings, text.String())
			}
			return
		}
		if rec.Rate != 0 || rec.Times != nil || rec.Start != 0 || !rec.Warnings.Has(quality.TimeUnitUnknown) ||
			len(rec.Analogs) != 2 || rec.Analogs[1].Name != "time" {
			t.Fatalf("from %v s at %v Hz: %+v\n%s", rec.Start, rec.Rate, rec, text.String())
		}
	})
}

// TestFastSamplesWithAUnitOrARateAreSeconds has as many rows a second as parts of a day would make
// of a slow recording: where the unit or the rate says so, they are seconds.
func TestFastSamplesWithAUnitOrARateAreSeconds(t *testing.T) {
	for _, head := range []string{"time (s),x", "Sample rate,86400\n\ntime,x"} {
		var text strings.Builder
		fmt.Fprintln(&text, head)
		for i := range 50 {
			fmt.Fprintf(&text, "%.9f,%d\n", float64(i)/86400, 2*i)
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil || rec.Rate != 86400 || len(rec.Analogs) != 1 {
			t.Errorf("%q: %v, %+v", head, err, rec)
		}
	}
}
