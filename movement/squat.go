package movement

import "slices"

// squat measures squats.
func (m *measuring) squat() error {
	d, err := m.descend()
	if err != nil {
		return err
	}
	d.moments("squat")
	d.deep("squat_depth")
	d.flexions()
	d.below()
	d.valgus()
	return nil
}

// lunge measures lunges, whose events have names that begin so.
func (m *measuring) lunge(name string) error {
	d, err := m.descend()
	if err != nil {
		return err
	}
	d.moments(name)
	d.deep("lunge_depth")
	d.flexions()
	d.valgus()
	d.stance()
	return nil
}

// stance keeps how far the ankles are apart at the lowest position, along where the person faces
// and across.
func (d *descent) stance() {
	columns := []string{"stance_length", "stance_width"}
	if d.body == nil {
		d.withholdFor(columns, withhold(LandmarkMissing, "The recording has no points of the ankles."))
		return
	}
	ankles, err := d.body.both("ankle")
	if err != nil {
		d.withholdFor(columns, err)
		return
	}
	heading, err := d.body.facing()
	if err != nil {
		d.withholdFor(columns, err)
		return
	}
	left, right := d.body.smooth(ankles[0], positionCutoff), d.body.smooth(ankles[1], positionCutoff)
	apart := func(i int) vector { return left[i].minus(right[i]) }
	size := func(v float64) float64 { return max(v, -v) }
	d.atBottom("stance_length", byStance.ID, func(i int) float64 { return size(apart(i).dot(heading[i])) })
	d.atBottom("stance_width", byStance.ID,
		func(i int) float64 { return size(apart(i).dot(d.body.up.cross(heading[i]))) })
}

// depth is how far the height goes down in the repetition.
func (r repetition) depth(height []float64) float64 {
	part := height[r.start : r.end+1]
	return slices.Max(part) - slices.Min(part)
}
