package text_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// column reads cells as one column, called so and in the unit.
func column(t interface{ Fatal(...any) }, name, unit string, cells []string) (values []float32, wide []float64) {
	c := text.NewColumns(1, int64(20*len(cells)))
	c.About(0, name, unit)
	for row, cell := range cells {
		if f, ok := text.Cell([]byte(cell)); ok && f.Value == f.Value {
			c.Set(0, f)
		}
		if err := c.EndRow(row); err != nil {
			t.Fatal(err)
		}
	}
	return c.Column(0), c.Wide(0)
}

// Whatever a column holds, its numbers of 32 bits are those nearest to what the file
// states, and those of 64 bits, where it has them, are the file's.
func TestWideNumbersAreTheFilesOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1e-3, 1, 50, 1e4, 2e7, 1.7e9, 1.7e12}).Draw(t, "scale")
		step := rapid.SampledFrom([]float64{1e-9, 1e-7, 1e-3, 1, 1e3}).Draw(t, "step")
		digits := rapid.IntRange(0, 12).Draw(t, "digits")
		var cells []string
		for i := range rapid.IntRange(1, 700).Draw(t, "rows") {
			v := scale + float64(i)*step*rapid.Float64Range(0.5, 1).Draw(t, "pace")
			cell := strconv.FormatFloat(v, 'f', digits, 64)
			if rapid.IntRange(0, 20).Draw(t, "missing") == 0 {
				cell = ""
			}
			cells = append(cells, cell)
		}
		values, wide := column(t, "x", "", cells)
		if wide != nil && len(wide) != len(cells) {
			t.Fatalf("%d rows and %d numbers", len(cells), len(wide))
		}
		for i, cell := range cells {
			want, err := strconv.ParseFloat(cell, 64)
			near, _ := strconv.ParseFloat(cell, 32)
			if err != nil {
				want, near = math.NaN(), math.NaN()
			}
			if v := float64(values[i]); v != near && (v == v || near == near) {
				t.Fatalf("row %d: %q is %v, want %v", i, cell, v, near)
			}
			if wide != nil && wide[i] != want && (wide[i] == wide[i] || want == want) {
				t.Fatalf("row %d: %q is %v in 64 bits, want %v", i, cell, wide[i], want)
			}
		}
	})
}

// No two numbers of a column that differ become equal, and none changes, where the
// column is a place on the globe, a clock or a counter.
func TestPlacesOnTheGlobeClocksAndCountersAreKeptInSixtyFourBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 1))
	format := func(digits int) func(float64) string {
		return func(v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	}
	for _, rows := range []int{1, 2, 5, 300, 5000} {
		for _, c := range []struct {
			name   string
			begin  float64
			step   float64
			noise  float64
			format func(float64) string
		}{
			{"anything", 52.4862431, 1e-6, 1e-7, format(7)},             // a walk
			{"anything", -122.4194155, 3e-5, 1e-6, format(8)},           // a drive
			{"Latitude", 52.4862431, 0.7, 0.3, format(7)},               // a journey
			{"gpsLongitude", 8.123456789012345, 1e-3, 1e-3, format(-1)}, // every digit of a 64-bit number
			{"anything", 5812345.25, 0.25, 0.05, format(2)},
			{"anything", 1778664600123, 100, 1, format(0)},
			{"anything", 1778664600.123, 0.01, 0.001, format(3)},
			{"anything", 45296.123456, 0.001, 0, format(6)}, // seconds of a day
			{"Time", 45296.123456, 1, 0, format(6)},
			{"anything", 16777217, 2, 0, format(0)},
			{"anything", 4294967295, -1, 0, format(0)},
			{"anything", 33554433, 1, 0, format(3)},
		} {
			var cells []string
			for i := range rows {
				cells = append(cells, c.format(c.begin+c.step*float64(i)+c.noise*(chance.Float64()-0.5)))
			}
			values, wide := column(t, c.name, "", cells)
			for i, cell := range cells {
				want, _ := strconv.ParseFloat(cell, 64)
				got, _ := strconv.ParseFloat(strconv.FormatFloat(float64(values[i]), 'f', -1, 32), 64)
				if wide != nil {
					got = wide[i]
				}
				if got != want {
					t.Errorf("row %d of %d of %q: %q is %v", i, rows, c.name, cell, got)
					break
				}
			}
		}
	}
}

func TestACounterThatOutgrowsThirtyTwoBitsIsWideFromItsBeginning(t *testing.T) {
	var cells []string
	for i := range 2000 {
		cells = append(cells, strconv.Itoa(1<<24-1000+i))
	}
	_, wide := column(t, "n", "", cells)
	for i, cell := range cells {
		if wide == nil || strconv.FormatFloat(wide[i], 'f', -1, 64) != cell {
			t.Fatalf("row %d is not %s", i, cell)
		}
	}
}

func TestWhatMovesIsKeptInThirtyTwoBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 2))
	for _, digits := range []int{1, 3, 5, 6, 8, -1} {
		for _, c := range []struct {
			name, unit    string
			middle, swing float64
			noise         float64
		}{
			{"knee", "", 30, 40, 0.01},         // an angle in degrees
			{"Fz", "N", 800, 300, 0.1},         // a force
			{"LASI", "mm", 1234.5, 600, 0.01},  // a marker that moves
			{"LANK", "mm", 1234.5, 0, 0.02},    // and one that stands
			{"LANK", "m", 1.2345, 0, 0.000002}, // the same in metres
			{"emg", "V", 0, 0, 0.001},
			{"accel", "", 9.81, 3, 0.05},
		} {
			var cells []string
			for i := range 3000 {
				v := c.middle + c.swing*math.Sin(float64(i)/40) + c.noise*(chance.Float64()-0.5)
				cells = append(cells, strconv.FormatFloat(v, 'f', digits, 64))
			}
			if _, wide := column(t, c.name, c.unit, cells); wide != nil {
				t.Errorf("%s with %d digits, such as %s, was thought to need 64 bits", c.name, digits, cells[0])
			}
		}
	}
}

// What Kinebase writes of numbers of 32 bits is such again.
func TestNumbersOfThirtyTwoBitsStayThat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cells []string
		for range rapid.IntRange(1, 50).Draw(t, "rows") {
			cells = append(cells, strconv.FormatFloat(float64(rapid.Float32().Draw(t, "v")), 'f', -1, 32))
		}
		if _, wide := column(t, "latitude", "", cells); wide != nil {
			t.Fatalf("%v were thought to need 64 bits", cells)
		}
	})
}

func TestThePlaceOfAPointIsWideAsAWhole(t *testing.T) {
	c := text.NewColumns(3, 100)
	for i := range 3 {
		for k, cell := range []string{fmt.Sprintf("%d.1", i), fmt.Sprintf("%d.25", 5812345+i), "0.5"} {
			f, _ := text.Cell([]byte(cell))
			c.Set(k, f)
		}
		mustEnd(t, c)
	}
	var p record.Point
	c.Place(&p, 0)
	if p.Wide == nil || p.Wide[0][2] != 2.1 || p.Wide[1][2] != 5812347.25 || p.Wide[2][2] != 0.5 {
		t.Errorf("%+v", p.Wide)
	}
}
