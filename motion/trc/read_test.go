package trc_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
)

func whole(t *testing.T, text string) *record.Recording {
	t.Helper()
	rec, err := trc.Read(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestAllNumbersAreKeptAndMissingOnesAreMissing(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r\r\n"} {
		rec := whole(t, table{end: end, first: 3, row: func(i int, row string) string {
			return fmt.Sprintf("%d\t%.3f\t%d.5\t-2E+01\t0,25\t1\t%s\t3", i+3, float64(i+2)/50, i,
				[]string{"", "NaN", "-nan", "2"}[i%4])
		}}.String())
		if rec.Frames != 10 || rec.FirstFrame != 3 || rec.Start != 0.04 || rec.Rate != 50 || rec.Times != nil ||
			len(rec.Points) != 2 {
			t.Fatalf("%+v", rec)
		}
		a, b := rec.Points[0], rec.Points[1]
		for f := range 10 {
			if a.X[f] != float32(f)+0.5 || a.Y[f] != -20 || a.Z[f] != 0.25 {
				t.Errorf("frame %d of %s is %v, %v, %v", f, a.Name, a.X[f], a.Y[f], a.Z[f])
			}
			if b.Missing(f) != (f%4 != 3) || b.Missing(f) && b.X[f] == b.X[f] || !b.Missing(f) && b.Y[f] != 2 {
				t.Errorf("frame %d of %s is %v, %v, %v", f, b.Name, b.X[f], b.Y[f], b.Z[f])
			}
		}
	}
}

func TestPrefixesAreSubjects(t *testing.T) {
	rec := whole(t, table{heads: "Frame#\tTime\tAnn:LASI\t\t\tBob:LASI\t\t"}.String())
	if p := rec.Points[1]; p.Name != "LASI" || p.Subject != "Bob" ||
		!slices.Equal(rec.Subjects, []string{"Ann", "Bob"}) {
		t.Errorf("%q of %q, subjects %q", p.Name, p.Subject, rec.Subjects)
	}
}

func TestMarkersWithoutANameAreKept(t *testing.T) {
	rec := whole(t, table{row: func(i int, row string) string {
		if i == 4 {
			return row + "\t7\t8\t9"
		}
		return row
	}}.String())
	p := rec.Points[2]
	if len(rec.Points) != 3 || p.Name != "unnamed_3" || !p.Missing(3) || p.Z[4] != 9 || !p.Missing(5) ||
		len(p.X) != 10 {
		t.Errorf("%d points, %+v", len(rec.Points), p)
	}
}

func TestWordsAmongNumbersAreWarnedAbout(t *testing.T) {
	rec := whole(t, table{row: func(i int, row string) string { return strings.Replace(row, "2.5", "0x12", 1) }}.
		String())
	if !rec.Warnings.Has(quality.CellsUnreadable) || !rec.Points[0].Missing(0) {
		t.Errorf("%v, warnings %v", rec.Points[0].Y[0], rec.Warnings)
	}
}

func TestUnevenTimesAreKept(t *testing.T) {
	rec := whole(t, table{row: func(i int, row string) string {
		if i >= 5 {
			return strings.Replace(row, "\t0.", "\t1.", 1)
		}
		return row
	}}.String())
	if !rec.Warnings.Has(quality.TimesUneven) || rec.Times == nil || rec.Time(4) != 0.08 || rec.Time(5) != 1.1 {
		t.Errorf("times %v, warnings %v", rec.Times, rec.Warnings)
	}
}

func TestTheFirstFrameHasATimeThoughItsRowHasNone(t *testing.T) {
	times := []string{"", "4", "3", "3", "1", "0"}
	rec := whole(t, table{rows: len(times),
		row: func(i int, _ string) string { return fmt.Sprintf("%d\t%s\t1\t2\t3", i+1, times[i]) }}.String())
	if len(rec.Times) != len(times) || rec.Start != rec.Times[0] {
		t.Errorf("begins at %v s, times %v", rec.Start, rec.Times)
	}
}

func TestAFileThatLeavesFramesOutHasTheRateOfItsRows(t *testing.T) {
	for name, c := range map[string]struct {
		stated string
		every  int
		want   float64
		code   quality.Code
	}{
		"every second frame":             {"100", 2, 50, quality.RateDisagrees},
		"every tenth frame":              {"100", 10, 10, quality.RateDisagrees},
		"every second frame, no rate":    {"0", 2, 50, quality.RateMissing},
		"renumbered, at the rate of all": {"50", 2, 50, quality.RateDisagrees}, // the numbers say 100 Hz
	} {
		rec := whole(t, table{rows: 20, values: c.stated + "\t0\t20\t2\tmm", row: func(i int, _ string) string {
			return fmt.Sprintf("%d\t%.2f\t1\t2\t3", 1+i*c.every, 7+float64(i*c.every)/100)
		}}.String())
		if rec.Rate != c.want || rec.Start != 7 || math.Abs(rec.Time(19)-(7+0.19*float64(c.every))) > 1e-9 ||
			!rec.Warnings.Has(quality.FramesJump) || !rec.Warnings.Has(c.code) {
			t.Errorf("%s: at %v Hz from %v s, the last at %v s, warnings %v", name, rec.Rate, rec.Start, rec.Time(19),
				rec.Warnings)
		}
		if math.Abs(rec.Duration()-20/c.want) > 1e-9 {
			t.Errorf("%s: takes %v s", name, rec.Duration())
		}
	}
	rec := whole(t, table{rows: 40, row: func(i int, _ string) string { // one is left out
		if i >= 20 {
			i++
		}
		return fmt.Sprintf("%d\t%.2f\t1\t2\t3", 1+i, float64(i)/50)
	}}.String())
	if rec.Rate != 50 || rec.Time(39) != 0.8 || rec.Time(19) != 0.38 || !rec.Warnings.Has(quality.TimesUneven) {
		t.Errorf("at %v Hz, times %v, warnings %v", rec.Rate, rec.Times, rec.Warnings)
	}
}

func TestTheFirstFramesHaveATimeByTheOthers(t *testing.T) {
	for timeless := range 4 {
		for _, rate := range []string{"50", "0"} {
			rec := whole(t, table{values: rate + "\t0\t10\t2\tmm", row: func(i int, _ string) string {
				if i < timeless {
					return fmt.Sprintf("%d\t\t1\t2\t3", i+1)
				}
				return fmt.Sprintf("%d\t%.2f\t1\t2\t3", i+1, 5+float64(i)/50)
			}}.String())
			if math.Abs(rec.Start-5) > 1e-9 || math.Abs(rec.Time(9)-5.18) > 1e-9 || rec.Rate != 50 || rec.Times != nil {
				t.Errorf("without the time of %d rows, DataRate %s: from %v s to %v s at %v Hz", timeless, rate,
					rec.Start, rec.Time(9), rec.Rate)
			}
		}
	}
	rec := whole(t, table{first: 11,
		row: func(i int, _ string) string { return fmt.Sprintf("%d\t\t1\t2\t3", i+11) }}.String())
	if rec.Start != 0.2 || rec.Rate != 50 {
		t.Errorf("without any time frame 11 is at %v s", rec.Start)
	}
}

func TestUnevenRowsThatStateNoRateHaveNone(t *testing.T) {
	uneven := func(i int, _ string) string { return fmt.Sprintf("%d\t%.2f\t1\t2\t3", i+1, float64(i*i)/100) }
	rec := whole(t, table{values: "0\t0\t10\t2\tmm", row: uneven}.String())
	if rec.Rate != 0 || rec.Time(9) != 0.81 || !rec.Warnings.Has(quality.RateMissing) ||
		!rec.Warnings.Has(quality.TimesUneven) {
		t.Errorf("%v Hz, times %v, warnings %v", rec.Rate, rec.Times, rec.Warnings)
	}
	if rec = whole(t, table{row: uneven}.String()); rec.Rate != 50 || rec.Time(9) != 0.81 {
		t.Errorf("%v Hz where 50 are stated, times %v", rec.Rate, rec.Times)
	}
}

func TestAFewNamesAndEmptyRowsCannotTakeMemory(t *testing.T) {
	text := "PathFileType\t4\n" + "DataRate\tUnits\n50\tmm\nFrame#\tTime" + strings.Repeat("\ta\t\t", 40_000) + "\n\n" +
		strings.Repeat("1\n", 100_000)
	_, err := trc.Read(strings.NewReader(text), int64(len(text)))
	var u *quality.Unreadable
	if !errors.As(err, &u) || !strings.Contains(u.Error(), "nearly empty") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRead(b *testing.B) {
	text := table{rows: 5000,
		row: func(_ int, row string) string { return row + strings.Repeat("\t-1234.567", 120) }}.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trc.Read(strings.NewReader(text), int64(len(text))); err != nil {
			b.Fatal(err)
		}
	}
}
