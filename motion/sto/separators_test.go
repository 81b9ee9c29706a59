package sto_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/sto"
)

func TestHoweverCellsAreSetApartTheNumbersAreTheSameOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{"\t", ",", ";", " ", "   "}).Draw(t, "separator")
		point := rapid.SampledFrom([]string{".", ","}).Draw(t, "decimals")
		quoted := rapid.SampledFrom([]string{"nothing", "words", "all"}).Draw(t, "quoted")
		filled := rapid.Bool().Draw(t, "filled up")
		rows := [][3]float64{}
		for i := range rapid.IntRange(2, 6).Draw(t, "rows") {
			rows = append(rows, [3]float64{float64(i) / 100, rapid.Float64Range(-2000, 2000).Draw(t, "a"),
				rapid.Float64Range(-2, 2).Draw(t, "b")})
		}
		word := func(s string) string {
			if quoted != "nothing" {
				return `"` + s + `"`
			}
			return s
		}
		var lines []string
		for _, head := range []string{"my trial", fmt.Sprintf("nRows=%d", len(rows)), "nColumns=3", "inDegrees=yes",
			"endheader"} {
			line := word(head)
			if filled && sep != " " && sep != "   " {
				line += sep + sep
			}
			lines = append(lines, line)
		}
		lines = append(lines, word("time")+sep+word("knee_angle_r")+sep+word("load"))
		for _, row := range rows {
			var cells []string
			for _, v := range row {
				cell := strings.ReplaceAll(fmt.Sprintf("%.3f", v), ".", point)
				if quoted == "all" {
					cell = `"` + cell + `"`
				}
				cells = append(cells, cell)
			}
			lines = append(lines, strings.Join(cells, sep))
		}
		text := strings.Join(lines, "\r\n") + "\r\n"
		rec, err := sto.Read(strings.NewReader(text), int64(len(text)))
		var unreadable *quality.Unreadable
		if errors.As(err, &unreadable) {
			if point == "." && sep != "," && strings.TrimSpace(sep) != "" {
				t.Errorf("refused: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Frames != len(rows) {
			t.Fatalf("%d rows of %d, warnings %v", rec.Frames, len(rows), rec.Warnings)
		}
		for f, row := range rows {
			for c, values := range [][]float32{rec.Angles[0].Values, rec.Analogs[0].Values} {
				got, want := values[f], row[c+1]
				if math.Abs(float64(got)-want) > 6e-4+1e-6*math.Abs(want) &&
					(got == got || !rec.Warnings.Has(quality.CellsUnreadable)) {
					t.Errorf("row %d, column %d is %v, want %v; warnings %v\n%s", f, c, got, want, rec.Warnings, text)
				}
			}
		}
	})
}

func TestAnEmptyNameIsLeftOutWhereTheHeaderCountsNoColumnForIt(t *testing.T) {
	const rows = "endheader\ntime\tr1_z\t\tr1_z_u\n0\t1\t7\n0.01\t2\t8\n"
	rec := whole(t, "x\nnColumns=3\n"+rows)
	if len(rec.Analogs) != 2 || rec.Analogs[1].Name != "r1_z_u" || rec.Analogs[1].Values[1] != 8 ||
		!rec.Warnings.Has(quality.NamesShifted) {
		t.Errorf("%+v, warnings %v", rec.Analogs, rec.Warnings)
	}
	text := "x\n" + rows
	var u *quality.Unreadable
	if _, err := sto.Read(strings.NewReader(text), int64(len(text))); !errors.As(err, &u) || u.Line != 4 {
		t.Errorf("where nothing counts the columns: %v", err)
	}
}

func TestNoStatedTimeIsMovedWithoutAWarning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{2, 5, 10, 25, 30, 50, 60, 100, 120, 200}).Draw(t, "rate")
		n := rapid.IntRange(4, 40).Draw(t, "rows")
		moved, by := rapid.IntRange(0, n-1).Draw(t, "row"), rapid.Float64Range(-0.9, 0.9).Draw(t, "by")/rate
		digits := rapid.SampledFrom([]int{3, 4, 6, 8}).Draw(t, "digits")
		var text strings.Builder
		text.WriteString("x\nendheader\ntime\tF\n")
		for i := range n {
			at := float64(i) / rate
			if i == moved {
				at += by
			}
			fmt.Fprintf(&text, "%.*f\t%d\n", digits, at, i)
		}
		rec, err := sto.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil {
			t.Fatal(err)
		}
		rounding := 0.00151 // of times in thousandths
		if !regexp.MustCompile(`(?m)^\d+\.\d\d0*[1-9]\d*\t`).MatchString(text.String()) {
			rounding = 0.0101 // all are in hundredths
		}
		for i, line := range strings.Split(text.String(), "\n")[3 : 3+n] {
			var stated float64
			if _, err := fmt.Sscan(line, &stated); err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(rec.Time(i) - stated); d > rounding && len(rec.Warnings) == 0 {
				t.Errorf("row %d is at %v and not at %v, at %v Hz, without a warning", i, rec.Time(i), stated, rec.Rate)
			}
		}
	})
}
