package table_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"pgregory.net/rapid"
)

func TestSummariesBelowTheRowsAreNoFramesThoughNothingNamesThem(t *testing.T) {
	summaries := map[string]func(v []float64) float64{
		"sum":  func(v []float64) (s float64) { return total(v) },
		"mean": func(v []float64) float64 { return total(v) / float64(len(v)) },
		"min":  func(v []float64) float64 { return slices.Min(v) },
		"max":  func(v []float64) float64 { return slices.Max(v) },
		"median": func(v []float64) float64 {
			v = slices.Sorted(slices.Values(v))
			return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
		},
		"standard deviation": func(v []float64) float64 { return spread(v, 1) },
		"its whole":          func(v []float64) float64 { return spread(v, 0) },
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range summaries {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 40).Draw(t, "rows")
		columns := make([][]float64, rapid.IntRange(2, 4).Draw(t, "columns"))
		for k := range columns {
			for range n {
				columns[k] = append(columns[k], float64(rapid.IntRange(-5000, 5000).Draw(t, "number"))/4)
			}
		}
		var text strings.Builder
		key := rapid.SampledFrom([]string{"time", "frame"}).Draw(t, "key")
		text.WriteString(key + strings.Repeat(",v", len(columns)) + "\n")
		for i := range n {
			if key == "time" {
				fmt.Fprintf(&text, "%.2f", float64(i)/100)
			} else {
				fmt.Fprint(&text, i)
			}
			for _, c := range columns {
				fmt.Fprintf(&text, ",%.2f", c[i])
			}
			text.WriteString("\n")
		}
		below := rapid.SliceOfN(rapid.SampledFrom(append(names, "a frame")), 1, 1).Draw(t, "below")[0]
		for _, c := range columns {
			if below == "a frame" {
				fmt.Fprintf(&text, ",%.2f", c[n-1]+0.07)
			} else {
				fmt.Fprintf(&text, ",%.2f", summaries[below](c))
			}
		}
		rec, err := read(text.String() + "\n")
		if err != nil {
			t.Fatal(err)
		}
		frames, code := n, quality.RowsSkipped
		if below == "a frame" {
			frames, code = n+1, quality.TimesMissing
		}
		if rec.Frames != frames || !rec.Warnings.Has(code) {
			t.Errorf("%d frames above %s are %d, warnings %v\n%s", n, below, rec.Frames, rec.Warnings, text.String())
		}
	})
}

func TestRowsWithNumbersAboveTheFirstTimeAreTold(t *testing.T) {
	rec := whole(t, "time,knee,hip\n,29.5,24\n0,20,10\n0.01,30,20\n0.02,40,42\n")
	if rec.Frames != 4 || !rec.Warnings.Has(quality.TimesMissing) {
		t.Errorf("%d frames, warnings %v", rec.Frames, rec.Warnings)
	}
	rec = whole(t, "time,knee,hip\nNA,NA,NA\n0,20,10\n0.01,30,20\n0.02,40,42\n")
	if rec.Warnings.Has(quality.TimesMissing) {
		t.Errorf("warnings %v", rec.Warnings)
	}
}

func total(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func spread(v []float64, less int) (s float64) {
	for _, x := range v {
		s += (x - total(v)/float64(len(v))) * (x - total(v)/float64(len(v)))
	}
	return math.Sqrt(s / float64(len(v)-less))
}
