package movement

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/plate"
)

// standing gives the points of the person, and knows which way is up. The error is a *withheld.
func (r *Recording) standing() (*body, error) {
	b, err := r.body()
	if err != nil {
		return nil, err
	}
	return b, b.stand()
}

// trusted refuses a jump whose force or whose rate cannot be what the file says. The error is a *withheld for all
// columns: a flight is as wrong as an integral then.
func (j *jumping) trusted() error {
	const column = "jump_height_flight_time"
	if highest := j.movement.Column(column).Plausible[1]; !j.open && j.heightByTime() > highest {
		return withhold(Implausible, "By %.3f s in the air the jump would be %.2f m high, and nobody jumps higher "+
			"than %g m, so the rate of the recording is wrong or this is no jump.", j.airtime(), j.heightByTime(),
			highest)
	}
	if b, err := j.person(); err == nil {
		if err := j.falls(b); err != nil {
			return err
		}
		return j.borne(b)
	}
	return nil // no points tell more
}

// falls refuses a flight in which the pelvis does not fall as all things do: the rate is wrong then, by which the force
// is as wrong as the points.
func (j *jumping) falls(b *body) error {
	pelvis, err := b.landmark("pelvis")
	if there := err == nil; !there || j.open {
		return nil
	}
	length := j.landing - j.takeoff
	fall, ok := falling(b.height(pelvis), j.frame(b, j.takeoff+length/5), j.frame(b, j.landing-length/5), b.rate)
	if !ok || math.Abs(fall-gravity) <= pelvisFall.Value {
		return nil
	}
	if unit := b.sized() == nil; !unit { // a wrong unit is none of the force
		return nil
	}
	j.body = b
	return withhold(NotInFreeFall,
		"In the air the pelvis falls with %.2f m/s², and not with %.2f ± %g, so the rate of the recording is wrong, "+
			"or the unit of its points.", fall, gravity, pelvisFall.Value)
}

// frame is the first frame of the points that is not before a sample of the force.
func (j *jumping) frame(b *body, sample int) int {
	return int(math.Ceil(float64(sample) / j.rate * b.rate))
}

// borne refuses a force of which a foot has no part: it stands on the ground beside all platforms that measured
// something, while the other foot stands on them. A platform with a force and no foot over it says that the platforms
// are elsewhere than the file tells, and nothing about the feet.
func (j *jumping) borne(b *body) error {
	from, to := max(contactBefore(j.force, j.takeoff), j.takeoff-weighing.samples(j.rate)), j.takeoff
	var soles [2]sole
	for s, side := range sideNames {
		var known bool
		if soles[s], known = b.sole(side.name, j.frame(b, from), j.frame(b, to)); !known {
			return nil
		}
	}
	for _, c := range j.platforms {
		if slices.Max(c.Verticals()[from:to]) < contactForce.Value {
			continue
		}
		empty := true
		for s := range soles {
			if soles[s].near(c.Platform) {
				soles[s].borne, empty = true, false
			}
		}
		if empty {
			return nil
		}
	}
	for s, side := range sideNames {
		foot, other := soles[s], soles[1-s]
		if foot.borne || !other.borne || foot.height > other.height+footFlight.Value {
			continue
		}
		j.body = b
		return withhold(PlateUnusable, "The %s foot stands on the ground more than %s beside all force platforms that "+
			"measured something, so that the force is not the whole.", side.name, besidePlates)
	}
	return nil
}

// sole is where a foot is for some time.
type sole struct {
	heel, toe vector
	height    float64 // of the lower of both, m
	borne     bool    // by a platform that measured something
}

// sole is the median of heel and toe in some frames, half-open; false where they are missing.
func (b *body) sole(side string, from, to int) (s sole, known bool) {
	s.height = math.Inf(1)
	for _, part := range []struct {
		name string
		at   *vector
	}{{"_heel", &s.heel}, {"_toe", &s.toe}} {
		places, err := b.landmark(side + part.name)
		if err != nil {
			return s, false
		}
		places = slices.DeleteFunc(slices.Clone(places[min(from, len(places)):min(to, len(places))]), vector.missing)
		if len(places) == 0 {
			return s, false
		}
		for axis := range part.at {
			part.at[axis] = middleOf(axisOfAll(places, axis))
		}
		s.height = min(s.height, part.at.dot(b.up))
	}
	return s, true
}

// axisOfAll are the numbers of places along one axis.
func axisOfAll(places []vector, axis int) []float64 {
	values := make([]float64, len(places))
	for i := range places {
		values[i] = places[i][axis]
	}
	return values
}

// near says whether a part of the foot is over a platform.
func (s sole) near(p *plate.Platform) bool {
	return p.Near(plate.Vector(s.heel), besidePlates.Value) || p.Near(plate.Vector(s.toe), besidePlates.Value)
}
