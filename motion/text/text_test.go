package text_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/text"
	"pgregory.net/rapid"
)

func TestNumbersAreReadAsPeopleWriteThem(t *testing.T) {
	for s, want := range map[string]float64{"1": 1, " 1.5\t": 1.5, "-1E+01": -10, "0,25": 0.25, "1.": 1, ".5": 0.5,
		"+3": 3, "1e-400": 0} {
		if got, ok := text.Number([]byte(s)); !ok || got != want {
			t.Errorf("%q is %v, %v; want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", " ", "x", "1 2", "0x10", "1_000", "1,2,3", "NaN", "inf", "1e400", "-", "1.2.3",
		strings.Repeat("1", 500)} {
		if got, ok := text.Number([]byte(s)); ok {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
}

func TestACellIsANumberOrMissingOrWrong(t *testing.T) {
	for s, want := range map[string]float32{"1.5": 1.5, "-2,5": -2.5} {
		if got, ok := text.Cell([]byte(s)); !ok || got.Near != want {
			t.Errorf("%q is %v, %v; want %v", s, got, ok, want)
		}
	}
	for s, right := range map[string]bool{"": true, " ": true, "NaN": true, "nan": true, "-NAN": true,
		"-nan(ind)": true, "1.#QNAN": true, "inf": true, "1e99": true, "x": false, "0x1": false, "1 2": false} {
		if got, ok := text.Cell([]byte(s)); got.Value == got.Value || got.Near == got.Near || ok != right {
			t.Errorf("%q is %v, %v; want it missing, %v", s, got, ok, right)
		}
	}
}

func TestEveryNumberReadsBackToItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Float32().Filter(func(v float32) bool { return math.Abs(float64(v)) < math.MaxFloat32 }).Draw(t,
			"number") // the largest stands for none
		s := strconv.FormatFloat(float64(want), rapid.SampledFrom([]byte("gef")).Draw(t, "form"), -1, 32)
		if got, ok := text.Cell([]byte(s)); !ok || got.Near != want {
			t.Fatalf("%s is %v, want %v", s, got, want)
		}
	})
}

func TestColumnsAreAsLongAsThereAreRows(t *testing.T) {
	c := text.NewColumns(2, 100)
	c.Set(0, text.FigureOf(1))
	mustEnd(t, c)
	c.Set(3, text.FigureOf(7))
	mustEnd(t, c)
	mustEnd(t, c)
	for column, want := range [][]float64{{1, math.NaN(), math.NaN()}, {math.NaN(), math.NaN(), math.NaN()},
		{math.NaN(), math.NaN(), math.NaN()}, {math.NaN(), 7, math.NaN()}} {
		got := c.Column(column)
		if len(got) != 3 {
			t.Fatalf("column %d has %d rows", column, len(got))
		}
		for row, w := range want {
			if g := float64(got[row]); g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
				t.Errorf("row %d of column %d is %v, want %v", row, column, g, w)
			}
		}
	}
}

func mustEnd(t *testing.T, c *text.Columns) {
	t.Helper()
	if err := c.EndRow(1); err != nil {
		t.Fatal(err)
	}
}

func TestATableCannotOutgrowItsFile(t *testing.T) {
	c := text.NewColumns(1000, 5000)
	for row := range 100_000 {
		if err := c.EndRow(row); err != nil {
			var u *quality.Unreadable
			if !errors.As(err, &u) || u.Line != row || row < 4000 {
				t.Errorf("after %d rows: %v", row, err)
			}
			return
		}
	}
	t.Error("a hundred million cells of a file of 5,000 bytes")
}
