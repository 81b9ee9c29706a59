package motion_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
)

func TestARowInWhichBlanksLeaveNoPlaceForAMissingNumberMovesNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blank := rapid.SampledFrom([]string{" ", "   "}).Draw(t, "between cells")
		rows := rapid.IntRange(3, 12).Draw(t, "rows")
		short := map[int]int{} // by row, which cell is missing
		for range rapid.IntRange(0, rows).Draw(t, "short rows") {
			short[rapid.IntRange(0, rows-1).Draw(t, "row")] = rapid.IntRange(0, 5).Draw(t, "cell")
		}
		sto := "x\nendheader\ntime a b c d e f\n"
		trc := fmt.Sprintf("PathFileType 4 (X/Y/Z) a.trc\nDataRate NumFrames NumMarkers Units\n100 %d 2 mm\nFrame# "+
			"Time A B\n X1 Y1 Z1 X2 Y2 Z2\n\n", rows)
		value := func(row, cell int) float64 { return float64(10*row + cell) }
		for row := range rows {
			line := fmt.Sprintf("%.2f", float64(row)/100)
			for cell := range 6 {
				if missing, ok := short[row]; !ok || missing != cell {
					line += " " + fmt.Sprint(value(row, cell))
				}
			}
			sto, trc = sto+line+"\n", trc+fmt.Sprintf("%d %s\n", row+1, line)
		}
		for name, text := range map[string]string{"a.sto": strings.ReplaceAll(sto, " ", blank),
			"a.trc": strings.ReplaceAll(trc, " ", blank)} {
			rec, err := motion.Read(name, strings.NewReader(text), int64(len(text)))
			var u *quality.Unreadable
			if errors.As(err, &u) && 2*len(short) > rows {
				continue
			}
			if err != nil || 2*len(short) > rows || rec.Frames != rows ||
				rec.Warnings.Has(quality.RowsRagged) != (len(short) > 0) {
				t.Fatalf("%s: %v, %+v\n%s", name, err, rec, text)
			}
			var columns [][]float32
			for _, p := range rec.Points {
				columns = append(columns, p.X, p.Y, p.Z)
			}
			for _, c := range rec.Analogs {
				columns = append(columns, c.Values)
			}
			for cell, values := range columns {
				for row, got := range values {
					want := value(row, cell)
					if _, ok := short[row]; ok {
						want = math.NaN()
					}
					if g := float64(got); g != want && (g == g || want == want) {
						t.Fatalf("%s: column %d of row %d is %v, want %v\n%s", name, cell, row, g, want, text)
					}
				}
			}
		}
	})
}
