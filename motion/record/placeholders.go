package record

import (
	"math"

	"github.com/kinebase/kinebase/motion/quality"
)

// placeholders are the numbers that programs write into a table where nothing was measured, with
// either sign.
var placeholders = []float32{9_999, 99_999, 999_999, 9_999_999}

// placeholderFar is how many times as far from zero as all other numbers of its channel a
// placeholder is at least.
const placeholderFar = 2

// ClearPlaceholders makes missing what stands where nothing was measured: -9999, 99999 and the
// like, far from all other numbers of the channel. Of a point all three numbers must be the same
// placeholder. A channel of one number keeps one that is positive, with a warning: a sensor may
// be at its end there.
func (r *Recording) ClearPlaceholders() {
	var cleared, kept placed
	for i := range r.Points {
		p := &r.Points[i]
		mark, _ := placeholderOf(len(p.X), func(f int) (float32, bool) {
			x, y, z := p.X[f], p.Y[f], p.Z[f]
			return largest(x, y, z), x == y && y == z
		})
		if mark == 0 {
			continue
		}
		for f, x := range p.X {
			if x == mark && p.Y[f] == mark && p.Z[f] == mark {
				p.X[f] = NaN32
				cleared.add(p.Label(), mark)
			}
		}
		p.Settle()
	}
	for _, channels := range [][]Channel{r.Angles, r.Analogs} {
		for i := range channels {
			c := &channels[i]
			mark, measured := placeholderOf(len(c.Values), func(f int) (float32, bool) { return c.Values[f], true })
			for f, v := range c.Values {
				switch {
				case mark == 0 || v != mark:
				case mark > 0 && measured:
					kept.add(c.Name, mark)
				case mark < 0:
					c.Values[f] = NaN32
					if c.Wide != nil {
						c.Wide[f] = math.NaN()
					}
					cleared.add(c.Name, mark)
				}
			}
		}
	}
	if cleared.count > 0 {
		r.Warnings.Add(quality.Placeholders,
			"%s numbers are far from all others of their channel and look like signs that nothing was measured, the "+
				"first of them %.0f in %q; they were taken for missing.",
			quality.Thousands(int64(cleared.count)), cleared.first, cleared.name)
	}
	if kept.count > 0 {
		r.Warnings.Add(quality.Placeholders,
			"%s numbers, the first of them %.0f in %q, may be signs that nothing was measured, or the end of a "+
				"sensor's range; they were kept.",
			quality.Thousands(int64(kept.count)), kept.first, kept.name)
	}
}

// placed counts placeholders and remembers the first one.
type placed struct {
	count int
	name  string
	first float32
}

func (p *placed) add(name string, mark float32) {
	if p.count++; p.count == 1 {
		p.name, p.first = name, mark
	}
}

// placeholderOf finds the placeholder among the n values of a channel; 0 where it has none, or
// several, and says whether it has other values. At says whether a value may be one.
func placeholderOf(n int, at func(int) (float32, bool)) (mark float32, measured bool) {
	others := float32(0)
	for f := range n {
		v, may := at(f)
		switch {
		case isNaN(v):
		case may && (v == mark || mark == 0 && isPlaceholder(v)):
			mark = v
		default:
			others, measured = max(others, abs(v)), true
		}
	}
	if others*placeholderFar > abs(mark) {
		return 0, measured
	}
	return mark, measured
}

func isPlaceholder(v float32) bool {
	for _, p := range placeholders {
		if abs(v) == p {
			return true
		}
	}
	return false
}

// largest is the number that is farthest from zero, NaN where one is missing.
func largest(x, y, z float32) float32 {
	if isNaN(x) || isNaN(y) || isNaN(z) {
		return NaN32
	}
	if abs(y) > abs(x) {
		x = y
	}
	if abs(z) > abs(x) {
		x = z
	}
	return x
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }
