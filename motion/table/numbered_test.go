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

// TestRowsWithoutTimesLieAtTheTimesOfTheirNumbers leaves frames out of a table that has their numbers
// and a stated rate, but no times: every row that is left keeps the time of its number, or none has a
// time.
func TestRowsWithoutTimesLieAtTheTimesOfTheirNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{30, 100, 1000}).Draw(t, "rate")
		first := rapid.SampledFrom([]int{0, 1, 500, 65530}).Draw(t, "first")
		step := rapid.SampledFrom([]int{1, 1, 1, 2, 10}).Draw(t, "step")
		long := rapid.Bool().Draw(t, "long")
		setting := rapid.SampledFrom([]string{"Frame Rate,%g", "Sample rate: %g Hz", "Export Frame Rate,%g"}).Draw(t,
			"setting")
		n := rapid.IntRange(8, 60).Draw(t, "frames")
		var text strings.Builder
		fmt.Fprintf(&text, setting+"\n\n", rate)
		if long {
			text.WriteString("frame,keypoint,x\n")
		} else {
			text.WriteString("frame,x\n")
		}
		var kept []int
		for i := range n {
			if i%4 == 2 && i < n-1 && rapid.Bool().Draw(t, "left out") {
				continue
			}
			kept = append(kept, first+step*i)
			if long {
				fmt.Fprintf(&text, "%[1]d,nose,%[2]d\n%[1]d,tail,%[2]d\n", first+step*i, 7*i)
			} else {
				fmt.Fprintf(&text, "%d,%d\n", first+step*i, 7*i)
			}
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil || rec.Frames != len(kept) || rec.FirstFrame != first {
			t.Fatalf("%v: %+v\n%s", err, rec, text.String())
		}
		gaps := len(kept) < n
		switch {
		case step > 1 && !strings.HasPrefix(setting, "Export"):
			if rec.Rate != 0 || rec.Times != nil || !rec.Warnings.Has(quality.RateDisagrees) {
				t.Fatalf("at %v Hz: %v\n%s", rec.Rate, rec.Warnings, text.String())
			}
		case step > 1: // the rate is that of the rows
			if rec.Rate != rate {
				t.Fatalf("at %v Hz: %v\n%s", rec.Rate, rec.Warnings, text.String())
			}
		default:
			for i, number := range kept {
				if got, want := rec.Time(i), float64(number-first)/rate; math.Abs(got-want) > 1e-9 {
					t.Fatalf("frame %d is at %v s, want %v s\n%s", number, got, want, text.String())
				}
			}
			if (rec.Times != nil) != gaps || rec.Warnings.Has(quality.TimesUneven) != gaps || rec.Rate != rate {
				t.Fatalf("at %v Hz, %v: %v\n%s", rec.Rate, rec.Times, rec.Warnings, text.String())
			}
		}
	})
}

// TestAFullCounterOfFramesLeavesNoneOut has a counter of 8 or 16 bits begin again at 0: nothing is
// left out there.
func TestAFullCounterOfFramesLeavesNoneOut(t *testing.T) {
	for _, most := range []int{255, 65535} {
		var text strings.Builder
		text.WriteString("Sample rate,100\n\nPacketCounter,x\n")
		for i := range 40 {
			n := (most - 20 + i) % (most + 1)
			if i != 30 {
				fmt.Fprintf(&text, "%d,%d\n", n, i)
			}
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil || rec.Rate != 100 || rec.Times == nil {
			t.Fatalf("%v: %+v", err, rec)
		}
		for i, v := range rec.Analogs[0].Values {
			if math.Abs(rec.Time(i)-float64(v)/100) > 1e-9 {
				t.Errorf("full at %d: the row of %v is at %v s", most, v, rec.Time(i))
			}
		}
	}
}

// TestNumbersThatMayCountTheRowsAreToldWhereTheyLeaveSomeOut leaves rows out of a table whose column may
// count them, or measure something.
func TestNumbersThatMayCountTheRowsAreToldWhereTheyLeaveSomeOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"sample", "Sample #", "Index", "row", "packet_number"}).Draw(t, "name")
		counts := rapid.Bool().Draw(t, "counts")
		rate := rapid.SampledFrom([]string{"", "Sample rate: 100 Hz\n\n"}).Draw(t, "rate")
		var text strings.Builder
		text.WriteString(rate + name + ",x\n")
		n, gaps := rapid.IntRange(12, 60).Draw(t, "rows"), 0
		for i, at := 0, 3; i < n; i++ {
			switch {
			case !counts:
				at = i * i
			case i > 0 && i%4 == 0 && rapid.Bool().Draw(t, "left out"):
				at, gaps = at+rapid.IntRange(2, 5).Draw(t, "step"), gaps+1
			default:
				at++
			}
			fmt.Fprintf(&text, "%d,%d\n", at, 7*i+1)
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil || rec.Frames != n || len(rec.Analogs) != 2 || rec.Times != nil {
			t.Fatalf("%v: %+v\n%s", err, rec, text.String())
		}
		if told := rec.Warnings.Has(quality.TimesUneven); told != (gaps > 0 && rate != "") {
			t.Fatalf("%d gaps: %v\n%s", gaps, rec.Warnings, text.String())
		}
	})
}
