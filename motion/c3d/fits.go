package c3d

import (
	"fmt"
	"math"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/record"
)

// nearly is what a position may be off by in a file that is written, in metres.
const nearly = 1e-4

// pointFits says why the numbers of a point cannot be written in 32 bits.
func pointFits(p *record.Point, metres float64) error {
	if p.Wide == nil {
		return nil
	}
	tolerance := 0.0
	if p.Quantity == record.Position && metres > 0 {
		tolerance = nearly / metres
	}
	for i, values := range [3][]float32{p.X, p.Y, p.Z} {
		if err := fits(p.Label(), values, p.Wide[i], tolerance); err != nil {
			return err
		}
	}
	return nil
}

// fits says why numbers of 64 bits cannot be written in 32: a whole number, such as that
// of a counter, would be another, a place on the globe or a clock would lose digits, or a
// number would be off by more than the tolerance, where there is one.
func fits(name string, values []float32, wide []float64, tolerance float64) error {
	digits := label.EachDigit(name)
	for i, v := range wide {
		off := math.Abs(v - float64(values[i]))
		if off > tolerance && (tolerance > 0 || digits || v == math.Trunc(v)) {
			return fmt.Errorf("%q has the number %v, and the numbers of a C3D file have no room for its digits; a "+
				"CSV file has", name, v)
		}
	}
	return nil
}
