package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/table"
)

// TestNamesBesideTheirFirstColumnsMoveNoNumber puts the names of things above any of their columns,
// as programs do that centre them: every number has the name of its own thing, or the file is
// refused. Names above the first columns are always read, and so are those of several things that
// all stand equally far behind them.
func TestNamesBesideTheirFirstColumnsMoveNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.SampledFrom([][]string{{"X", "Y", "Z"}, {"x", "y", "z"}, {"X", "Y"},
			{"Fx", "Fy", "Fz"}}).Draw(t, "columns")
		lead := rapid.SampledFrom([][]string{{"Frame"}, {"Frame", "Time"}, {"Time"}}).Draw(t, "lead")
		things := rapid.IntRange(2, 5).Draw(t, "things")
		all := rapid.IntRange(0, len(own)-1).Draw(t, "all of them by")
		upper, lower := make([]string, len(lead)+things*len(own)), slices.Clone(lead)
		even := true
		for i := range things {
			by := all
			if rapid.IntRange(0, 9).Draw(t, "another") == 0 {
				by = rapid.IntRange(0, len(own)-1).Draw(t, "by")
			}
			even = even && by == all
			upper[len(lead)+i*len(own)+by] = fmt.Sprintf("T%c", 'A'+i)
			lower = append(lower, own...)
		}
		var text strings.Builder
		fmt.Fprintf(&text, "%s\n%s\n", strings.Join(upper, ","), strings.Join(lower, ","))
		const frames = 5
		for f := range frames {
			row := []string{fmt.Sprint(f + 1), fmt.Sprintf("%.2f", float64(f)/100)}[:len(lead)]
			if lead[0] == "Time" {
				row[0] = fmt.Sprintf("%.2f", float64(f)/100)
			}
			for c := range things * len(own) {
				row = append(row, fmt.Sprint(100*c+f))
			}
			fmt.Fprintln(&text, strings.Join(row, ","))
		}
		rec, err := table.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil {
			if even {
				t.Fatalf("%v\n%s", err, text.String())
			}
			return
		}
		if told := rec.Warnings.Has(quality.NamesShifted); told != (all > 0) && even {
			t.Fatalf("warnings %v\n%s", rec.Warnings, text.String())
		}
		columns := map[string][]float32{}
		for _, p := range rec.Points {
			columns[p.Name+"_x"], columns[p.Name+"_y"], columns[p.Name+"_z"] = p.X, p.Y, p.Z
		}
		for _, c := range rec.Analogs {
			columns[strings.ToLower(strings.Replace(c.Name, " ", "_", 1))] = c.Values
		}
		found := 0
		for i := range things {
			for k, axis := range own {
				for _, name := range []string{fmt.Sprintf("T%c_%s", 'A'+i, strings.ToLower(axis)), fmt.Sprintf("t%c_%s",
					'a'+i, strings.ToLower(axis))} {
					values, ok := columns[name]
					if !ok {
						continue
					}
					found++
					if values[2] != float32(100*(i*len(own)+k)+2) {
						t.Fatalf("%s is %v\n%s", name, values, text.String())
					}
				}
			}
		}
		if even && found != things*len(own) {
			t.Fatalf("%d of %d columns have their name: %v\n%s", found, things*len(own), columns, text.String())
		}
	})
}
