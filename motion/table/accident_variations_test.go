package table_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// Axes that stand beside each other in any order are a point, with every number on its own axis.
func TestAxesInAnyOrderAreThePointThatTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sign := rapid.SampledFrom([]string{"_", ".", " ", ":", "-"}).Draw(t, "sign")
		sep := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator")
		upper := rapid.Bool().Draw(t, "capitals")
		unit := rapid.SampledFrom([]string{"", " (mm)", " [m]"}).Draw(t, "unit")
		depth := rapid.IntRange(1, 2).Draw(t, "lines of names")
		order := rapid.Permutation([]int{0, 1, 2}).Draw(t, "order")
		between := rapid.Bool().Draw(t, "a channel between")
		things := []string{"LASI", "RASI"}
		names, upperNames := []string{"time"}, []string{""}
		for k, thing := range things {
			for _, axis := range order {
				name := string("xyz"[axis])
				if upper {
					name = strings.ToUpper(name)
				}
				upperNames = append(upperNames, thing)
				if depth == 1 {
					name = thing + sign + name
				}
				names = append(names, name+unit)
			}
			if between && k == 0 {
				upperNames, names = append(upperNames, "load"), append(names, "load")
			}
		}
		text := ""
		if depth == 2 {
			text = strings.Join(upperNames, sep) + "\n"
		}
		text += strings.Join(names, sep) + "\n"
		rows := rapid.IntRange(3, 20).Draw(t, "rows")
		value := func(row, thing, axis int) float64 { return float64(100*thing+10*axis+row) + 0.25 }
		for i := range rows {
			cells := []string{fmt.Sprintf("%.2f", float64(i)/100)}
			for k := range things {
				for _, axis := range order {
					cells = append(cells, fmt.Sprint(value(i, k, axis)))
				}
				if between && k == 0 {
					cells = append(cells, "7.5")
				}
			}
			text += strings.Join(cells, sep) + "\n"
		}
		rec, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Points) != len(things) {
			t.Fatalf("%d points of %q", len(rec.Points), names)
		}
		for k := range things {
			for i := range rows {
				p := &rec.Points[k]
				if p.Name != things[k] || float64(p.X[i]) != value(i, k, 0) || float64(p.Y[i]) != value(i, k, 1) ||
					float64(p.Z[i]) != value(i, k, 2) {
					t.Fatalf("%s in row %d is %v, %v, %v", p.Name, i, p.X[i], p.Y[i], p.Z[i])
				}
			}
		}
	})
}

// LabVIEW writes times in one column, in one for each channel, or not at all, and units above the names.
func TestTablesOfLabVIEWHaveTheirTimesAndUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]string{"One", "No", "Multi"}).Draw(t, "X_Columns")
		sep := rapid.SampledFrom([]string{"\t", ",", ";"}).Draw(t, "separator")
		commas := sep != "," && rapid.Bool().Draw(t, "decimal commas")
		channels := rapid.IntRange(1, 3).Draw(t, "channels")
		rate := rapid.SampledFrom([]float64{10, 100, 1000, 2500}).Draw(t, "rate")
		comment := rapid.Bool().Draw(t, "comment")
		units := rapid.Bool().Draw(t, "units")
		rows := rapid.IntRange(4, 60).Draw(t, "rows")
		var b strings.Builder
		number := func(v float64, digits int) string {
			s := fmt.Sprintf("%.*f", digits, v)
			if commas {
				s = strings.Replace(s, ".", ",", 1)
			}
			return s
		}
		line := func(cells ...string) { b.WriteString(strings.Join(cells, sep) + "\n") }
		about := func(name string, of func(c int) string) {
			cells := []string{name}
			for c := range channels {
				if c > 0 && form == "Multi" {
					cells = append(cells, "")
				}
				cells = append(cells, of(c))
			}
			line(cells...)
		}
		line("LabVIEW Measurement", "")
		line("Writer_Version", "2")
		line("Separator", map[string]string{"\t": "Tab", ",": "Comma", ";": "Semicolon"}[sep])
		line("X_Columns", form)
		line("***End_of_Header***", "")
		line("")
		line("Channels", fmt.Sprint(channels))
		about("Samples", func(int) string { return fmt.Sprint(rows) })
		if units {
			about("Y_Unit_Label", func(c int) string { return []string{"Volts", "N", "deg"}[c] })
		}
		about("X_Dimension", func(int) string { return "Time" })
		about("X0", func(int) string { return number(0, 6) })
		about("Delta_X", func(int) string { return number(1/rate, 6) })
		line("***End_of_Header***", "")
		var names []string
		for c := range channels {
			if c == 0 || form == "Multi" {
				names = append(names, "X_Value")
			}
			names = append(names, fmt.Sprintf("Channel %d", c))
		}
		if comment {
			names = append(names, "Comment")
		}
		line(names...)
		value := func(row, c int) float64 { return float64(7*c+row) + 0.125 }
		for i := range rows {
			var cells []string
			for c := range channels {
				if c == 0 || form == "Multi" {
					at := ""
					if form != "No" {
						at = number(float64(i)/rate, 6)
					}
					cells = append(cells, at)
				}
				cells = append(cells, number(value(i, c), 6))
			}
			line(cells...)
		}
		rec, err := read(b.String())
		if err != nil {
			t.Fatal(err)
		}
		if rec.Frames != rows || rec.Rate != rate || rec.Times != nil || rec.Start != 0 ||
			len(rec.Analogs)+len(rec.Angles) != channels {
			t.Fatalf("%d frames at %v Hz from %v s, %d channels: %v", rec.Frames, rec.Rate, rec.Start, len(rec.Analogs),
				rec.Warnings)
		}
		for c := range channels {
			at, unit := c, ""
			all := rec.Analogs
			if units {
				if unit = []string{"Volts", "N", "deg"}[c]; c == 2 {
					all, at = rec.Angles, 0
				}
			}
			for i := range rows {
				if all[at].Unit != unit || float64(all[at].Values[i]) != value(i, c) {
					t.Fatalf("%s is %v %q in row %d", all[at].Name, all[at].Values[i], all[at].Unit, i)
				}
			}
		}
	})
}

// Decimal commas between commas, under as many names as cells: the table is refused, whatever the numbers, and so
// is one whose names only happen to be as many.
func TestDecimalCommasBetweenCommasAreNeverTwoNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SampledFrom([]string{"Time, s,Force, N", "Time,s,Force,N", "time,a,b,c",
			"Zeit, s,Kraft, N"}).Draw(t, "names")
		rows := rapid.IntRange(3, 80).Draw(t, "rows")
		decimals := rapid.IntRange(1, 4).Draw(t, "decimals")
		from := rapid.Float64Range(0, 900).Draw(t, "from")
		text := head + "\n"
		for i := range rows {
			row := fmt.Sprintf("%.2f,%.*f\n", float64(i)/100, decimals, from+1.37*float64(i%7))
			text += strings.ReplaceAll(row, ".", ",")
		}
		if rec, err := read(text); !refused(err, "decimal signs") {
			t.Fatalf("%v, %+v", err, rec)
		}
	})
}

// Whole numbers that are filled up with zeros are not decimals where their names say so or other numbers have points.
func TestPaddedWholeNumbersAreNoDecimals(t *testing.T) {
	for _, text := range []string{
		"frame,hour,minute,second,count\n1,09,05,01,7\n2,09,05,02,8\n3,09,05,03,9\n",
		"frame,a,b\n0001,05,1.5\n0002,06,2.5\n0003,07,3.5\n",
		"frame,id,count\n0001,007,7\n0002,007,8\n0003,007,9\n",
		"time,n\n0,5\n1,6\n2,7\n",
	} {
		if rec := whole(t, text); rec.Frames != 3 || rec.Warnings.Has(quality.RowsRagged) {
			t.Errorf("%q has %d frames: %v", text, rec.Frames, rec.Warnings)
		}
	}
}
