package movement

import (
	"math"
	"slices"
	"strings"
)

// peak keeps the greatest speed of a course in the window, and when it is.
func (t *turning) peak(column, method string, c course) {
	columns := []string{column, column + frameSuffix}
	w := t.window()
	if slices.ContainsFunc(c.speed[w.from:w.to], math.IsNaN) {
		t.withholdFor(columns, withhold(GapAtEvent, "Points are missing between %.2f s and %.2f s, when it is fastest.",
			t.second(w.from), t.second(w.to-1)))
		return
	}
	best := -1
	down := opposite(c.speed)
	for _, at := range minima(down) {
		if at < w.from || at >= w.to || best >= 0 && c.speed[at] <= c.speed[best] {
			continue
		}
		left, right := shoulders(down, at)
		if math.Min(down[left], down[right])-down[at] >= leastTurnSpeed.Value && c.speed[at] >= leastTurnSpeed.Value {
			best = at
		}
	}
	switch {
	case best < 0:
		t.withholdFor(columns, withhold(EventMissing, "From %.2f s to %.2f s the speed has no peak of %s or more.",
			t.second(w.from), t.second(w.to-1), leastTurnSpeed))
	case !known(c.raw, best):
		t.withholdFor(columns, withhold(GapAtEvent, "Points are missing when it is fastest, at %.2f s.",
			t.second(best)))
	default:
		t.metric(column, method, c.speed[best])
		if t.has(column) {
			t.event(column+frameSuffix, method, t.second(best))
			t.peaks[column] = best
		}
	}
}

// swingArm measures how fast the upper arm turns.
func (t *turning) swingArm() {
	side := t.hand
	if t.twoHands {
		side = t.front
	}
	c, err := t.armCourse(side)
	if err != nil {
		t.withholdFor([]string{armPeak, armPeak + frameSuffix}, err)
		return
	}
	t.peak(armPeak, byArm.ID, c)
}

// armCourse is how fast the direction from shoulder to elbow changes, in any direction.
func (t *turning) armCourse(side string) (c course, err error) {
	shoulder, err := t.landmark(side + "_shoulder")
	if err != nil {
		return c, err
	}
	elbow, err := t.landmark(side + "_elbow")
	if err != nil {
		return c, err
	}
	n := len(shoulder)
	arm := lines(shoulder, elbow)
	c.raw, c.speed = make([]float64, n), make([]float64, n)
	for i := range arm {
		arm[i] = arm[i].unit()
		c.raw[i] = arm[i][0] + arm[i][1] + arm[i][2]
	}
	arm = t.bridge(arm, t.cutoff())
	for i := range c.speed {
		c.speed[i] = math.NaN()
		if i > 0 && i < n-1 {
			c.speed[i] = arm[i+1].angle(arm[i-1]) * t.rate / 2
		}
	}
	return c, nil
}

// sequence keeps the order of the peaks and the times between them.
func (t *turning) sequence() {
	pelvis, hasPelvis := t.peaks[pelvisPeak]
	trunk, hasTrunk := t.peaks[trunkPeak]
	arm, hasArm := t.peaks[armPeak]
	missing := func(columns []string, of ...string) {
		t.withholdFor(columns, withhold(EventMissing, "There is no peak of the %s.", strings.Join(of, " or of the ")))
	}
	if hasPelvis && hasTrunk {
		t.metric("time_from_pelvis_to_trunk", byTurn.ID, float64(trunk-pelvis)/t.rate)
		t.metric("pelvis_to_trunk_velocity_speedup", byTurn.ID, t.trunk.speed[trunk]/t.pelvis.speed[pelvis])
	} else {
		missing([]string{"time_from_pelvis_to_trunk", "pelvis_to_trunk_velocity_speedup"}, "pelvis", "trunk")
	}
	if hasTrunk && hasArm {
		t.metric("time_from_trunk_to_arm", byArm.ID, float64(arm-trunk)/t.rate)
	} else {
		missing([]string{"time_from_trunk_to_arm"}, "trunk", "arm")
	}
	if !hasPelvis || !hasTrunk || !hasArm {
		missing([]string{"kinematic_sequence_order"}, "pelvis", "trunk", "arm")
		return
	}
	t.text("kinematic_sequence_order", byArm.ID, orderOf([3]int{pelvis, trunk, arm}))
}

// orderOf tells the order of the peaks of pelvis, trunk and arm. Those within one frame stand in
// the order of these three.
func orderOf(at [3]int) string {
	names := []string{"pelvis", "trunk", "arm"}
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(a, b int) int { return at[a] - at[b] })
	groups := [][]int{{order[0]}}
	for i := 1; i < 3; i++ {
		last := groups[len(groups)-1]
		if at[order[i]]-at[last[0]] <= 1 {
			groups[len(groups)-1] = append(last, order[i])
			continue
		}
		groups = append(groups, []int{order[i]})
	}
	var b strings.Builder
	for i, group := range groups {
		slices.Sort(group)
		for k, which := range group {
			switch {
			case k > 0:
				b.WriteByte('=')
			case i > 0:
				b.WriteByte('-')
			}
			b.WriteString(names[which])
		}
	}
	return b.String()
}

// separation keeps how far the pelvis is ahead of the trunk at most.
func (t *turning) separation() {
	columns := []string{"max_x_factor", "max_x_factor" + frameSuffix}
	to, ok := t.peaks[trunkPeak]
	if !ok {
		t.withholdFor(columns, withhold(EventMissing, "There is no peak of the trunk."))
		return
	}
	from, best := max(0, t.start-separationAhead.samples(t.rate)), -1
	ahead := make([]float64, len(t.pelvis.angle))
	for i := from; i <= to; i++ {
		ahead[i] = math.Remainder(t.pelvis.angle[i]-t.trunk.angle[i], 360)
		if ahead[i] != ahead[i] {
			t.withholdFor(columns, withhold(GapAtEvent,
				"Points are missing at %.2f s, when the separation may be greatest.", t.second(i)))
			return
		}
		if best < 0 || ahead[i] > ahead[best] {
			best = i
		}
	}
	if !known(t.pelvis.raw, best) || !known(t.trunk.raw, best) {
		t.withholdFor(columns, withhold(GapAtEvent, "Points are missing at %.2f s, when the separation is greatest.",
			t.second(best)))
		return
	}
	t.metric("max_x_factor", byTurn.ID, ahead[best])
	if t.has("max_x_factor") {
		t.event("max_x_factor"+frameSuffix, byTurn.ID, t.second(best))
	}
}
