package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/units"
)

// The text in brackets behind a name need not be a unit. It may be a mark: the kind of the
// numbers (txt, bool, raw), the set that they are from (N, Z, R), or that they have no unit.
// Or it belongs to the name, as a side or an axis does.

// typeMarks are such marks, in small letters.
var typeMarks = []string{"txt", "text", "str", "string", "bool", "boolean", "int", "integer", "int16", "int32", "uint8",
	"uint16", "float", "double", "char", "enum", "flag", "raw", "1", "0/1",
	"no unit", "no units", "no_unit", "no_units", "nounits", "unitless", "dimensionless", "none", "n/a", "index", "idx",
	"id"}

// isSide says whether a word in brackets belongs to the name before it.
func isSide(word string) bool {
	return slices.Contains([]string{"l", "r", "li", "re", "left", "right", "links", "rechts", "x", "y", "z"},
		strings.ToLower(word))
}

// isCount says whether a column of this name counts: then N beside it is the set of whole
// numbers, and no newton. What has a number of its own, as Trial 1 or Sample 2, is a thing.
func isCount(name string) bool {
	words := wordsOf(name)
	return len(words) > 0 && !strings.ContainsAny(name, "0123456789") &&
		slices.Contains([]string{"sample", "samples", "count", "counts", "counter", "index", "idx", "steps", "number",
			"num", "nr",
			"packet", "packets", "packetcounter", "frame", "frames", "row", "rows", "laps", "floors", "beats",
			"repetitions", "reps", "strides", "satellites", "id", "state"}, words[len(words)-1])
}

// isForce says whether a column of this name is one of forces.
func isForce(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return slices.Contains([]string{"force", "forces", "load", "weight", "grf", "fx", "fy", "fz", "thrust",
			"tension", "kraft", "fuerza", "forza"}, w)
	})
}

// noPosition says that a column is no part of a position: raw numbers are no lengths.
func (l *layout) noPosition(i int) {
	for len(l.vectors) <= i {
		l.vectors = append(l.vectors, false)
	}
	l.vectors[i] = true
}

// hasSets says whether the columns of a table say from which set their numbers are.
func hasSets(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		bare, unit := unitOf(name)
		return unit == "txt" || unit == "N" && isCount(bare)
	})
}

// mark says what the brackets behind a name hold: whether they hold no unit, and whether
// they belong to the name all the same.
func (l *layout) mark(i int, bare, unit string, sets bool) (none, named bool) {
	whole := i >= len(l.whole) || l.whole[i]
	switch {
	case unit == "" || units.Known(unit) && unit != "N" && unit != "n":
		return false, false
	case sets && (unit == "Z" || unit == "R"):
		return true, false
	case units.Known(unit):
		return whole && (isCount(bare) || sets && unit == "N" && !isForce(bare)), false
	case isSide(unit):
		return true, true
	}
	return slices.Contains(typeMarks, strings.ToLower(unit)), false
}
