package table_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// resaved is a table of a time and some channels, as a program writes it that saves one again.
type resaved struct {
	sep     string
	decimal string
	tail    string // at the end of every line
	marks   int    // byte order marks
	head    []string
	count   int // of the rows, as a setting states it; 0 for none
	rows    [][]float64
}

func (r *resaved) text() string {
	var b strings.Builder
	b.WriteString(strings.Repeat("\ufeff", r.marks))
	if r.count > 0 {
		fmt.Fprintf(&b, "Number of frames%s%d%s\n", r.sep, r.count, r.tail)
	}
	fmt.Fprintf(&b, "%s%s\n", strings.Join(r.head, r.sep), r.tail)
	for i, row := range r.rows {
		cells := []string{fmt.Sprintf("%.2f", float64(i)/100)}
		for _, v := range row {
			cells = append(cells, strconv.FormatFloat(v, 'f', 2, 64))
		}
		fmt.Fprintf(&b, "%s%s\n", strings.ReplaceAll(strings.Join(cells, r.sep), ".", r.decimal), r.tail)
	}
	return b.String()
}

// drawResaved makes up the numbers, of which no two are alike.
func drawResaved(t *rapid.T) *resaved {
	r := &resaved{head: []string{"time"}, decimal: "."}
	width := rapid.IntRange(1, 5).Draw(t, "channels")
	for c := range width {
		r.head = append(r.head, fmt.Sprintf("c%c", 'a'+c))
	}
	for i := range rapid.IntRange(4, 30).Draw(t, "rows") {
		var row []float64
		for c := range width {
			row = append(row, float64(100*c+i)+0.25)
		}
		r.rows = append(r.rows, row)
	}
	return r
}

func (r *resaved) same(t *rapid.T, rec *record.Recording, text string) {
	if rec.Rate != 100 || rec.Frames != len(r.rows) || len(rec.Analogs) != len(r.head)-1 {
		t.Fatalf("%d frames at %v Hz, %d channels\n%s", rec.Frames, rec.Rate, len(rec.Analogs), text)
	}
	for c, channel := range rec.Analogs {
		for i, v := range channel.Values {
			if channel.Name != r.head[c+1] || float64(v) != r.rows[i][c] {
				t.Fatalf("%s in row %d is %v, want %v\n%s", channel.Name, i, v, r.rows[i][c], text)
			}
		}
	}
}

// TestATableThatWasSavedAgainHasTheSameNumbers writes a table as spreadsheets of other languages do:
// with semicolons at the ends of lines, decimal commas between blanks, several byte order marks, and
// with a count of rows that need not be right.
func TestATableThatWasSavedAgainHasTheSameNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawResaved(t)
		r.marks = rapid.IntRange(0, 3).Draw(t, "byte order marks")
		switch rapid.SampledFrom([]string{"tails", "blanks", "semicolons"}).Draw(t, "written") {
		case "tails":
			r.sep, r.tail = ",", strings.Repeat(";", rapid.IntRange(1, 6).Draw(t, "semicolons at the end"))
		case "blanks":
			r.sep, r.decimal = rapid.SampledFrom([]string{" ", "  "}).Draw(t, "blanks"), ","
		default:
			r.sep, r.decimal = ";", ","
			r.head[1] += rapid.SampledFrom([]string{"", ", uV"}).Draw(t, "unit")
		}
		if r.sep == ";" || r.sep == "," {
			r.count = rapid.SampledFrom([]int{0, len(r.rows), len(r.rows) + 7}).Draw(t, "count")
		}
		text := r.text()
		rec, err := readText(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if told, wrong := rec.Warnings.Has(quality.FramesDisagree), r.count > len(r.rows); told != wrong {
			t.Fatalf("warnings %v\n%s", rec.Warnings, text)
		}
		r.head[1] = strings.TrimSuffix(r.head[1], ", uV")
		r.same(t, rec, text)
	})
}

// TestDecimalCommasBetweenCommasAreToldAsTheReason has commas between the cells and within their
// numbers: the file is refused for that, and for nothing else.
func TestDecimalCommasBetweenCommasAreToldAsTheReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawResaved(t)
		r.sep, r.decimal = rapid.SampledFrom([]string{",", ", "}).Draw(t, "separator"), ","
		if _, err := readText(r.text()); !refused(err, "may be decimal signs as well") || !refused(err, "semicolons") {
			t.Fatalf("%v\n%s", err, r.text())
		}
	})
}

// TestNamesOfAnIndexStandInALineOfTheirOwn writes the names of several columns as pandas does where they
// have several lines, with the names of the index below them.
func TestNamesOfAnIndexStandInALineOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.SampledFrom([][]string{{"frame"}, {"time"}, {"frame", "time"}}).Draw(t, "index")
		markers := rapid.IntRange(1, 4).Draw(t, "markers")
		gap := strings.Repeat(",", len(index)-1)
		upper, axes, text := gap+"marker", gap+"axis", ""
		for m := range markers {
			for _, axis := range "XYZ" {
				upper, axes = fmt.Sprintf("%s,M%c", upper, 'A'+m), axes+","+string(axis)
			}
		}
		text = upper + "\n" + axes + "\n" + strings.Join(index, ",") + strings.Repeat(",", 3*markers) + "\n"
		for i := range 6 {
			cells := []string{fmt.Sprint(i), fmt.Sprintf("%.2f", float64(i)/100)}[:len(index)]
			if index[0] == "time" {
				cells[0] = fmt.Sprintf("%.2f", float64(i)/100)
			}
			for c := range 3 * markers {
				cells = append(cells, fmt.Sprintf("%d.5", 10*c+i))
			}
			text += strings.Join(cells, ",") + "\n"
		}
		rec, err := readText(text)
		if err != nil || len(rec.Points) != markers || rec.Frames != 6 {
			t.Fatalf("%v: %+v\n%s", err, rec, text)
		}
		for m, p := range rec.Points {
			if want := float64(30*m+3) + 10.5; p.Name != fmt.Sprintf("M%c", 'A'+m) || float64(p.Y[3]) != want {
				t.Fatalf("%s is at %v, want %v\n%s", p.Name, p.Y, want, text)
			}
		}
		if timed := index[len(index)-1] == "time"; timed != (rec.Rate == 100) {
			t.Fatalf("at %v Hz\n%s", rec.Rate, text)
		}
	})
}

// However the letters of names are coded, a table of text is none of the other kinds of files.
func TestATableInAnyAlphabetIsATable(t *testing.T) {
	for _, names := range []string{"\x8e\x9e\x8a\xd4,Fz",
		"\xc2\xf0\xe5\xec\xff,Fz", "\xca\xb1\xbc\xe4,Fz", "\xd8\xd8\xff,Fz",
		"\xe4\xf6\xfc,Fz", "Время,Fz", "関節,Fz", "زمن,Fz"} {
		rec, err := read(names + "\n0.00,1.5\n0.01,2.5\n0.02,3.5\n")
		if err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		if len(rec.Analogs) != 2 || rec.Analogs[1].Name != "Fz" || rec.Analogs[1].Values[2] != 3.5 {
			t.Errorf("%q: %+v", names, rec.Analogs)
		}
	}
}
