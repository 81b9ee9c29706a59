package plate

import "math"

// extreme is the least or the greatest value that a channel has had so far.
type extreme struct {
	value float64
	run   int // how many of the last samples have it, one after the other
	stuck int // first sample of the first run that is too long; -1 without one
}

// met counts some samples that have it, up to the one before that place. A run is too long that has more samples than
// longest.
func (e *extreme) met(samples, before, longest int) {
	if e.run += samples; e.run > longest && e.stuck < 0 {
		e.stuck = before - e.run
	}
}

// extremes are those of a channel. They are found in one pass, for the numbers of all channels of a
// platform do not stay near the processor.
type extremes struct{ low, high extreme }

var nothingSeen = extremes{extreme{value: math.Inf(1), stuck: -1}, extreme{value: math.Inf(-1), stuck: -1}}

// look goes on with the samples from one on, and says whether some of them are no numbers. What is missing ends a
// run, and is no value.
func (e *extremes) look(from int, values []float64, longest int) (odd bool) {
	low, high := e.low, e.high
	for i := 0; i < len(values); {
		begun := i
		for ; i+4 <= len(values); i += 4 { // four at a time, as long as none of them is an extreme
			v := values[i : i+4 : i+4]
			if !(v[0] > low.value && v[0] < high.value && v[1] > low.value && v[1] < high.value &&
				v[2] > low.value && v[2] < high.value && v[3] > low.value && v[3] < high.value) {
				break
			}
		}
		if i > begun {
			if low.run, high.run = 0, 0; i == len(values) {
				break
			}
		}
		v := values[i]
		if v > low.value && v < high.value { // as nearly all are
			low.run, high.run = 0, 0
			i++
			continue
		}
		odd = odd || v-v != 0
		begun = i
		for i++; i < len(values) && values[i] == v; {
			i++
		}
		if v < low.value {
			low = extreme{value: v, stuck: -1}
		}
		if v > high.value {
			high = extreme{value: v, stuck: -1}
		}
		if v == low.value {
			low.met(i-begun, from+i, longest)
		} else {
			low.run = 0
		}
		if v == high.value {
			high.met(i-begun, from+i, longest)
		} else {
			high.run = 0
		}
	}
	e.low, e.high = low, high
	return odd
}

// greatest is the one that is farther from 0.
func (e *extremes) greatest() extreme {
	if -e.low.value > e.high.value {
		return e.low
	}
	return e.high
}

// stuck gives the first sample of a run of the greatest value, in either direction, that is too long, and the value;
// -1 without one.
func (e *extremes) stuck() (value float64, at int) {
	if !(e.high.value > e.low.value) {
		return 0, -1 // a channel that always has one number measured nothing
	}
	g := e.greatest()
	return g.value, g.stuck
}

// Idle says whether none of so many channels of a platform ever changed: it measured nothing.
func Idle(c Channels, channels int) bool {
	values := make([]float64, c.Len())
	for i := range channels {
		c.Read(i, 0, values)
		for _, v := range values {
			if v != values[0] {
				return false
			}
		}
	}
	return true
}
