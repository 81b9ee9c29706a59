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
		n := p.atOrigin()
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

// atOrigin counts the frames in which a point is at exactly 0, 0, 0 and cannot have been there.
func (p *Point) atOrigin() (count int) {
	// The longest step between two frames, neither of which is at the origin.
	none, longest := len(p.X), 0.0
	last := none // the last frame in which the point is elsewhere
	for f := range p.X {
		if p.Missing(f) || p.zero(f) {
			continue
		}
		if last == f-1 {
			longest = max(longest, distance(p.X[f]-p.X[last], p.Y[f]-p.Y[last], p.Z[f]-p.Z[last]))
		}
		last = f
	}
	if last == none { // it is nowhere else
		return 0
	}
	far := func(f int) bool { return f == none || distance(p.X[f], p.Y[f], p.Z[f]) > originFar*longest }
	run := 0 // frames at the origin since it was elsewhere
	last = none
	for f := range p.X {
		switch {
		case p.Missing(f):
		case p.zero(f):
			run++
		default:
			if far(last) && far(f) {
				count += run
			}
			run, last = 0, f
		}
	}
	if far(last) {
		count += run
	}
	return count
}

func (p *Point) zero(f int) bool { return p.X[f] == 0 && p.Y[f] == 0 && p.Z[f] == 0 }

func distance(x, y, z float32) float64 {
	return math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z))
}
