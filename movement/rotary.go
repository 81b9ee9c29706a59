package movement

import (
	"math"
	"slices"
	"strings"
)

// crossing is a test of rotary stability: on hands and knees, an arm and a leg are stretched and
// brought together.
type crossing struct {
	*measuring
	*body
	arm, leg int       // the sides of sideNames that move
	apart    []float64 // how far elbow and knee are from each other; short gaps are bridged
	raw      []float64 // NaN where one is missing
}

// rotary measures a test of rotary stability.
func (m *measuring) rotary() error {
	b, err := m.paced(positionCutoff, (*body).anyhow)
	if err != nil {
		return err
	}
	c := &crossing{measuring: m, body: b}
	if err := c.limbs(); err != nil {
		return err
	}
	elbow, err := b.landmark(sideNames[c.arm].name + "_elbow")
	if err != nil {
		return err
	}
	knee, err := b.landmark(sideNames[c.leg].name + "_knee")
	if err != nil {
		return err
	}
	c.raw = make([]float64, len(elbow))
	for i := range c.raw {
		c.raw[i] = elbow[i].minus(knee[i]).length()
	}
	c.apart = smoothed(bridged(c.raw, min(longestBridge.samples(b.rate), 25)), positionCutoff.Value, b.rate)
	return c.together()
}

// anyhow takes which way is up where it is told, and does without it else: a distance is the same
// whichever way is up.
func (b *body) anyhow() error {
	b.told()
	return nil
}

// limbs finds which arm and which leg move while the others bear the body. The error is a *withheld.
func (c *crossing) limbs() error {
	for _, limb := range []struct {
		end, point  string
		moves, most Parameter
		at          *int
	}{{"hand", "wrist", stretchedHand, handStandsStill, &c.arm},
		{"knee", "knee", stretchedKnee, kneeStandsStill, &c.leg}} {
		places, err := c.both(limb.point)
		if err != nil {
			return err
		}
		way := [2]float64{wayOf(places[0]), wayOf(places[1])}
		if way[1] > way[0] {
			*limb.at = 1
		}
		moves, stays := way[*limb.at], way[1-*limb.at]
		switch {
		case math.IsInf(moves, 1):
			return withhold(GapAtEvent, "The %s %s is missing in all frames.", sideNames[*limb.at].name, limb.point)
		case moves < limb.moves.Value:
			return withhold(NoRepetition,
				"Neither %s moves by %s or more: the left %s by %.2f m and the right one by %.2f m.", limb.end,
				limb.moves, limb.point, way[0], way[1])
		case stays > limb.most.Value:
			return withhold(NoQuietStanding,
				"Both move, the %s %s by %.3f m: of a %s that bears the body the %s stays within %s.",
				sideNames[1-*limb.at].name, limb.point, stays, limb.end, limb.point, limb.most)
		}
	}
	if hand, moves := strings.ToLower(c.measuring.rec.Handedness),
		sideNames[c.arm].name; slices.Contains(sides, hand) && hand != moves {
		return withhold(HandednessDisagrees,
			"The %s hand moves, and the capture says that the movement is made with the %s one.", moves, hand)
	}
	return nil
}

// together finds the repetitions, and describes the first. The error is a *withheld.
func (c *crossing) together() error {
	all := stretches(c.apart)
	least, most := extremes(c.apart)
	if !(most-least >= leastOpening.Value) {
		return withhold(NoRepetition,
			"Elbow and knee are from %.2f to %.2f m from each other, and in this movement that changes by %s or more.",
			least, most, leastOpening)
	}
	var found []repetition
	for _, s := range all {
		for _, r := range lows(c.apart[s.from:s.to], c.rate, most-least) {
			if r = r.moved(s.from); c.apart[r.bottom] <= mostTogether.Value {
				found = append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return withhold(NoRepetition,
			"Elbow and knee are not brought together, to %s or less, and apart again: they are %.2f m from each "+
				"other at the least.", mostTogether, least)
	}
	if len(all) > 1 {
		c.withhold("repetitions", GapAtEvent,
			"Elbow or knee is missing for a time, in which there may be more repetitions than the %d that were found.",
			len(found))
	} else {
		c.metric("repetitions", byRotary.ID, float64(len(found)))
	}
	pattern := "diagonal"
	if c.arm == c.leg {
		pattern = "same-side"
	}
	c.text("rotary_pattern", byRotary.ID, pattern)
	first := found[0]
	c.moment("stretched", "elbow_to_knee_greatest", first.before)
	c.moment("together", "elbow_to_knee_least", first.bottom)
	return nil
}

// moment keeps how far elbow and knee are from each other in a frame, under the name of a metric, and
// the frame under that of an event.
func (c *crossing) moment(event, column string, at int) {
	columns := []string{event + frameSuffix, column}
	if !known(c.raw, at) {
		c.withholdFor(columns, withhold(GapAtEvent, "Elbow or knee is missing at %.2f s, when it should be read.",
			c.second(at)))
		return
	}
	c.metric(column, byRotary.ID, c.apart[at])
	if c.has(column) {
		c.event(event+frameSuffix, byRotary.ID, c.second(at))
	}
}
