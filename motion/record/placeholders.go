package record

import (
	"math"

	"github.com/kinebase/kinebase/motion/quality"
)

// placeholders are the numbers that programs write into a table where nothing was measured, with
// either sign.
var placeholders = []float32{9_999, 99_999, 999_999, 9_999_999}

// unsure are numbers that programs and people write so as well, but that a sensor may have
// measured: with either sign, but for 99, which is no more than a large percentage.
var unsure = []float32{-99, 999, -99.9, 999.9, -99.99, 999.99, 9_999.9, 9_999.99, 99_999.99, -1 << 15, -1 << 31}

// placeholderFar is how many times as far from zero as all other numbers of its channel a
// placeholder is at least.
const placeholderFar = 2

// ClearPlaceholders makes missing what stands where nothing was measured: -9999, 99999 and the
// like, far from all other numbers of the channel. Of a point all three numbers must be the same
// placeholder, for which -99 and -999 are enough. A channel of one number keeps one that is
// positive, with a warning: a sensor may be at the end of its range. It keeps -99 and the like
// too, with a warning.
func (r *Recording) ClearPlaceholders() {
	var cleared, kept placed
	for i := range r.Points {
		p := &r.Points[i]
		for _, is := range []func(float32) bool{Placeholder, isUnsure} {
			clearPoint(p, is, &cleared)
		}
	}
	for _, channels := range [][]Channel{r.Angles, r.Analogs} {
		for i := range channels {
			c := &channels[i]
			for _, is := range []func(float32) bool{Placeholder, isUnsure} {
				clearChannel(c, is, &cleared, &kept)
			}
		}
	}
	if cleared.count > 0 {
		r.Warnings.Add(quality.Placeholders,
			"%s numbers are far from all others of their channel and look like signs that nothing was measured, the "+
				"first of them %g in %q; they were taken for missing.",
			quality.Thousands(int64(cleared.count)), cleared.first, cleared.name)
	}
	kept.tell(&r.Warnings)
}

// clearPoint makes a point missing where all three of its numbers are one placeholder.
func clearPoint(p *Point, is func(float32) bool, cleared *placed) {
	mark, _ := placeholderOf(len(p.X), is, func(f int) (float32, bool) {
		x, y, z := p.X[f], p.Y[f], p.Z[f]
		return largest(x, y, z), x == y && y == z
	})
	if mark == 0 {
		return
	}
	for f, x := range p.X {
		if x == mark && p.Y[f] == mark && p.Z[f] == mark {
			p.X[f] = NaN32
			cleared.add(p.Label(), mark)
		}
	}
	p.Settle()
}

// clearChannel makes a number missing, or counts it, where it is a placeholder.
func clearChannel(c *Channel, is func(float32) bool, cleared, kept *placed) {
	mark, measured := placeholderOf(len(c.Values), is, func(f int) (float32, bool) { return c.Values[f], true })
	if mark == 0 {
		return
	}
	sure := Placeholder(mark) && mark < 0
	for f, v := range c.Values {
		switch {
		case v != mark:
		case sure:
			c.Values[f] = NaN32
			if c.Wide != nil {
				c.Wide[f] = math.NaN()
			}
			cleared.add(c.Name, mark)
		case measured:
			kept.add(c.Name, mark)
		}
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

// tell warns of placeholders that were kept, if there are any.
func (p *placed) tell(w *quality.Warnings) {
	if p.count > 0 {
		w.Add(quality.Placeholders,
			"%s numbers, the first of them %g in %q, may be signs that nothing was measured, or the end of a "+
				"sensor's range; they were kept.",
			quality.Thousands(int64(p.count)), p.first, p.name)
	}
}

// placeholderOf finds the placeholder among the n values of a channel; 0 where it has none, or
// several, and says whether it has other values. Is knows placeholders, at says whether a value
// may be one.
func placeholderOf(n int, is func(float32) bool, at func(int) (float32, bool)) (mark float32, measured bool) {
	others := float32(0)
	for f := range n {
		v, may := at(f)
		switch {
		case isNaN(v):
		case may && (v == mark || mark == 0 && is(v)):
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

// Placeholder says whether a number is one that programs write where nothing was measured: -9999, 99999 and the like.
func Placeholder(v float32) bool {
	for _, p := range placeholders {
		if abs(v) == p {
			return true
		}
	}
	return false
}

// isUnsure says whether a number may be a placeholder.
func isUnsure(v float32) bool {
	for _, d := range unsure {
		if v == -abs(d) || v == d {
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
