package movement

import "math"

// The rules by which numbers are smoothed.
const (
	// filterPad is by how many samples a stretch is continued at both ends.
	filterPad = 15
	// leastStretch is the shortest stretch that is smoothed: one that is longer than what it is
	// continued by.
	leastStretch = filterPad + 1
)

// lowPass is a Butterworth filter of the second order.
type lowPass struct{ b0, b1, b2, a1, a2 float64 }

// twoPasses makes the filter that, applied forwards and backwards, has -3 dB at the cut-off: that
// of a single pass is put higher by the fourth root of √2 - 1, after the tangent (Winter DA,
// Biomechanics and Motor Control of Human Movement). Both are in Hz.
func twoPasses(cutoff, rate float64) lowPass {
	w := math.Tan(math.Pi*cutoff/rate) / math.Pow(math.Sqrt2-1, 0.25)
	norm := 1 + math.Sqrt2*w + w*w
	b := w * w / norm
	return lowPass{b, 2 * b, b, 2 * (w*w - 1) / norm, (1 - math.Sqrt2*w + w*w) / norm}
}

// pass filters once, from a state in which the first value had been there for ever.
func (f lowPass) pass(values []float64) {
	s2 := (f.b2 - f.a2) * values[0]
	s1 := (f.b1-f.a1)*values[0] + s2
	for i, x := range values {
		y := f.b0*x + s1
		s1 = f.b1*x - f.a1*y + s2
		s2 = f.b2*x - f.a2*y
		values[i] = y
	}
}

// smooth filters a stretch without a gap forwards and backwards, so that nothing is moved in
// time. Both ends are continued as if turned about their last value.
func (f lowPass) smooth(stretch []float64) {
	n := len(stretch)
	long := make([]float64, n+2*filterPad)
	copy(long[filterPad:], stretch)
	for i := range filterPad {
		long[i] = 2*stretch[0] - stretch[filterPad-i]
		long[n+filterPad+i] = 2*stretch[n-1] - stretch[n-2-i]
	}
	for range 2 {
		f.pass(long)
		for i, j := 0, len(long)-1; i < j; i, j = i+1, j-1 {
			long[i], long[j] = long[j], long[i]
		}
	}
	copy(stretch, long[filterPad:])
}

// smoothed gives numbers through a low-pass, each stretch between gaps for itself. Stretches that
// are too short stay as they are.
func smoothed(values []float64, cutoff, rate float64) []float64 {
	f, out := twoPasses(cutoff, rate), append([]float64{}, values...)
	for _, s := range stretches(out) {
		if s.to-s.from >= leastStretch {
			f.smooth(out[s.from:s.to])
		}
	}
	return out
}

// stretch is samples between gaps, half-open.
type stretch struct{ from, to int }

// stretches are those in which nothing is missing.
func stretches(values []float64) (all []stretch) {
	for from := 0; from < len(values); from++ {
		if values[from] != values[from] {
			continue
		}
		to := from
		for to < len(values) && values[to] == values[to] {
			to++
		}
		all = append(all, stretch{from, to})
		from = to
	}
	return all
}

// firstRest finds the first so many samples whose standard deviation is at most so large, and
// gives their mean. Where there are none the stretch is empty, and least is the smallest
// deviation of any.
func firstRest(values []float64, samples int, most float64) (rest stretch, mean, least float64) {
	least = math.Inf(1)
	for from := 0; from+samples <= len(values); from++ {
		mean, deviation := spread(values[from : from+samples])
		if deviation <= most {
			return stretch{from, from + samples}, mean, deviation
		}
		if deviation == deviation {
			least = math.Min(least, deviation)
		}
	}
	return rest, 0, least
}

// bridged gives numbers whose short gaps are filled by the cubic through the two numbers on each
// side, for finding moments. No value is ever read where a number was missing.
func bridged(values []float64, longest int) []float64 {
	out := append([]float64{}, values...)
	all := stretches(values)
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if b.from-a.to > longest || a.to-a.from < 2 || b.to-b.from < 2 {
			continue
		}
		// A cubic Hermite: both ends and the slopes there.
		from, span := a.to-1, float64(b.from-a.to+1)
		p, q := values[from], values[b.from]
		u, v := (p-values[from-1])*span, (values[b.from+1]-q)*span
		for k := a.to; k < b.from; k++ {
			t := float64(k-from) / span
			out[k] = p + t*(u+t*(3*(q-p)-2*u-v+t*(2*(p-q)+u+v)))
		}
	}
	return out
}

// extremes are the least and the greatest of the numbers that are there; +Inf and -Inf where none is.
func extremes(values []float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v == v {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	return least, most
}

// known says whether a number and the two beside it are there, as far as there are any beside it.
func known(values []float64, at int) bool {
	for i := max(0, at-1); i <= min(len(values)-1, at+1); i++ {
		if values[i] != values[i] {
			return false
		}
	}
	return true
}
