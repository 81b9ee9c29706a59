package motion_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
)

// Whatever stands between thousands and in front of decimals, in a few rows or in all of them: a file of text has
// the numbers that were written, says which cells it could not read, or is refused. It never has others.
func TestSignsBetweenThousandsMakeNoOtherNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		commas := rapid.Bool().Draw(t, "decimal commas")
		grouped := rapid.IntRange(0, 2).Draw(t, "thousands: none, in the first rows, in all")
		decimals := rapid.SampledFrom([]int{0, 1, 2, 4}).Draw(t, "decimals") // three of them tell nothing
		if decimals == 0 {
			grouped = 0 // nor does a file in which nothing stands but signs between thousands
		}
		rows := rapid.IntRange(2, 12).Draw(t, "rows")
		timed := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "decimals of times")
		scale := rapid.SampledFrom([]float64{1, 100, 1500, 20_000}).Draw(t, "size")
		short := rapid.Bool().Draw(t, "no zeros at the end")
		point, thousand := ".", ","
		if commas {
			point, thousand = ",", "."
		}
		scaled := math.Pow(10, float64(decimals))
		value := func(row, k int) float64 {
			v := math.Round((scale+float64(row)*scale/7+float64(k))*scaled) / scaled
			if k == 1 && decimals > 0 { // a number that tells the decimal sign
				v = math.Trunc(v) + 0.5
			}
			return v
		}
		number := func(row int, v float64, decimals int) string {
			whole, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', decimals, 64), ".")
			if short {
				fraction = strings.TrimRight(fraction, "0")
			}
			if grouped == 2 || grouped == 1 && row < 2 {
				for at := len(whole) - 3; at > 0; at -= 3 {
					whole = whole[:at] + thousand + whole[at:]
				}
			}
			if fraction != "" {
				whole += point + fraction
			}
			return whole
		}
		time := func(row int) string {
			if timed == 0 {
				return fmt.Sprint(row)
			}
			return number(row, float64(row)/100, timed)
		}
		var b strings.Builder
		format := rapid.SampledFrom([]string{"bvh", "trc", "sto", "csv"}).Draw(t, "format")
		switch format {
		case "bvh":
			fmt.Fprintf(&b, "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\n"+
				"Frames: %d\nFrame Time: %s\n", rows, number(9, 0.01, 4))
		case "trc":
			fmt.Fprintf(&b, "PathFileType\t4\t(X/Y/Z)\tf.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"+
				"100\t100\t%d\t1\tmm\nFrame#\tTime\ta\t\t\n\t\tX1\tY1\tZ1\n\n", rows)
		case "sto":
			fmt.Fprintf(&b, "Forces\nnRows=%d\nnColumns=4\nendheader\ntime\ta\tb\tc\n", rows)
		case "csv":
			b.WriteString("time\ta\tb\tc\n")
		}
		for i := range rows {
			switch format {
			case "trc":
				fmt.Fprintf(&b, "%d\t%s\t", i+1, time(i))
			case "sto", "csv":
				b.WriteString(time(i) + "\t")
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\n", number(i, value(i, 0), decimals), number(i, value(i, 1), decimals),
				number(i, value(i, 2), decimals))
		}
		rec, err := motion.Read("a."+format, strings.NewReader(b.String()), int64(b.Len()))
		if err != nil {
			return
		}
		var got [3][]float32
		if len(rec.Points) > 0 {
			got = [3][]float32{rec.Points[0].X, rec.Points[0].Y, rec.Points[0].Z}
		} else {
			for _, c := range rec.Analogs {
				for k, name := range []string{"a", "b", "c"} {
					if c.Name == name {
						got[k] = c.Values
					}
				}
			}
		}
		missing := false
		for k, values := range got {
			if len(values) != rows {
				t.Fatalf("%d numbers of %d:\n%s", len(values), rows, b.String())
			}
			for i, v := range values {
				missing = missing || v != v
				if v == v && math.Abs(float64(v)-value(i, k)) > 1e-6*scale {
					t.Fatalf("row %d has %v and not %v:\n%s", i, v, value(i, k), b.String())
				}
			}
		}
		if missing && !rec.Warnings.Has(quality.CellsUnreadable) {
			t.Fatalf("numbers are missing without a warning: %v\n%s", rec.Warnings, b.String())
		}
	})
}
