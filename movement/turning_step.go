package movement

import (
	"math"
	"slices"
)

// comeDown finds when the front foot comes down, and how far from the rear one.
func (t *turning) comeDown() {
	columns := []string{"foot_contact" + frameSuffix}
	if t.stride {
		columns = append(columns, "stride_length", "time_from_foot_contact_to_release")
	}
	raised, contact, err := t.contact()
	if err != nil {
		t.withholdFor(columns, err)
		return
	}
	t.event("foot_contact"+frameSuffix, byStep.ID, t.second(contact))
	if !t.stride {
		return
	}
	t.metric("time_from_foot_contact_to_release", byStep.ID, float64(t.fastest-contact)/t.rate)
	ankles, err := t.both("ankle")
	if err != nil {
		t.withholdFor(columns, err)
		return
	}
	at := slices.Index(sides, t.hand)
	rear, front := ankles[at], ankles[1-at]
	if rear[raised].missing() {
		t.withhold("stride_length", GapAtEvent, "The %s ankle is missing when the front foot is raised.", t.hand)
		return
	}
	t.metric("stride_length", byStep.ID, t.places(front)[contact].minus(t.places(rear)[raised]).across(t.up).length())
}

// contact finds when the front ankle is highest and when the foot then comes down. The error is a
// *withheld.
func (t *turning) contact() (raised, contact int, err error) {
	ankle, err := t.landmark(t.front + "_ankle")
	if err != nil {
		return 0, 0, err
	}
	height := t.height(t.places(ankle))
	speed := slope(height, t.rate)
	from := max(1, t.fastest-stepBefore.samples(t.rate))
	raised = from
	for i := from; i < t.fastest; i++ {
		if speed[i] != speed[i] {
			return 0, 0, withhold(GapAtEvent, "The %s ankle is missing at %.2f s, when the foot may come down.",
				t.front, t.second(i))
		}
		if height[i] > height[raised] {
			raised = i
		}
	}
	low := raised
	for i := raised; i < t.fastest; i++ {
		if speed[i] < speed[low] {
			low = i
		}
	}
	still := footStillFor.samples(t.rate)
	for i := low; i+still < min(len(speed), t.fastest+still); i++ {
		rest := true
		for k := i; k <= i+still; k++ {
			rest = rest && math.Abs(speed[k]) < footStill.Value
		}
		if !rest {
			continue
		}
		if height[raised]-height[i] < leastLift.Value {
			break
		}
		if !known(t.height(ankle), i) {
			return 0, 0, withhold(GapAtEvent, "The %s ankle is missing when the foot comes down, at %.2f s.", t.front,
				t.second(i))
		}
		return raised, i, nil
	}
	return 0, 0, withhold(EventMissing,
		"In the %s before the hand is fastest the %s foot does not come down by %s or more.", stepBefore, t.front,
		leastLift)
}
