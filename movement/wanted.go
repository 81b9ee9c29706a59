package movement

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// Wanted names the columns that a movement is most likely computed with, by what is known of the recording before its
// numbers are: those of force platforms and of channels of forces, of angles, and of the points of marker sets. A
// column that is not among them is read from the tables.
func Wanted(activity, name string, info *frames.Info, own *MarkerSet) []string {
	if computations[Pair{activity, name}] == nil {
		return nil
	}
	forces, points := map[string]bool{}, map[string]bool{}
	for _, p := range info.Plates {
		for _, c := range p.Channels {
			forces[c] = true
		}
	}
	sets := slices.Clone(markerSets)
	if own != nil {
		sets = append(sets, *own)
	}
	for _, set := range sets {
		for _, l := range set.Landmarks {
			for _, p := range slices.Concat(l.Points...) {
				points[strings.ToLower(p)] = true
			}
		}
	}
	var columns []string
	for i := range info.Channels {
		c := &info.Channels[i]
		switch called := strings.ToLower(c.Name); {
		case c.Kind == frames.KindPoint && (points[called] || points[unnumbered(called)]):
			columns = append(columns, c.Columns...)
		case c.Kind == frames.KindRotation && c.PerFrame <= 1 && (points[called] || points[unnumbered(called)]):
			columns = append(columns, placeOf(c)...)
		case len(c.Columns) > 1:
		case c.Kind == frames.KindAngle, forces[c.Name], upwards.MatchString(c.Name),
			slices.Contains(pressureChannels, called), c.Name == pelvisHeight:
			columns = append(columns, c.Columns...)
		}
	}
	return columns
}
