package movement

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/frames"
)

// ranging is a range of motion that is being measured.
type ranging struct {
	*measuring
	*body
	method Method
}

// ranging finds the body for a range of motion. The error is a *withheld.
func (m *measuring) ranging(method Method) (*ranging, error) {
	b, err := m.upright(positionCutoff)
	if err != nil {
		return nil, err
	}
	return &ranging{m, b, method}, nil
}

// line is the direction from the left to the right one of a landmark, through the low-pass.
func (r *ranging) line(name string) ([]vector, error) {
	line, err := r.across(name)
	if err != nil {
		return nil, err
	}
	return r.smooth(line, positionCutoff), nil
}

// between is the direction from one place to another, through the low-pass.
func (r *ranging) between(from, to []vector) []vector {
	return r.smooth(lines(from, to), positionCutoff)
}

// unwrapped takes whole turns from one number to the next out of angles in degrees, also over
// what is missing.
func unwrapped(angle []float64) []float64 {
	out := slices.Clone(angle)
	last := math.NaN()
	for i, v := range out {
		if v != v {
			continue
		}
		if last == last {
			out[i] = v - 360*math.Round((v-last)/360)
		}
		last = out[i]
	}
	return out
}

// less is the difference of two courses.
func less(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i := range out {
		out[i] -= b[i]
	}
	return out
}

// opposite is a course with the other sign.
func opposite(a []float64) []float64 { return less(make([]float64, len(a)), a) }

// zeroed takes the mean of the first stretch of rest off an angle. The error is a *withheld.
func (r *ranging) zeroed(angle []float64) ([]float64, error) {
	rest, mean, least := firstRest(angle, quietTime.samples(r.rate), quietAngle.Value)
	if rest.to > 0 {
		out := slices.Clone(angle)
		for i := range out {
			out[i] -= mean
		}
		return out, nil
	}
	return nil, withhold(NoQuietStanding,
		"At no time the starting position is held for %s: at its stillest the angle varies by %.1f°, and at most %s "+
			"is still.", quietTime, least, quietAngle)
}

// greatest keeps the greatest number of a course and when it is: of every three the middle one, so
// that it is held. A number that something missing may have hidden is withheld.
func (r *ranging) greatest(column string, angle []float64) {
	best, value, err := greatestHeld(angle, r.rate, r.second)
	if err != nil {
		r.withholdFor([]string{column, column + frameSuffix}, err)
		return
	}
	r.metric(column, r.method.ID, value)
	if r.has(column) {
		r.event(column+frameSuffix, r.method.ID, r.second(best))
	}
}

// greatestHeld is where a course is greatest, and how great: of every three numbers the middle one.
// The error is a *withheld, where something missing may have hidden it.
func greatestHeld(angle []float64, rate float64, second func(int) float64) (at int, value float64, err error) {
	all := stretches(angle)
	for i := 1; i < len(all); i++ {
		if all[i].from-all[i-1].to > longestBridge.samples(rate) {
			return 0, 0, withhold(GapAtEvent,
				"What the angle needs is missing from %.2f s to %.2f s, when it may be greatest.", second(all[i-1].to),
				second(all[i].from))
		}
	}
	best, value := -1, math.Inf(-1)
	for i := 1; i < len(angle)-1; i++ {
		three := []float64{angle[i-1], angle[i], angle[i+1]}
		slices.Sort(three) // what is missing comes first
		if three[1] > value {
			best, value = i, three[1]
		}
	}
	if best < 0 || best > 1 && !known(angle, best-1) || best < len(angle)-2 && !known(angle, best+1) {
		return 0, 0, withhold(GapAtEvent, "What the angle needs is missing where it is greatest.")
	}
	return best, value, nil
}

// trunk is the direction from the pelvis to the neck. The error is a *withheld, also where the
// person is not upright and has to be.
func (r *ranging) trunk(upright bool) ([]vector, error) {
	pelvis, err := r.landmark("pelvis")
	if err != nil {
		return nil, err
	}
	neck, err := r.landmark("neck")
	if err != nil {
		return nil, err
	}
	axis := r.between(pelvis, neck)
	var lean []float64
	for _, v := range axis {
		if a := v.angle(r.up); a == a {
			lean = append(lean, a)
		}
	}
	slices.Sort(lean)
	if upright && !(median(lean) <= mostLean.Value) {
		return nil, withhold(NotUpright,
			"The trunk leans by %.0f°, and the rotation is measured about the vertical, of a trunk that leans by at "+
				"most %s.", median(lean), mostLean)
	}
	return axis, nil
}

// neckRotation measures how far the head turns.
func (m *measuring) neckRotation() error {
	r, err := m.ranging(byRotation)
	if err != nil {
		return err
	}
	if _, err = r.trunk(true); err != nil {
		return err
	}
	head, err := r.line("head")
	if err != nil {
		return err
	}
	shoulders, err := r.line("shoulder")
	if err != nil {
		return err
	}
	angle, err := r.zeroed(unwrapped(less(r.about(head), r.about(shoulders))))
	if err != nil {
		return err
	}
	r.greatest("cervical_rotation_left_peak", angle)
	r.greatest("cervical_rotation_right_peak", opposite(angle))
	for _, side := range sides {
		r.functional("cervical_rotation_"+side+"_functional", "cervical_rotation_"+side+"_peak", byFunctionalRotation,
			functionalRotation)
	}
	return nil
}

// trunkRotation measures how far shoulders and pelvis turn.
func (m *measuring) trunkRotation() error {
	r, err := m.ranging(byRotation)
	if err != nil {
		return err
	}
	if _, err = r.trunk(true); err != nil {
		return err
	}
	shoulders, err := r.line("shoulder")
	if err != nil {
		return err
	}
	hips, err := r.line("hip")
	if err != nil {
		if hips, err = r.line("asis"); err != nil {
			return err
		}
	}
	trunk, pelvis := r.about(shoulders), r.about(hips)
	for _, c := range []struct {
		column string
		angle  []float64
	}{
		{"t_spine_rotation_peak_trunk_rotation", trunk}, {"t_spine_rotation_peak_pelvis_rotation", pelvis},
		{"t_spine_rotation_peak_trunk_pelvis_separation", unwrapped(less(trunk, pelvis))},
	} {
		angle, err := r.zeroed(c.angle)
		if err != nil {
			r.withholdFor([]string{c.column, c.column + "_frame"}, err)
			continue
		}
		for i := range angle {
			angle[i] = math.Abs(angle[i])
		}
		r.greatest(c.column, angle)
	}
	return nil
}

// shoulderFlexion measures how far the arms are raised.
func (m *measuring) shoulderFlexion() error {
	r, err := m.ranging(byRaise)
	if err != nil {
		return err
	}
	if err := r.exchanged(); err != nil {
		return err
	}
	trunk, err := r.trunk(false)
	if err != nil {
		return err
	}
	for _, side := range []string{"left", "right"} {
		column := side + "_shoulder_flexion_max"
		arm, err := r.segment(side+"_shoulder", side+"_elbow")
		if err != nil {
			r.withholdFor([]string{column, column + "_frame"}, err)
			continue
		}
		angle := make([]float64, len(arm))
		for i := range angle {
			angle[i] = 180 - arm[i].angle(trunk[i])
		}
		r.greatest(column, angle)
		r.functional(side+"_shoulder_flexion_functional", column, byFunctionalRaise, functionalRaise)
	}
	return nil
}

// functional keeps whether an angle is as great as what people need in their days; where there is
// no angle, the reason is that of the angle.
func (r *ranging) functional(flag, column string, by Method, least Parameter) {
	at := slices.IndexFunc(r.computed.Metrics, func(m frames.ComputedMetric) bool { return m.Column == column })
	if at < 0 {
		if why := r.reasons[column]; why != nil {
			r.withhold(flag, why.code, "%s", why.message)
		}
		return
	}
	r.metric(flag, by.ID, one(*r.computed.Metrics[at].Value >= least.Value))
}

// segment is the direction from one landmark to another.
func (r *ranging) segment(from, to string) ([]vector, error) {
	a, err := r.landmark(from)
	if err != nil {
		return nil, err
	}
	b, err := r.landmark(to)
	if err != nil {
		return nil, err
	}
	return r.between(a, b), nil
}

// ankleFlexion measures how far the feet are bent, from the starting position.
func (m *measuring) ankleFlexion() error {
	r, err := m.ranging(byFoot)
	if err != nil {
		return err
	}
	if err := r.exchanged(); err != nil {
		return err
	}
	for _, side := range []string{"left", "right"} {
		up, down := side+"_ankle_dorsiflexion_max", side+"_ankle_plantarflexion_max"
		angle, err := r.foot(side)
		if err != nil {
			r.withholdFor([]string{up, up + "_frame", down, down + "_frame"}, err)
			continue
		}
		r.greatest(up, angle)
		r.greatest(down, opposite(angle))
	}
	return nil
}

// foot is the angle of a foot, upwards positive, 0 in the starting position.
func (r *ranging) foot(side string) ([]float64, error) {
	shank, err := r.segment(side+"_ankle", side+"_knee")
	if err != nil {
		return nil, err
	}
	foot, err := r.segment(side+"_heel", side+"_toe")
	if err != nil {
		return nil, err
	}
	angle := make([]float64, len(shank))
	for i := range angle {
		angle[i] = -shank[i].angle(foot[i])
	}
	return r.zeroed(angle)
}
