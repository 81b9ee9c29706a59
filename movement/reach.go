package movement

import (
	"math"
	"slices"
)

// limb is that with which somebody reaches while the other one stands.
type limb struct {
	end, point string    // what reaches, and its landmark
	whole      string    // what the length is of
	joints     [3]string // by which that is measured
	share      string    // the column of the distance over the length
	by, over   Method    // of the distance, and of that
	stand      func(*body) error
}

var (
	leg = limb{"foot", "toe", "leg", [3]string{"hip", "knee", "ankle"}, "reach_distance_of_leg", byReach, byLegLength,
		(*body).stand}
	arm = limb{"hand", "wrist", "arm", [3]string{"shoulder", "elbow", "wrist"}, "reach_distance_of_arm", byHandReach,
		byArmLength, (*body).lie}
)

// reaching is a reach of one limb while the other one stands.
type reaching struct {
	*measuring
	*body
	limb
	stands, reaches string // sides
}

// measure measures how far a limb reaches.
func (l limb) measure(m *measuring) error {
	b, err := m.paced(positionCutoff, l.stand)
	if err != nil {
		return err
	}
	r := &reaching{measuring: m, body: b, limb: l}
	toes, err := b.both(l.point)
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
		return withhold(NoRepetition,
			"Neither %s moves by %s or more: the left %s by %.2f m and the right one by %.2f m.", l.end, leastReach,
			l.point, way[0], way[1])
	case way[at] > standsStill.Value:
		return withhold(NoQuietStanding, "Both move, the %s %s by %.3f m: of a %s that stands the %s stays within %s.",
			r.stands, l.point, way[at], l.end, l.point, standsStill)
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

// distance keeps how far the one point is from the other at most, level, and over the limb that stands.
func (r *reaching) distance(stands, reaches []vector) {
	columns := []string{"reach_distance", r.share, "reach" + frameSuffix}
	away := make([]float64, len(stands))
	for i := range away {
		away[i] = reaches[i].minus(stands[i]).across(r.up).length()
	}
	away = smoothed(away, positionCutoff.Value, r.rate)
	all := stretches(away)
	for i := 1; i < len(all); i++ {
		if all[i].from-all[i-1].to > longestBridge.samples(r.rate) {
			r.withholdFor(columns, withhold(GapAtEvent,
				"A %s is missing from %.2f s to %.2f s, when the reach may be farthest.", r.point,
				r.second(all[i-1].to), r.second(all[i].from)))
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
		r.withholdFor(columns, withhold(GapAtEvent, "A %s is missing when the reach is farthest, at %.2f s.", r.point,
			r.second(best)))
		return
	case best == all[0].from || best == all[len(all)-1].to-1:
		r.withholdFor(columns, withhold(EventMissing,
			"The %s is farthest where its recording begins or ends, so that the reach may go on.", r.end))
		return
	}
	r.metric("reach_distance", r.by.ID, away[best])
	if !r.has("reach_distance") {
		return
	}
	r.event("reach"+frameSuffix, r.by.ID, r.second(best))
	length, err := r.length()
	if err != nil {
		r.withholdFor([]string{r.share}, err)
		return
	}
	r.metric(r.share, r.over.ID, 100*away[best]/length)
}

// length is how long the limb that stands is, from joint to joint. The error is a *withheld.
func (r *reaching) length() (float64, error) {
	var joints [3][]vector
	for i, name := range r.joints {
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
		return 0, withhold(GapAtEvent, "In no frame are %s, %s and %s of the %s %s all there.", r.joints[0],
			r.joints[1], r.joints[2], r.stands, r.whole)
	}
	slices.Sort(lengths)
	return median(lengths), nil
}
