package capture

import (
	"slices"

	"github.com/kinebase/kinebase/movement"
)

// dimensions are those of the pairs that the library of movements has.
var dimensions = movement.Dimensions()

// Dimensions names the dimension fields of a pair, in alphabetical order; none
// for a pair that the table does not have. The pair is compared by Fold.
func Dimensions(activity, name string) []string {
	return dimensions[movement.Pair{Activity: Fold(activity), Movement: Fold(name)}]
}

// DimensionNames lists every name that some pair has, in alphabetical order.
func DimensionNames() []string {
	var names []string
	for _, fields := range dimensions {
		names = append(names, fields...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Pairs lists the (activity, movement) pairs that have dimensions, in order.
func Pairs() [][2]string {
	var pairs [][2]string
	for p, names := range dimensions {
		if len(names) > 0 {
			pairs = append(pairs, [2]string{p.Activity, p.Movement})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return pairs
}
