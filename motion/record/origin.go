package record

import (
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
)

// originFar is how many times as far from the origin as its longest step a point is beside frames in which it cannot
// have been there.
const originFar = 3

// TellOrigin warns of points that stand at exactly 0, 0, 0 in some frames and jump there from farther away than they
// ever move: many programs write so where a marker is not seen. The numbers stay, for the file does not say so.
func (r *Recording) TellOrigin() {
	count, name := 0, ""
	for i := range r.Points {
		p := &r.Points[i]
		if p.Quantity != Position || ofForce(p.Name) {
			continue
		}
		n := AtOrigin(p.X, p.Y, p.Z, func(int) {})
		if n > 0 && count == 0 {
			name = p.Label()
		}
		count += n
	}
	if count > 0 {
		r.Warnings.Add(quality.PointsAtOrigin,
			"Points jump to exactly 0, 0, 0 %s times, the first of them %q, as programs write a point that was not "+
				"seen; the numbers were kept.", quality.Thousands(int64(count)), name)
	}
}

// ofForce says whether a point is named as a centre of pressure is, which is at the origin while nobody stands on the
// plate.
func ofForce(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "cop") || strings.Contains(name, "force") || strings.Contains(name, "pressure")
}

// AtOrigin finds the frames in which a point stands at exactly 0, 0, 0 and cannot have been there, and counts them.
// The coordinates are of any unit, NaN where the point is missing.
func AtOrigin(x, y, z []float32, found func(frame int)) (count int) {
	none := len(x)
	longest, last := 0.0, none // the last frame in which the point is elsewhere
	first := none              // where a run of frames at the origin begins
	// A first pass finds the longest step, which the second one compares with.
	for f := range x {
		if isNaN(x[f]) || zero(x, y, z, f) {
			continue
		}
		if last == f-1 {
			longest = max(longest, distance(x[f]-x[last], y[f]-y[last], z[f]-z[last]))
		}
		last = f
	}
	if last == none { // it is nowhere else
		return 0
	}
	far := func(f int) bool { return f == none || distance(x[f], y[f], z[f]) > originFar*longest }
	end := func(until, next int) {
		if first == none {
			return
		}
		if far(last) && far(next) {
			for f := first; f < until; f++ {
				if zero(x, y, z, f) {
					found(f)
					count++
				}
			}
		}
		first = none
	}
	last = none
	for f := range x {
		switch {
		case isNaN(x[f]):
		case zero(x, y, z, f):
			if first == none {
				first = f
			}
		default:
			end(f, f)
			last = f
		}
	}
	end(len(x), none)
	return count
}

func zero(x, y, z []float32, f int) bool { return x[f] == 0 && y[f] == 0 && z[f] == 0 }

func distance(x, y, z float32) float64 {
	return math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z))
}
