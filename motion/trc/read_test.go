package trc_test

import (
	"errors"
	"fmt"
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
			return fmt.Sprintf("%d\t%.3f\t%d.5\t-2E+01\t0,25\t1\t%s\t3", i+3, float64(i+2)/50, i, []string{"", "NaN", "-nan", "2"}[i%4])
		}}.String())
		if rec.Frames != 10 || rec.FirstFrame != 3 || rec.Start != 0.04 || rec.Rate != 50 || rec.Times != nil || len(rec.Points) != 2 {
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
	if p := rec.Points[1]; p.Name != "LASI" || p.Subject != "Bob" || !slices.Equal(rec.Subjects, []string{"Ann", "Bob"}) {
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
	if len(rec.Points) != 3 || p.Name != "unnamed_3" || !p.Missing(3) || p.Z[4] != 9 || !p.Missing(5) || len(p.X) != 10 {
		t.Errorf("%d points, %+v", len(rec.Points), p)
	}
}

func TestWordsAmongNumbersAreWarnedAbout(t *testing.T) {
	rec := whole(t, table{row: func(i int, row string) string { return strings.Replace(row, "2.5", "0x12", 1) }}.String())
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
	rec := whole(t, table{rows: len(times), row: func(i int, _ string) string { return fmt.Sprintf("%d\t%s\t1\t2\t3", i+1, times[i]) }}.String())
	if len(rec.Times) != len(times) || rec.Start != rec.Times[0] {
		t.Errorf("begins at %v s, times %v", rec.Start, rec.Times)
	}
}

func TestAFewNamesAndEmptyRowsCannotTakeMemory(t *testing.T) {
	text := "PathFileType\t4\n" + "DataRate\tUnits\n50\tmm\nFrame#\tTime" + strings.Repeat("\ta\t\t", 40_000) + "\n\n" + strings.Repeat("1\n", 100_000)
	_, err := trc.Read(strings.NewReader(text), int64(len(text)))
	var u *quality.Unreadable
	if !errors.As(err, &u) || !strings.Contains(u.Error(), "nearly empty") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRead(b *testing.B) {
	text := table{rows: 5000, row: func(_ int, row string) string { return row + strings.Repeat("\t-1234.567", 120) }}.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trc.Read(strings.NewReader(text), int64(len(text))); err != nil {
			b.Fatal(err)
		}
	}
}
