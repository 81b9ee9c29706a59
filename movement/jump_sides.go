package movement

import (
	"slices"

	"github.com/kinebase/kinebase/motion/plate"
)

// tell gives each foot its platform, where there are two and each foot stands on one of its own
// while the person is weighed. Where there is no telling, it keeps the reason.
func (j *jumping) tell(q quiet) {
	if j.left != nil || len(j.platforms) == 0 {
		return
	}
	sides, err := j.standing(q)
	if err != nil {
		var columns []string
		for i := range j.movement.Columns {
			if c := &j.movement.Columns[i]; c.Methods[0].ID == bySides.ID {
				columns = append(columns, c.Name)
			}
		}
		j.withholdFor(columns, err)
		return
	}
	j.left, j.right = sides[0].Verticals(), sides[1].Verticals()
}

// standing gives the platforms of the left and the right foot. The error is a *withheld.
func (j *jumping) standing(q quiet) (sides [2]*plate.Course, err error) {
	if len(j.platforms) != 2 {
		return sides, withhold(SideUnknown, "%d force platforms bear the person, and a foot each stands on two.",
			len(j.platforms))
	}
	b, err := j.person()
	if err != nil {
		return sides, err
	}
	j.body = b
	if err := b.exchanged(); err != nil {
		return sides, err
	}
	for s, side := range sideNames {
		at, err := b.middleOfFoot(side.name, int(float64(q.from)/j.rate*b.rate), int(float64(q.to)/j.rate*b.rate))
		if err != nil {
			return sides, err
		}
		on := slices.IndexFunc(j.platforms, func(c *plate.Course) bool { return c.Platform.Beneath(plate.Vector(at)) })
		if on < 0 {
			return sides, withhold(SideUnknown, "While the person is weighed the %s foot is on neither force platform.",
				side.name)
		}
		sides[s] = j.platforms[on]
	}
	if sides[0] == sides[1] {
		return sides, withhold(SideUnknown, "While the person is weighed both feet are on the same force platform.")
	}
	return sides, nil
}

// middleOfFoot is the middle of heel and toe in some frames, half-open: the median along each axis.
func (b *body) middleOfFoot(side string, from, to int) (middle vector, err error) {
	heel, err := b.landmark(side + "_heel")
	if err != nil {
		return middle, err
	}
	toe, err := b.landmark(side + "_toe")
	if err != nil {
		return middle, err
	}
	for axis := range middle {
		var values []float64
		for i := max(0, from); i < min(to, len(heel)); i++ {
			if v := (heel[i][axis] + toe[i][axis]) / 2; v == v {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			return middle, withhold(GapAtEvent, "The %s foot is missing while the person is weighed.", side)
		}
		slices.Sort(values)
		middle[axis] = median(values)
	}
	return middle, nil
}
