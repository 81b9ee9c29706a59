package export_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/table"
)

// sameInAnyLocale says that a file with a decimal comma has the same texts and numbers,
// for others and for Kinebase's own reader of tables. As a rule it is what is expected.
func (w *world) sameInAnyLocale(t *rapid.T, point, expected []byte, header []string) {
	texts := export.TextColumns(w.result.Columns)
	comma := slices.Clone(point)
	frames.NewRespeller(texts).Change(comma)
	if !bytes.Equal(comma, expected) {
		w.sameCells(t, comma, ';', header, func(column int, s string) string {
			if !texts[column] {
				return strings.ReplaceAll(s, ".", ",")
			}
			return s
		})
	}
	read, failed := table.Read(bytes.NewReader(point), int64(len(point)))
	again, refused := table.Read(bytes.NewReader(comma), int64(len(comma)))
	if (failed == nil) != (refused == nil) {
		t.Fatalf("with a decimal comma it is refused by %v, with a point by %v; of\n%s", refused, failed, comma)
	}
	if failed != nil {
		return
	}
	if first, second := numbersOf(read), numbersOf(again); !slices.EqualFunc(first, second, sameNumbers) {
		t.Fatalf("with a decimal comma it has other numbers than with a point; of\n%s", comma)
	}
	if first, second := fmt.Sprintf("%+v", read), fmt.Sprintf("%+v", again); first != second {
		t.Fatalf("with a decimal comma it is read as\n%s, with a point as\n%s; of\n%s", second, first, comma)
	}
}

// numbersOf takes the numbers of all frames out of a recording.
func numbersOf(rec *record.Recording) (all [][]float64) {
	narrow := func(values ...*[]float32) {
		for _, v := range values {
			wide := make([]float64, len(*v))
			for i, x := range *v {
				wide[i] = float64(x)
			}
			all, *v = append(all, wide), nil
		}
	}
	for i := range rec.Points {
		p := &rec.Points[i]
		narrow(&p.X, &p.Y, &p.Z)
	}
	for _, channels := range [][]record.Channel{rec.Analogs, rec.Angles} {
		for i := range channels {
			c := &channels[i]
			narrow(&c.Values)
			all, c.Wide = append(all, c.Wide), nil
		}
	}
	all, rec.Times = append(all, rec.Times), nil
	return all
}

func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}
