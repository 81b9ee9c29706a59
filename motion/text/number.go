package text

import (
	"bytes"
	"math"
	"strconv"
)

// Number reads a decimal number as people and programs write it: with blanks
// around it, and with a comma for the point, which a computer set to German or
// French writes. What is infinite or not a number is none.
func Number(b []byte) (float64, bool) {
	f, _, ok := parse(b)
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Seconds reads a time, of which perSecond make a second. One further from 0 than
// 1e20 s is none: the difference of any two, and what is reckoned from it, must stay
// a number.
func Seconds(b []byte, perSecond float64) (float64, bool) {
	f, ok := Number(b)
	f /= perSecond
	return f, ok && math.Abs(f) <= 1e20
}

// Stated reads a number as Number does, and gives what 1 in its last digit is worth.
func Stated(b []byte) (value, last float64, ok bool) {
	f, decimal, ok := parse(b)
	return f, step(decimal), ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Figure is a number as a file states it.
type Figure struct {
	Value float64 // NaN where it is missing
	Near  float32 // the 32-bit number nearest to it
	Step  float64 // what 1 in its last digit is worth; 0 where Near is the very number, or nobody knows
	// Beyond says that the number is missing because it is infinite, in 32 bits or as it stands.
	Beyond bool
}

// off is by how much rounding to 32 bits moves the number.
func (f Figure) off() float64 { return math.Abs(f.Value - float64(f.Near)) }

// FigureOf makes a figure of a number that was computed.
func FigureOf(v float64) Figure { return Figure{Value: v, Near: float32(v)} }

// Cell reads the cell of a table. An empty one is missing, and so is NaN in any
// case and a number that is infinite in 32 bits: NaN and true. Anything else that is
// no number is NaN and false.
func Cell(b []byte) (Figure, bool) {
	v, digits, ok := parse(b)
	if near := nearest(v, digits); ok && !Endless(near) {
		f := Figure{Value: v, Near: near}
		if float64(near) != v {
			f.Step = step(digits)
		}
		return f, true
	}
	b = bytes.TrimSpace(b)
	f := missing()
	if f.Beyond = ok && v == v || IsInfinite(b); f.Beyond {
		return f, true
	}
	return f, ok || len(b) == 0 || isNaN(b)
}

// Endless says whether a number in 32 bits is none, infinite, or the largest that there is,
// which programs write for one that is.
func Endless(f float32) bool { return !(f < math.MaxFloat32 && f > -math.MaxFloat32) }

func missing() Figure { return Figure{Value: math.NaN(), Near: float32(math.NaN())} }

// nearest is the 32-bit number nearest to a decimal. It is that of the 64-bit number
// nearest to it, but where this one lies in the middle between two.
func nearest(v float64, decimal []byte) float32 {
	const below = 1<<29 - 1 // the bits of a 64-bit number that a 32-bit one lacks
	if math.Float64bits(v)&below == 1<<28 {
		if f, err := strconv.ParseFloat(string(decimal), 32); err == nil {
			return float32(f)
		}
	}
	return float32(v)
}

// step is what 1 in the last digit of a decimal is worth.
func step(decimal []byte) float64 {
	exponent := 0
	if e := bytes.IndexAny(decimal, "eE"); e >= 0 {
		exponent, _ = strconv.Atoi(string(decimal[e+1:])) // 0 beyond any exponent of a number
		decimal = decimal[:e]
	}
	if point := bytes.IndexByte(decimal, '.'); point >= 0 {
		exponent -= len(decimal) - point - 1
	}
	return math.Pow10(exponent)
}

// parse reads a decimal, and gives it as it was read.
func parse(b []byte) (v float64, decimal []byte, ok bool) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || len(b) > 400 {
		return 0, b, false
	}
	if bytes.IndexByte(b, ',') >= 0 {
		b = bytes.ReplaceAll(b, []byte(","), []byte("."))
	}
	if bytes.ContainsAny(b, "xX_") { // Go's own notations
		return 0, b, false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		// A number beyond all bounds is one, if only an infinite one.
		return f, b, math.IsInf(f, 0)
	}
	return f, b, true
}

// isNaN knows the spellings of not-a-number that ParseFloat does not.
func isNaN(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("nan(ind)")) ||
		bytes.EqualFold(b, []byte("n/a")) ||
		bytes.HasPrefix(b, []byte("1.#")) // as Windows programs print it
}
