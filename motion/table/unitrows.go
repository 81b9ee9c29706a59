package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/units"
)

// The units of the columns may stand in a line of their own, below the names or above
// them.

// isUnits says whether a line has units: words, of which half at least are known.
func isUnits(h *headLine) bool {
	known, other := 0, 0
	for c, k := range h.shape.kinds {
		name := label.Clean(h.cells[c])
		bare := name
		if name != "" && strings.IndexByte("([", name[0]) >= 0 {
			bare = strings.Trim(name, "()[]")
		}
		switch {
		case k == empty || k == failed || k == missing:
		case k == numeral || len(name) > 24:
			return false
		case isAxis(name) && bare == name:
			other++
		case units.Known(bare) || bare != name:
			known++
		default:
			other++
		}
	}
	return known > 0 && known >= other
}

// unitWords are what a line of units is called in the cell before them.
var unitWords = []string{"unit", "units", "einheit", "einheiten", "unité", "unités", "unidad", "unidades", "unità"}

func isUnitWord(name string) bool {
	return slices.Contains(unitWords, strings.ToLower(strings.Trim(name, "#%:= ")))
}

// untitled takes what a line of units is called out of it.
func untitled(unit []string) []string {
	if len(unit) > 1 && isUnitWord(unit[0]) {
		unit = slices.Clone(unit)
		unit[0] = ""
	}
	return unit
}

// placed puts the units of a line that lacks the cell of the first column, which has times or
// numbers of frames, above their columns: its first cell is then no unit of time, or that of the times
// behind the numbers of frames. Where blanks set cells apart, a missing cell leaves no place.
// Fewer units than that tell nothing.
func (s *source) placed(names, unit []string) []string {
	n := len(names)
	if n < 2 || len(unit) == 0 || !isLeadName(names[0]) && clockUnit(wordsOf(names[0])) == "" {
		return unit
	}
	last := len(unit)
	for last > 0 && unit[last-1] == "" {
		last--
	}
	_, timed := units.PerSecond(unwrapped(unit[0]))
	odd := !timed && strings.Trim(unit[0], "-#") != "" &&
		!slices.Contains([]string{"count", "counts", "frame", "frames", "index"}, strings.ToLower(unwrapped(unit[0])))
	odd = odd || timed && last < n && isFrame(plainName(names[0])) && isTime(plainName(names[1]))
	switch {
	case odd && last == n-1:
		return append([]string{""}, unit[:last]...)
	case last < n && (odd || s.sep == ' '):
		return nil
	}
	return unit
}

// plainName is a name in small letters, without its unit.
func plainName(name string) string {
	bare, _ := unitOf(strings.ToLower(name))
	return bare
}

// unitsFrom gives the units that stand above the lines of names, the highest of which has
// a place in head, and that of the highest line then. They stand right above, or further
// up in a line that is called so.
func (s *source) unitsFrom(i int, lines [][]string) (unit []string, top int) {
	if s.unitsAbove(i-1, lines) {
		return s.texts(i - 1), i - 1
	}
	for at := i - 1; at >= 0; at-- {
		h := &s.head[at]
		if len(h.shape.kinds) < 3 || !isUnitWord(label.Clean(h.cells[0])) {
			continue
		}
		switch width, names := len(h.shape.kinds), len(columnsOf(lines)); {
		case onlyUnits(h) && width == names+1: // the word stands in front of all columns
			return s.texts(at)[1:], i
		case s.unitsAbove(at, lines) && width == names:
			return s.texts(at), i
		}
		return nil, i
	}
	return nil, i
}

// unitsAbove says whether a line above the lines of names has the units of their columns:
// nothing but units, and one for each column of numbers unless the line is called so.
func (s *source) unitsAbove(at int, lines [][]string) bool {
	if at < 0 {
		return false
	}
	h, names := &s.head[at], columnsOf(lines)
	if len(h.shape.kinds) < 2 || len(h.shape.kinds) > len(names) || !onlyUnits(h) {
		return false
	}
	if isUnitWord(label.Clean(h.cells[0])) {
		// A unit of time behind the word is that of the first column, and none stands above
		// its own.
		_, time := units.PerSecond(unwrapped(label.Clean(h.cells[1])))
		return len(h.shape.kinds) > 2 && !(time && isLeadName(names[0]) && !isLeadName(names[1]))
	}
	known := 0
	for c, name := range names {
		switch {
		case c < len(h.shape.kinds) && h.shape.kinds[c] == word:
			known++
		case name != "" && !isLeadName(name):
			return false
		}
	}
	return known > 1
}

// columnsOf gives the lowest name of every column.
func columnsOf(lines [][]string) []string {
	var names []string
	for _, line := range lines {
		for c, name := range line {
			if c == len(names) {
				names = append(names, "")
			}
			if name != "" {
				names[c] = name
			}
		}
	}
	return names
}

// onlyUnits says whether a line has nothing but units, behind the word for them at times.
func onlyUnits(h *headLine) bool {
	known := 0
	for c, k := range h.shape.kinds {
		name := label.Clean(h.cells[c])
		switch {
		case k == empty || k == failed || k == missing || c == 0 && isUnitWord(name):
		case k == word && len(name) <= 24 && units.Known(unwrapped(name)):
			known++
		default:
			return false
		}
	}
	return known > 0
}

// unwrapped takes the brackets off that stand around a unit: [mm], but not those of m/(s^2).
func unwrapped(unit string) string {
	if len(unit) > 1 && (unit[0] == '(' || unit[0] == '[') && strings.IndexByte(")]", unit[len(unit)-1]) >= 0 {
		return unit[1 : len(unit)-1]
	}
	return unit
}
