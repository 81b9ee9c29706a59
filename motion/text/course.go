package text

import (
	"math"
	"strconv"
)

// course is what is known of the course of a column, so that 64 bits are kept only of
// one that 32 bits cannot hold. A number of 32 bits has 24 binary digits, a little more
// than seven decimal ones. Files state more of nearly every measurement, and those mean
// nothing: a marker is not known to a millionth of a millimetre. But of a latitude, a
// clock or a counter the same digits are what moves. So a column is kept in 64 bits
//
//   - where a whole number cannot be held, as that of a counter, or
//   - where rounding would move most numbers, or those before them, by more than a
//     thousandth of the step between the two, or any when all are the same, or
//   - where its name says that each digit counts (see label.EachDigit) and one is lost.
//
// Nothing is lost where the file states no more digits than 32 bits hold, or those of a
// number of 32 bits.
type course struct {
	exact     bool    // every digit counts
	tolerance float64 // what a number may be off by
	state     state
	wide      []float64 // the numbers from row begun on, while the column may be one for 64 bits
	begun     int
	last      Figure // that was there, where some was
	some      bool
	steps     int // to a number that is another than the one before
	moved     int // of them to one that rounding moves by more than a thousandth
}

// state is how far it is decided in how many bits a column is kept.
type state uint8

const (
	holds    state = iota // 32 bits hold everything so far
	open                  // they lose digits, and it is not known yet whether these mean anything
	wider                 // 64 bits are kept
	narrower              // 32 bits are enough
)

// enough is after how many steps the course of a column is known.
const enough = 256

// see takes the number of a row into account.
func (c *course) see(f Figure, row int) {
	if c.state == holds && c.loses(f) {
		c.state, c.begun, c.wide = open, row, []float64{}
	}
	if c.state == open || c.state == wider {
		for len(c.wide) < row-c.begun {
			c.wide = append(c.wide, math.NaN())
		}
		c.wide = append(c.wide, f.Value)
	}
	before, some := c.last, c.some
	c.last, c.some = f, true
	if c.state != open {
		return
	}
	if step := f.Value - before.Value; some && step != 0 {
		c.steps++
		if max(f.off(), before.off()) > 1e-3*math.Abs(step) {
			c.moved++
		}
	}
	if c.loses(f) && (c.exact || f.Value == math.Trunc(f.Value)) {
		c.state = wider
	} else if c.steps >= enough {
		c.decide()
	}
}

// loses says whether rounding takes a digit that the file states, and that matters.
func (c *course) loses(f Figure) bool {
	if off := f.off(); off == 0 || off <= c.tolerance {
		return false
	}
	bits := math.Float32bits(f.Near) &^ (1 << 31)
	apart := float64(math.Float32frombits(bits+1)) - float64(math.Float32frombits(bits))
	return f.Step < apart && restore(f.Near) != f.Value
}

func (c *course) decide() {
	if c.state = narrower; 2*c.moved >= c.steps {
		c.state = wider
	} else {
		c.wide = nil
	}
}

// settle says at the end whether 64 bits are kept.
func (c *course) settle() bool {
	if c.state == open {
		c.decide()
	}
	return c.state == wider
}

// restore gives the number that a file stated of which 32 bits lost no digit.
func restore(v float32) float64 {
	if v != v {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil { // a number always can be read
		return float64(v)
	}
	return f
}
