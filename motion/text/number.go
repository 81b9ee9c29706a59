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
	f, ok := parse(b, 64)
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

// Cell reads the cell of a table. An empty one is missing, and so is NaN in any
// case and an infinite number: NaN and true. Anything else that is no number is
// NaN and false.
func Cell(b []byte) (float32, bool) {
	f, ok := parse(b, 32)
	if v := float32(f); ok && v-v == 0 {
		return v, true
	}
	b = bytes.TrimSpace(b)
	return float32(math.NaN()), ok || len(b) == 0 || isNaN(b)
}

func parse(b []byte, bits int) (float64, bool) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || len(b) > 400 {
		return 0, false
	}
	if bytes.IndexByte(b, ',') >= 0 {
		b = bytes.ReplaceAll(b, []byte(","), []byte("."))
	}
	if bytes.ContainsAny(b, "xX_") { // Go's own notations
		return 0, false
	}
	f, err := strconv.ParseFloat(string(b), bits)
	if err != nil {
		// A number beyond all bounds is one, if only an infinite one.
		return f, math.IsInf(f, 0)
	}
	return f, true
}

// isNaN knows the spellings of not-a-number that ParseFloat does not.
func isNaN(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	return bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("nan(ind)")) || bytes.EqualFold(b, []byte("n/a")) ||
		bytes.HasPrefix(b, []byte("1.#")) // as Windows programs print it
}
