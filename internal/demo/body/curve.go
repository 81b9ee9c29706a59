package body

import "math"

// key is a value at a time in seconds, with its first and second derivatives.
type key struct{ t, value, slope, bend float64 }

// curve goes through keys in the order of their time, by pieces of the fifth
// degree: those that take a body from one state to another with the least jerk
// (Flash and Hogan 1985). Value, velocity and acceleration are continuous. Before
// the first key and after the last one it stays where it is.
type curve []key

// through makes a curve of values by times alone. Slopes are such that it never
// swings beyond its keys (Fritsch and Butland 1984): where the values turn round,
// it stands still.
func through(keys curve) curve {
	c := append(curve(nil), keys...)
	for i := 1; i+1 < len(c); i++ {
		before, after := c[i].t-c[i-1].t, c[i+1].t-c[i].t
		d, e := (c[i].value-c[i-1].value)/before, (c[i+1].value-c[i].value)/after
		if d*e > 0 {
			w, v := 2*after+before, after+2*before
			c[i].slope = (w + v) / (w/d + v/e)
		}
	}
	return c
}

// at gives the value at a time, and its first and second derivatives.
func (c curve) at(t float64) (value, slope, bend float64) {
	switch n := len(c); {
	case n == 0:
		return 0, 0, 0
	case t <= c[0].t:
		return c[0].value, 0, 0
	case t >= c[n-1].t:
		return c[n-1].value, 0, 0
	}
	i := 1
	for c[i].t < t {
		i++
	}
	return quintic(c[i-1], c[i], t)
}

// quintic is the polynomial of the fifth degree from one state to another.
func quintic(from, to key, t float64) (value, slope, bend float64) {
	h := to.t - from.t
	u := (t - from.t) / h
	a, b := from.slope*h, from.bend*h*h/2
	// What is left of value, slope and bend at the end of the first three terms.
	p := to.value - from.value - a - b
	q := to.slope*h - a - 2*b
	r := to.bend*h*h - 2*b
	d, e, f := 10*p-4*q+r/2, -15*p+7*q-r, 6*p-3*q+r/2
	value = from.value + u*(a+u*(b+u*(d+u*(e+u*f))))
	slope = (a + u*(2*b+u*(3*d+u*(4*e+u*5*f)))) / h
	bend = (2*b + u*(6*d+u*(12*e+u*20*f))) / (h * h)
	return value, slope, bend
}

// least is the smallest of some values with its corners rounded over about the
// given width; it is never above the sharp one.
func least(width float64, values ...float64) float64 {
	low := math.Inf(1)
	for _, v := range values {
		low = math.Min(low, v)
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Exp((low - v) / width)
	}
	return low - width*math.Log(sum)
}
