package movement

import (
	"math"
	"slices"
)

// squat measures squats by the height of the pelvis.
func (m *measuring) squat() error {
	const pelvis = "pelvis_ty"
	c := m.rec.channel(pelvis)
	if c == nil || len(c.Columns) != 1 {
		return withhold(LandmarkMissing, "The recording has no height of the pelvis: the channel %s of OpenSim is known so far.", pelvis)
	}
	values, rate, err := m.rec.courses([]string{pelvis})
	if err != nil {
		return err
	}
	height := values[0]
	if slices.ContainsFunc(height, func(h float64) bool { return math.IsNaN(h) || math.IsInf(h, 0) }) {
		return withhold(GapAtEvent, "The height of the pelvis is missing in some frames.")
	}
	all := lows(height, rate)
	all = slices.DeleteFunc(all, func(r repetition) bool { return r.depth(height) < leastSquat.Value })
	if len(all) == 0 {
		return withhold(NoRepetition, "The pelvis does not go down and up again by %s or more.", leastSquat)
	}
	second := func(i int) float64 { return m.rec.Info.Start + float64(i)/rate }
	r := all[0]
	m.metric("repetitions", bySquat.ID, float64(len(all)))
	m.event("squat_initiation_frame", bySquat.ID, second(r.start))
	m.event("squat_bottom_frame", bySquat.ID, second(r.bottom))
	m.event("squat_end_frame", bySquat.ID, second(r.end))
	m.metric("squat_depth", bySquat.ID, r.depth(height))
	from, to := r.bottom, r.bottom
	for from > r.start && height[from-1] <= height[r.bottom]+bottomHeight.Value {
		from--
	}
	for to < r.end && height[to+1] <= height[r.bottom]+bottomHeight.Value {
		to++
	}
	m.metric("time_while_at_bottom", bySquat.ID, float64(to-from)/rate)
	for column, channel := range map[string]string{"peak_knee_flexion_left": "knee_angle_l", "peak_knee_flexion_right": "knee_angle_r"} {
		m.knee(column, channel, r)
	}
	return nil
}

// depth is how far the height goes down in the repetition.
func (r repetition) depth(height []float64) float64 {
	part := height[r.start : r.end+1]
	return slices.Max(part) - slices.Min(part)
}

// knee measures the flexion of a knee in a repetition.
func (m *measuring) knee(column, channel string, r repetition) {
	c := m.rec.channel(channel)
	if c == nil || len(c.Columns) != 1 {
		m.withhold(column, LandmarkMissing, "The recording has no channel %s.", channel)
		return
	}
	if c.Unit != "deg" {
		m.withhold(column, UnitUnknown, "The unit of %s is %q, and degrees are needed.", channel, c.Unit)
		return
	}
	values, _, err := m.rec.courses([]string{channel})
	if err != nil {
		m.withhold(column, Failed, "%s", err.Error())
		return
	}
	least, most := slices.Min(values[0]), slices.Max(values[0])
	part := values[0][r.start : r.end+1]
	switch {
	case slices.ContainsFunc(values[0], func(v float64) bool { return v != v }):
		m.withhold(column, GapAtEvent, "%s is missing in some frames.", channel)
	case most > provenAngle.Value && least > -provenAngle.Value:
		m.metric(column, byKnee.ID, slices.Max(part))
	case least < -provenAngle.Value && most < provenAngle.Value:
		m.metric(column, byKnee.ID, -slices.Min(part))
	default:
		m.withhold(column, AngleSignUnknown, "%s goes from %.1f to %.1f degrees, so it is not known in which direction the knee bends.", channel, least, most)
	}
}
