package table

import (
	"bytes"
	"slices"
	"strings"
)

// kind is what a cell holds.
type kind byte

const (
	empty   kind = iota
	missing      // NA, null, NaN: nothing was measured
	failed       // #DIV/0!, TRUE, -: no number, but no word either
	numeral
	clocked
	word
)

// kindOf tells what a cell holds.
func kindOf(cell []byte) kind {
	cell = bytes.TrimSpace(cell)
	var n numerals
	switch {
	case len(cell) == 0:
		return empty
	case isMissing(cell):
		return missing
	case isFailed(cell):
		return failed
	}
	if _, ok := n.parse(cell, -1); ok {
		return numeral
	}
	if isClock(cell) {
		return clocked
	}
	return word
}

// isMissing says whether a cell says that there is no number: as programs print it,
// and as people write it.
func isMissing(cell []byte) bool {
	cell = bytes.TrimSpace(cell)
	if len(cell) > 12 {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(cell, "+-"), []byte("1.#")) { // as Windows programs print it
		return true
	}
	return slices.Contains(gaps, strings.ToLower(strings.TrimLeft(string(cell), "+-")))
}

var gaps = []string{"na", "n/a", "nan", "nan(ind)", "nan(snan)", "null", "nil", "none", "n.a.", "<na>", "missing",
	"inf", "infinity", "nv", "k.a.", "nodata", "no_data"}

// isFailed says whether a cell is what a spreadsheet puts where it cannot reckon, a
// truth value, or a dash.
func isFailed(cell []byte) bool {
	if len(cell) > 12 {
		return false
	}
	switch s := strings.ToUpper(string(cell)); s {
	case "TRUE", "FALSE", "WAHR", "FALSCH", "-", "--", "---", "–", "—", "?", "*":
		return true
	default:
		return len(s) > 2 && s[0] == '#' && (strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || s == "#N/A" ||
			s == "#NA" || s == "#NV")
	}
}

// isMinutes says whether a cell is minutes and seconds, or hours and minutes: a pace, 5:12.
func isMinutes(cell []byte) bool {
	before, after, ok := strings.Cut(strings.TrimSpace(string(cell)), ":")
	_, minutes := small(before, 999)
	_, seconds := small(after, 59)
	return ok && minutes && seconds && len(after) == 2
}

// shape is what the cells of a line hold.
type shape struct {
	kinds []kind // without empty ones at the end
	count [word + 1]int
}

func shapeOf(cells [][]byte) shape {
	var s shape
	for _, cell := range cells {
		s.kinds = append(s.kinds, kindOf(cell))
	}
	for len(s.kinds) > 0 && s.kinds[len(s.kinds)-1] == empty {
		s.kinds = s.kinds[:len(s.kinds)-1]
	}
	for _, k := range s.kinds {
		s.count[k]++
	}
	return s
}

// full says whether a line has numbers or times and no words.
func (s shape) full() bool { return s.count[word] == 0 && s.count[numeral]+s.count[clocked] > 0 }

// gap says whether a line only says that nothing was measured.
func (s shape) gap() bool { return len(s.kinds) > 0 && s.count[missing] == len(s.kinds)-s.count[empty] }

// filled is how many cells have anything in them.
func (s shape) filled() int { return len(s.kinds) - s.count[empty] }

// like says whether a line can be a row of the same table as another one: where one
// has a number the other has no word.
func (s shape) like(other shape) bool {
	for i, k := range s.kinds {
		if i == len(other.kinds) {
			break
		}
		o := other.kinds[i]
		if k == word && (o == numeral || o == clocked) || o == word && (k == numeral || k == clocked) {
			return false
		}
	}
	return true
}
