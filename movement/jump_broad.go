package movement

import (
	"math"
	"slices"
)

// broadJump measures a jump forwards from both feet.
func (m *measuring) broadJump() error { return m.broad((*leaping).bothFeet, byBroad) }

// singleLegBroadJump measures a jump forwards from one foot onto the same.
func (m *measuring) singleLegBroadJump() error { return m.broad((*leaping).standingFoot, byHop) }

// standingFoot is the one that stands while the other one is raised. The error is a *withheld.
func (l *leaping) standingFoot() ([]int, error) {
	toes, err := l.both("toe")
	if err != nil {
		return nil, err
	}
	var height [2]float64
	for side := range height {
		height[side] = centre(toes[side][l.standing.from:l.standing.to]).dot(l.up)
	}
	switch apart := height[1] - height[0]; {
	case apart != apart:
		return nil, withhold(GapAtEvent, "A toe is missing in the time at rest before the jump.")
	case apart > raisedFoot.Value:
		return []int{0}, nil
	case -apart > raisedFoot.Value:
		return []int{1}, nil
	default:
		return nil, withhold(SideUnknown,
			"In the time at rest before the jump no foot is raised: the toes are %.3f m apart in height, and the "+
				"raised one is %s higher.", math.Abs(apart), raisedFoot)
	}
}

// broad measures a jump forwards.
func (m *measuring) broad(feet func(*leaping) ([]int, error), method Method) error {
	l, err := m.leapOn(feet)
	if err != nil {
		return err
	}
	if l.landing+landStill.samples(l.rate) > len(l.feet) {
		return withhold(NoLanding,
			"The recording ends less than %s after the landing, so that it is not known where the feet come to rest.",
			landStill)
	}
	before := l.around(l.takeoff, -pushStill.Value, -pushStill.Value/3)
	after := l.around(l.landing, landStill.Value/2, landStill.Value)
	pelvis, err := l.landmark("pelvis")
	if err != nil {
		return err
	}
	from, to := centre(pelvis[before.from:before.to]), centre(pelvis[after.from:after.to])
	forwards := to.minus(from).across(l.up).unit()
	if forwards.missing() {
		return withhold(GapAtEvent, "The pelvis is missing just before the take-off or just after the landing.")
	}
	front, err := l.places("toe", before, forwards, "the take-off")
	if err != nil {
		return err
	}
	if err := l.ahead(before, forwards); err != nil {
		return err
	}
	rear, err := l.places("heel", after, forwards, "the landing")
	if err != nil {
		return err
	}
	m.metric("jump_distance", method.ID, slices.Min(rear)-slices.Max(front))
	return nil
}

// ahead refuses a jump that does not go where the feet point: backwards the heels would be in front, and where somebody
// comes down in place the way of the pelvis is any.
func (l *leaping) ahead(before stretch, forwards vector) error {
	heels, err := l.both("heel")
	if err != nil {
		return err
	}
	toes, err := l.both("toe")
	if err != nil {
		return err
	}
	var feet vector
	for _, side := range l.on {
		feet = feet.plus(centre(toes[side][before.from:before.to]).minus(centre(heels[side][before.from:before.to])))
	}
	switch off := feet.across(l.up).angle(forwards); {
	case off != off:
		return withhold(GapAtEvent, "A foot is missing just before the take-off.")
	case off > forwardsWithin.Value:
		return withhold(Implausible,
			"The pelvis goes %.0f° from where the feet point, and a jump forwards goes within %s of it.", off,
			forwardsWithin)
	}
	return nil
}

// around is the frames from some seconds after a frame to others, half-open.
func (l *leaping) around(frame int, from, to float64) stretch {
	first := max(0, frame+int(math.Round(from*l.rate)))
	return stretch{first, max(first+1, frame+int(math.Round(to*l.rate)))}
}

// centre is the mean of places.
func centre(places []vector) (sum vector) {
	for _, p := range places {
		sum = sum.plus(p.by(1 / float64(len(places))))
	}
	return sum
}

// places gives where a landmark of the feet is along a direction while the feet stay where they
// are. The error is a *withheld where they do not.
func (l *leaping) places(name string, s stretch, along vector, when string) (at []float64, err error) {
	sides, err := l.both(name)
	if err != nil {
		return nil, err
	}
	for _, i := range l.on {
		var values []float64
		for _, p := range sides[i][s.from:s.to] {
			values = append(values, p.dot(along))
		}
		mean, deviation := spread(values)
		switch {
		case mean != mean:
			return nil, withhold(GapAtEvent, "The %s %s is missing at %s.", sideNames[i].name, name, when)
		case deviation > feetStill.Value:
			return nil, withhold(NoQuietStanding,
				"The %s %s moves by %.3f m at %s, so that it is not known where the foot was.", sideNames[i].name, name,
				deviation, when)
		}
		at = append(at, mean)
	}
	return at, nil
}
