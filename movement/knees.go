package movement

import (
	"errors"
	"slices"
)

// sideNames are those of the sides, and how OpenSim and Plug-in Gait call the angle of the knee.
var sideNames = [2]struct{ name, openSim, plugIn string }{{"left", "knee_angle_l", "LKneeAngles"},
	{"right", "knee_angle_r", "RKneeAngles"}}

// flexions keeps the greatest flexion of both knees in the repetition: by the joint centres, or
// else by angles of the file.
func (d *descent) flexions() {
	if d.body != nil {
		if err := d.body.exchanged(); err != nil {
			d.withholdFor([]string{"peak_knee_flexion_left", "peak_knee_flexion_right"}, err)
			return
		}
	}
	for s, side := range sideNames {
		column := "peak_knee_flexion_" + side.name
		angle, err := d.bend(s)
		method := byLegs.ID
		if err != nil {
			method = byKnee.ID
			if angle, err = d.angle(side.openSim, side.plugIn); err != nil {
				d.withholdFor([]string{column}, err)
				continue
			}
		}
		d.peak(column, method, angle)
	}
}

// withholdFor withholds columns for what an error says.
func (m *measuring) withholdFor(columns []string, err error) {
	var w *withheld
	if !errors.As(err, &w) {
		w = &withheld{Failed, "The computation failed: " + err.Error() + "."}
	}
	for _, c := range columns {
		m.withhold(c, w.code, "%s", w.message)
	}
}

// peak keeps the greatest angle of the repetition.
func (d *descent) peak(column, method string, angle []float64) {
	part := angle[d.start : d.end+1]
	if slices.ContainsFunc(part, func(v float64) bool { return v != v }) {
		d.withhold(column, GapAtEvent,
			"The angle of the knee is missing in a part of the repetition, in which it may be greatest.")
		return
	}
	d.metric(column, method, slices.Max(part))
}

// legs gives the centres of hip, knee and ankle of a side, through the low-pass.
func (d *descent) legs(side int) (joints [3][]vector, err error) {
	if d.body == nil || !d.body.set.Centres {
		return joints, withhold(LandmarkMissing, "The recording has no centres of hip, knee and ankle.")
	}
	for i, name := range []string{"_hip", "_knee", "_ankle"} {
		places, err := d.body.landmark(sideNames[side].name + name)
		if err != nil {
			return joints, err
		}
		joints[i] = d.body.smooth(places, positionCutoff)
	}
	return joints, nil
}

// bend is the flexion of a knee by the joint centres: the angle between thigh and shank.
func (d *descent) bend(side int) ([]float64, error) {
	j, err := d.legs(side)
	if err != nil {
		return nil, err
	}
	angle := make([]float64, len(j[0]))
	for i := range angle {
		angle[i] = j[1][i].minus(j[0][i]).angle(j[2][i].minus(j[1][i]))
	}
	return angle, nil
}

// angle is the flexion of a knee by an angle of the file, whose direction the data tell.
func (d *descent) angle(openSim, plugIn string) ([]float64, error) {
	name, column := openSim, ""
	c := d.rec.Info.Channel(openSim)
	if c != nil && len(c.Columns) == 1 {
		column = c.Columns[0]
	} else if c = d.rec.Info.Channel(plugIn); c != nil && len(c.Columns) == 3 {
		name, column = plugIn, c.Columns[0] // flexion is the first of the three
	}
	switch {
	case column == "":
		return nil, withhold(LandmarkMissing,
			"The recording has neither the centres of hip, knee and ankle nor a channel %s or %s.", openSim, plugIn)
	case c.Unit != "deg":
		return nil, withhold(UnitUnknown, "The unit of %s is %q, and degrees are needed.", name, c.Unit)
	case c.PerFrame > 1:
		return nil, withhold(RateTooLow, "%s has another rate than the pelvis.", name)
	}
	values, err := d.rec.read([]string{column}, 1)
	if err != nil {
		return nil, err
	}
	least, most := extremes(values[0])
	switch {
	case most > provenAngle.Value && least > -provenAngle.Value:
		return values[0], nil
	case least < -provenAngle.Value && most < provenAngle.Value:
		for i := range values[0] {
			values[0][i] *= -1
		}
		return values[0], nil
	}
	return nil, withhold(AngleSignUnknown,
		"%s goes from %.1f to %.1f degrees, so it is not known in which direction the knee bends.", name, least, most)
}

// valgus keeps how far the knees are beside the line from hip to ankle at the lowest position,
// outwards positive.
func (d *descent) valgus() {
	columns := []string{"left_knee_valgus_at_bottom", "right_knee_valgus_at_bottom"}
	if d.body == nil || !d.body.set.Centres {
		d.withholdFor(columns, withhold(LandmarkMissing, "The recording has no centres of hip, knee and ankle."))
		return
	}
	heading, err := d.body.facing()
	if err != nil {
		d.withholdFor(columns, err)
		return
	}
	for s, column := range columns {
		j, err := d.legs(s)
		if err != nil {
			d.withholdFor([]string{column}, err)
			continue
		}
		value := func(i int) float64 {
			hip, knee, ankle := j[0][i], j[1][i], j[2][i]
			left := d.body.up.cross(heading[i])
			normal := ankle.minus(hip).cross(heading[i]).unit()
			if normal.dot(left) < 0 {
				normal = normal.by(-1)
			}
			return knee.minus(hip).dot(normal) * (1 - 2*float64(s)) // left is outwards on the left alone
		}
		d.atBottom(column, byValgus.ID, value)
	}
}

// atBottom keeps a value of the lowest position, with which those beside it must be there too.
func (d *descent) atBottom(column, method string, value func(i int) float64) {
	for i := max(0, d.bottom-1); i <= min(len(d.height)-1, d.bottom+1); i++ {
		if v := value(i); v != v {
			d.withhold(column, GapAtEvent, "A point that the value needs is missing at the lowest position.")
			return
		}
	}
	d.metric(column, method, value(d.bottom))
}

// below keeps whether the hips are lower than the knees at the lowest position.
func (d *descent) below() {
	const column = "hip_below_knee"
	left, err := d.legs(0)
	if err != nil {
		d.withholdFor([]string{column}, err)
		return
	}
	right, err := d.legs(1)
	if err != nil {
		d.withholdFor([]string{column}, err)
		return
	}
	d.atBottom(column, byHips.ID, func(i int) float64 {
		above := left[0][i].plus(right[0][i]).minus(left[1][i]).minus(right[1][i]).dot(d.body.up)
		if above != above {
			return above
		}
		return one(above < 0)
	})
}
