package movement

import (
	"errors"
	"math"
	"slices"
)

// aloft is a time in the air by the feet: the first frame of it, and the first of contact after it.
type aloft struct{ takeoff, landing int }

// leaping is a jump that is measured by the points of the body.
type leaping struct {
	*measuring
	*body
	aloft
	on       []int // the sides of sideNames that it is made with
	count    int
	standing stretch   // frames of rest before it
	pelvis   []float64 // height, through the low-pass
	feet     []float64 // how far the lower foot is above where it stood; NaN where it is missing
}

// leap finds a jump by both feet. The error is a *withheld.
func (m *measuring) leap() (*leaping, error) { return m.leapOn((*leaping).bothFeet) }

func (l *leaping) bothFeet() ([]int, error) { return []int{0, 1}, nil }

// leapOn finds a jump by the feet that are told once it is known when the person stands still.
func (m *measuring) leapOn(feet func(*leaping) ([]int, error)) (*leaping, error) {
	b, err := m.onFeet(jumpCutoff)
	if err != nil {
		return nil, err
	}
	l := &leaping{measuring: m, body: b}
	pelvis, err := b.landmark("pelvis")
	if err != nil {
		return nil, err
	}
	raw := b.height(pelvis)
	l.pelvis = smoothed(raw, jumpCutoff.Value, b.rate)
	if err := l.rest(); err != nil {
		return nil, err
	}
	if l.on, err = feet(l); err != nil {
		return nil, err
	}
	if err := l.soles(); err != nil {
		return nil, err
	}
	if err := l.fly(); err != nil {
		return nil, err
	}
	return l, l.fall(raw)
}

// rest finds the first time in which the pelvis is at rest.
func (l *leaping) rest() error {
	if l.standing, _, _ = firstRest(l.pelvis, standingTime.samples(l.rate), standingSway.Value); l.standing.to > 0 {
		return nil
	}
	return withhold(NoQuietStanding,
		"At no time the pelvis is at rest for %s, with a standard deviation of at most %s.", standingTime, standingSway)
}

// soles finds how high the lower foot is, each by the lower of heel and toe over where it stood.
func (l *leaping) soles() error {
	var names []string
	for _, side := range l.on {
		names = append(names, sideNames[side].name+"_heel", sideNames[side].name+"_toe")
	}
	for _, name := range names {
		places, err := l.landmark(name)
		if err != nil {
			return err
		}
		height := l.height(places)
		level := slices.DeleteFunc(slices.Clone(height[l.standing.from:l.standing.to]),
			func(v float64) bool { return v != v })
		if len(level) == 0 {
			return withhold(GapAtEvent, "The %s is missing in the time at rest before the jump.", plain(name))
		}
		slices.Sort(level)
		if l.feet == nil {
			l.feet = slices.Repeat([]float64{math.Inf(1)}, len(height))
		}
		for i, v := range height {
			l.feet[i] = min(l.feet[i], v-median(level)) // NaN stays
		}
	}
	return nil
}

// fly finds the longest time in which both feet are off the ground.
func (l *leaping) fly() error {
	var best aloft
	for from := l.standing.to; from < len(l.feet); from++ {
		if !(l.feet[from] > footContact.Value) {
			continue
		}
		to := from
		for to < len(l.feet) && l.feet[to] > footContact.Value {
			to++
		}
		if to-from >= leastFlight.samples(l.rate) && slices.Max(l.feet[from:to]) > footFlight.Value {
			if l.count++; to-from > best.landing-best.takeoff {
				best = aloft{from, to}
			}
		}
		from = to
	}
	switch {
	case l.count == 0:
		return withhold(NoFlight, "At no time after standing is the lower foot %s above where it stood for %s.",
			footFlight, leastFlight)
	case best.landing == len(l.feet):
		return withhold(NoLanding, "The recording ends in the air.")
	case best.landing-best.takeoff > longestFlight.samples(l.rate):
		return withhold(Implausible, "The feet are off the ground for %.2f s, and at most %s can be a jump.",
			float64(best.landing-best.takeoff)/l.rate, longestFlight)
	case !known(l.feet, best.takeoff) || !known(l.feet, best.landing):
		return withhold(GapAtEvent, "A foot is missing where the jump begins or ends.")
	}
	l.aloft = best
	return nil
}

// fall refuses a flight in which the pelvis does not fall as all things do: then the unit, the
// times or the rate of the recording are wrong. The acceleration is that of the parabola through
// the middle of the flight.
func (l *leaping) fall(height []float64) error {
	length := l.landing - l.takeoff
	falls, ok := falling(height, l.takeoff+length/5, l.landing-length/5, l.rate)
	switch {
	case !ok:
		return withhold(GapAtEvent, "The pelvis is missing in the air.")
	case !(math.Abs(falls-gravity) <= fallTolerance.Value):
		return withhold(NotInFreeFall,
			"In the air the pelvis falls with %.2f m/s², and not with %.2f ± %g, so the unit or the rate of the "+
				"recording is wrong, or this is no jump.", falls, gravity, fallTolerance.Value)
	}
	return nil
}

// falling is how fast a height falls faster, in m/s²: that of the parabola through its frames from one
// to another, half-open. It is false where one of them is missing.
func falling(height []float64, from, to int, rate float64) (float64, bool) {
	middle, half := float64(from+to-1)/2, float64(to-from)/2
	// The projection on the second Legendre polynomial of the samples is free of level and slope.
	var mean, sum, norm float64
	for i := from; i < to; i++ {
		if height[i] != height[i] {
			return 0, false
		}
		t := (float64(i) - middle) / half
		mean += t * t / float64(to-from)
	}
	for i := from; i < to; i++ {
		t := (float64(i) - middle) / half
		sum, norm = sum+(t*t-mean)*height[i], norm+(t*t-mean)*(t*t-mean)
	}
	seconds := half / rate
	return -2 * sum / norm / (seconds * seconds), true
}

// jumpByPelvis measures how high the pelvis rises in a jump of which there is no force. The feet
// tell that it was a jump, and not when it began to the frame: the toes leave the ground slowly, so
// that a height by their time in the air would be too small by a tenth and more. Out of a crouch, a
// drop or from one leg the person does not stand before it as it has to be for this.
func (m *measuring) jumpByPelvis(noForce error) error {
	const column = "jump_height_standing"
	l, err := m.leap()
	var w *withheld
	if errors.As(err, &w) && w.code == LandmarkMissing && noForce != nil {
		return noForce // the reason that people can do something about
	}
	if err != nil {
		m.withholdFor([]string{column}, err)
		return noForce
	}
	top := l.takeoff
	for i := l.takeoff; i < l.landing; i++ {
		if l.pelvis[i] > l.pelvis[top] {
			top = i
		}
	}
	mean, _ := spread(l.pelvis[l.standing.from:l.standing.to])
	m.flown = &[2]float64{l.second(l.takeoff), l.second(l.landing)}
	m.metric(column, byPelvis.ID, l.pelvis[top]-mean)
	return noForce // is why all else is withheld
}
