package movement

import (
	"math"
	"slices"
)

// reaching is a reach of one foot while the other one stands.
type reaching struct {
	*measuring
	*body
	stands, reaches string // sides
}

// reach measures how far a foot reaches.
func (m *measuring) reach() error {
	b, err := m.upright(positionCutoff)
	if err != nil {
		return err
	}
	r := &reaching{measuring: m, body: b}
	toes, err := b.both("toe")
	if err != nil {
		return err
	}
	var way [2]float64
	for side, places := range toes {
		way[side] = wayOf(places)
	}
	at := 0
	if way[1] < way[0] {
		at = 1
	}
	r.stands, r.reaches = sides[at], sides[1-at]
	switch {
	case way[1-at] < leastReach.Value:
		return withhold(NoRepetition, "Neither foot moves by %s or more: the left toe by %.2f m and the right one by %.2f m.", leastReach, way[0], way[1])
	case way[at] > standsStill.Value:
		return withhold(NoQuietStanding, "Both feet move, the %s toe by %.3f m: of a foot that stands the toe stays within %s.", r.stands, way[at], standsStill)
	}
	r.distance(toes[at], toes[1-at])
	return nil
}

// wayOf is how far places go at most from where they mostly are; infinite where there are none.
func wayOf(places []vector) float64 {
	var middle vector
	for axis := range middle {
		var values []float64
		for _, p := range places {
			if !p.missing() {
				values = append(values, p[axis])
			}
		}
		if len(values) == 0 {
			return math.Inf(1)
		}
		slices.Sort(values)
		middle[axis] = median(values)
	}
	most := 0.0
	for _, p := range places {
		if !p.missing() {
			most = max(most, p.minus(middle).length())
		}
	}
	return most
}

// distance keeps how far the one toe is from the other at most, level, and over the leg.
func (r *reaching) distance(stands, reaches []vector) {
	columns := []string{"reach_distance", "reach_distance_of_leg", "reach" + frameSuffix}
	away := make([]float64, len(stands))
	for i := range away {
		away[i] = reaches[i].minus(stands[i]).across(r.up).length()
	}
	away = smoothed(away, positionCutoff.Value, r.rate)
	all := stretches(away)
	for i := 1; i < len(all); i++ {
		if all[i].from-all[i-1].to > longestBridge.samples(r.rate) {
			r.withholdFor(columns, withhold(GapAtEvent, "A toe is missing from %.2f s to %.2f s, when the reach may be farthest.", r.second(all[i-1].to), r.second(all[i].from)))
			return
		}
	}
	best := 0
	for i, v := range away {
		if !(v <= away[best]) && v == v || away[best] != away[best] {
			best = i
		}
	}
	switch {
	case !known(away, best):
		r.withholdFor(columns, withhold(GapAtEvent, "A toe is missing when the reach is farthest, at %.2f s.", r.second(best)))
		return
	case best == all[0].from || best == all[len(all)-1].to-1:
		r.withholdFor(columns, withhold(EventMissing, "The foot is farthest where the recording of the toes begins or ends, so that the reach may go on."))
		return
	}
	r.metric("reach_distance", byReach.ID, away[best])
	if !r.has("reach_distance") {
		return
	}
	r.event("reach"+frameSuffix, byReach.ID, r.second(best))
	leg, err := r.leg()
	if err != nil {
		r.withholdFor([]string{"reach_distance_of_leg"}, err)
		return
	}
	r.metric("reach_distance_of_leg", byLegLength.ID, 100*away[best]/leg)
}

// leg is how long the leg that stands is, from hip to knee to ankle. The error is a *withheld.
func (r *reaching) leg() (float64, error) {
	var joints [3][]vector
	for i, name := range []string{"hip", "knee", "ankle"} {
		var err error
		if joints[i], err = r.landmark(r.stands + "_" + name); err != nil {
			return 0, err
		}
	}
	var lengths []float64
	for i := range joints[0] {
		if v := joints[0][i].minus(joints[1][i]).length() + joints[1][i].minus(joints[2][i]).length(); v == v {
			lengths = append(lengths, v)
		}
	}
	if len(lengths) == 0 {
		return 0, withhold(GapAtEvent, "In no frame are hip, knee and ankle of the %s leg all there.", r.stands)
	}
	slices.Sort(lengths)
	return median(lengths), nil
}
