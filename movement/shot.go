package movement

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// shot is a kind of throw at the basket.
type shot struct {
	jumps bool // out of a jump
	plate bool // the force of the jump tells of it, where there is any
}

// shooting is a throw at the basket that is being measured.
type shooting struct {
	*measuring
	*body
	hand    string
	rise    []float64 // how fast the wrist goes up, in m/s, while it is above the shoulder; NaN else
	wrist   []vector  // through the low-pass, short gaps bridged
	release int
}

// measure measures a throw at the basket.
func (s shot) measure(m *measuring) error {
	t := &shooting{measuring: m, hand: strings.ToLower(m.rec.Handedness)}
	if !slices.Contains(sides, t.hand) {
		return withhold(HandednessUnknown,
			"The capture does not say which hand the movement is made with: its dimension handedness is neither left "+
				"nor right.")
	}
	b, err := m.onFeet(positionCutoff)
	if err != nil {
		return err
	}
	if t.body = b; b.rate < swingRate.Value {
		return withhold(RateTooLow, "The recording has %.4g frames a second, and a throw or a swing needs at least %s.",
			b.rate, swingRate)
	}
	if err := b.exchanged(); err != nil {
		return err
	}
	if err := t.letGo(); err != nil {
		return err
	}
	t.event("release"+frameSuffix, byRelease.ID, t.second(t.release))
	t.atRelease()
	t.crouch()
	if !s.jumps {
		return nil
	}
	t.apex()
	t.jumped(s.plate)
	return nil
}

// smoothed gives places through the low-pass of hands and feet, short gaps bridged.
func (t *shooting) smoothed(places []vector) []vector {
	gap, cutoff := min(longestBridge.samples(t.rate), 25), min(swingCutoff.Value, t.rate/5)
	return alongAxes(places, func(values []float64) []float64 { return smoothed(bridged(values, gap), cutoff, t.rate) })
}

// rises is how fast the wrist of a side goes up while it is above the shoulder, -Inf while it is
// not, and NaN where either is missing; and its places.
func (t *shooting) rises(side string) (rise []float64, wrist []vector, err error) {
	raw, err := t.landmark(side + "_wrist")
	if err != nil {
		return nil, nil, err
	}
	shoulder, err := t.landmark(side + "_shoulder")
	if err != nil {
		return nil, nil, err
	}
	wrist, shoulder = t.smoothed(raw), t.smoothed(shoulder)
	rise = slope(t.height(wrist), t.rate)
	for i := range rise {
		switch above := wrist[i].minus(shoulder[i]).dot(t.up); {
		case above != above:
			rise[i] = math.NaN()
		case above <= 0:
			rise[i] = math.Inf(-1)
		}
	}
	return rise, wrist, nil
}

// letGo finds when the ball leaves the hand. The error is a *withheld.
func (t *shooting) letGo() (err error) {
	if t.rise, t.wrist, err = t.rises(t.hand); err != nil {
		return err
	}
	all := stretches(t.rise)
	best := 0
	for i, v := range t.rise {
		if v > t.rise[best] || t.rise[best] != t.rise[best] {
			best = i
		}
	}
	t.release = best
	raw, err := t.landmark(t.hand + "_wrist")
	if err != nil {
		return err
	}
	switch {
	case len(all) == 0 || t.rise[best] < leastRise.Value:
		return withhold(NoRepetition, "Above the shoulder the %s wrist never goes up as fast as %s.", t.hand, leastRise)
	case len(all) > 1:
		return withhold(GapAtEvent,
			"The %s wrist or shoulder is missing from %.2f s to %.2f s, when the ball may leave the hand.", t.hand,
			t.second(all[0].to), t.second(all[1].from))
	case best < all[0].from+2 || best > all[0].to-3:
		return withhold(EventMissing,
			"The %s wrist goes up fastest where its recording begins or ends, so that its greatest speed may lie "+
				"outside.", t.hand)
	case !known(t.height(raw), best):
		return withhold(GapAtEvent, "The %s wrist is missing when it goes up fastest.", t.hand)
	}
	for i, v := range t.rise {
		if v >= otherHandSpeed.of(t.rise[best]) && math.Abs(float64(i-best)) > turnBefore.Value*t.rate {
			return withhold(SeveralRepetitions, "The %s wrist goes up fastest at %.2f s and nearly as fast at %.2f s.",
				t.hand, t.second(best), t.second(i))
		}
	}
	return t.compare()
}

// compare says whether the hand that the capture names is the one that throws. The error is a
// *withheld.
func (t *shooting) compare() error {
	guide := sides[1-slices.Index(sides, t.hand)]
	other, _, err := t.rises(guide)
	if err != nil {
		return err
	}
	if most, own := greatest(other), t.rise[t.release]; most > guideSpeed.of(own) {
		return withhold(HandednessDisagrees,
			"Above the shoulder the %s wrist goes up with %.1f m/s and the %s one with %.1f m/s, and the capture "+
				"says that the movement is made with the %s hand.", guide, most, t.hand, own, t.hand)
	}
	return nil
}

// atRelease keeps where the wrist is, how fast, and how far the elbow is bent.
func (t *shooting) atRelease() {
	i := t.release
	t.metric("wrist_speed_at_release", byRelease.ID, t.wrist[i+1].minus(t.wrist[i-1]).length()*t.rate/2)
	if floor, err := t.floor(); err != nil {
		t.withholdFor([]string{"wrist_height_at_release"}, err)
	} else {
		t.metric("wrist_height_at_release", byFloor.ID, t.wrist[i].dot(t.up)-floor)
	}
	var joints [2]vector
	for n, name := range []string{"_shoulder", "_elbow"} {
		places, err := t.landmark(t.hand + name)
		if err == nil && !known(t.height(places), i) {
			err = withhold(GapAtEvent, "The %s%s is missing at the release.", t.hand, plain(name))
		}
		if err != nil {
			t.withholdFor([]string{"elbow_flexion_at_release"}, err)
			return
		}
		joints[n] = t.smoothed(places)[i]
	}
	t.metric("elbow_flexion_at_release", byElbow.ID, joints[1].minus(joints[0]).angle(t.wrist[i].minus(joints[1])))
}

// floor is how high the toes are on the ground: low among their heights, for feet are on the ground
// most of the time. The error is a *withheld.
func (t *shooting) floor() (float64, error) {
	toes, err := t.both("toe")
	if err != nil {
		return 0, err
	}
	heights := slices.DeleteFunc(slices.Concat(t.height(toes[0]), t.height(toes[1])),
		func(v float64) bool { return v != v })
	if len(heights) == 0 {
		return 0, withhold(GapAtEvent, "The toes are missing in all frames.")
	}
	slices.Sort(heights)
	return heights[int(floorShare.of(float64(len(heights)-1)))], nil
}

// crouch keeps how far the knees are bent before the release.
func (t *shooting) crouch() {
	d := &descent{measuring: t.measuring, body: t.body}
	from := max(0, t.release-crouchTime.samples(t.rate))
	for s, side := range sideNames {
		column := "peak_knee_flexion_" + side.name
		angle, err := d.bend(s)
		if err == nil && slices.ContainsFunc(angle[from:t.release+1], math.IsNaN) {
			err = withhold(GapAtEvent,
				"A joint of the %s leg is missing before the release, when the knee may be bent most.", side.name)
		}
		if err != nil {
			t.withholdFor([]string{column}, err)
			continue
		}
		t.metric(column, byCrouch.ID, slices.Max(angle[from:t.release+1]))
	}
}

// apex finds when the jump is highest.
func (t *shooting) apex() {
	columns := []string{"jump_apex" + frameSuffix, "time_from_release_to_apex"}
	pelvis, err := t.landmark("pelvis")
	if err != nil {
		t.withholdFor(columns, err)
		return
	}
	raw := t.height(pelvis)
	height := smoothed(bridged(raw, min(longestBridge.samples(t.rate), 25)), positionCutoff.Value, t.rate)
	around := apexTime.samples(t.rate)
	from, to := max(0, t.release-around), min(len(height), t.release+around+1)
	if slices.ContainsFunc(height[from:to], math.IsNaN) {
		t.withholdFor(columns, withhold(GapAtEvent,
			"The pelvis is missing within %s of the release, when the jump may be highest.", apexTime))
		return
	}
	top := from
	for i := from; i < to; i++ {
		if height[i] > height[top] {
			top = i
		}
	}
	half := apexHalf.samples(t.rate)
	if top-half < 0 || top+half >= len(raw) || top == from || top == to-1 {
		t.withholdFor(columns, withhold(NoFlight, "The pelvis is not highest within %s of the release.", apexTime))
		return
	}
	falls, ok := falling(raw, top-half, top+half+1, t.rate)
	switch {
	case !ok:
		t.withholdFor(columns, withhold(GapAtEvent, "The pelvis is missing when it is highest, at %.2f s.",
			t.second(top)))
	case !(math.Abs(falls-gravity) <= fallTolerance.Value):
		t.withholdFor(columns, withhold(NotInFreeFall,
			"Where the pelvis is highest, at %.2f s, it falls with %.2f m/s², and not with %.2f ± %g, so that the "+
				"person is not in the air there, or the unit or the rate of the recording is wrong.", t.second(top),
			falls, gravity, fallTolerance.Value))
	default:
		t.event(columns[0], byApex.ID, t.second(top))
		t.metric(columns[1], byApex.ID, float64(top-t.release)/t.rate)
	}
}

// jumped measures the jump of which the release is, by its force or by the pelvis, as one without a
// throw. A jump in which the release is not is another one.
func (t *shooting) jumped(plate bool) {
	m := t.measuring
	jump := &measuring{library: m.library, movement: m.movement, rec: m.rec, reasons: map[string]*withheld{}}
	compute := func(jump *measuring) error { return jump.jump(withDip) }
	if !plate {
		compute = func(jump *measuring) error { return jump.jumpByPelvis(nil) }
	}
	jump.run(compute)
	of := func(column string) bool {
		return m.movement.Column(column) != nil && !m.has(column) && m.reasons[column] == nil
	}
	if why := t.outside(jump); why != nil {
		jump.computed.Events, jump.computed.Metrics, jump.reasons, jump.rest = nil, nil, map[string]*withheld{}, why
	}
	m.computed.Events, m.computed.Metrics = append(m.computed.Events, jump.computed.Events...),
		append(m.computed.Metrics, jump.computed.Metrics...)
	used := &m.computed.Used
	used.Force, used.Zero, used.Weighing = jump.computed.Used.Force, jump.computed.Used.Zero,
		jump.computed.Used.Weighing
	used.Channels, used.Notes = whole(jump.computed.Used.Channels), append(used.Notes, jump.computed.Used.Notes...)
	if jump.body != nil {
		maps.Copy(m.body.used, jump.body.used)
	}
	for column, why := range jump.reasons {
		if of(column) {
			m.reasons[column] = why
		}
	}
	m.rest = jump.rest
}

// outside says why a jump is not that of the release; nil where it is, or where none was found.
func (t *shooting) outside(jump *measuring) *withheld {
	release, near := t.second(t.release), releaseNear.Value
	for _, e := range jump.computed.Events {
		switch {
		case e.Column == "takeoff"+frameSuffix && release < e.Time-near:
			return reason(EventMissing,
				"The release at %.2f s is before the take-off at %.2f s, so that the jump is another one.", release,
				e.Time)
		case e.Column == "landing"+frameSuffix && release > e.Time+near, e.Column == "takeoff"+frameSuffix &&
			release > e.Time+longestFlight.Value:
			return reason(EventMissing, "The release at %.2f s is after the jump, of which the %s is at %.2f s.",
				release, strings.TrimSuffix(e.Column, frameSuffix), e.Time)
		}
	}
	if f := jump.flown; f != nil && (release < f[0]-near || release > f[1]+near) {
		return reason(EventMissing, "The release at %.2f s is not in the jump from %.2f s to %.2f s.", release, f[0],
			f[1])
	}
	return nil
}
