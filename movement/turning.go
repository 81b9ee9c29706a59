package movement

import (
	"math"
	"slices"
	"strings"
)

// swing is a kind of throw or swing.
type swing struct {
	backwards bool // a right-handed person turns to the right
	twoHands  bool // both hands hold something, so the arm that counts is the front one
	step      bool
	release   bool
	stride    bool // the length of the step is measured
}

// turning is a throw or a swing that is being measured.
type turning struct {
	*measuring
	*body
	swing
	hand, front string    // the sides of the hand and of the front foot
	speed       []float64 // of the hand, in m/s
	fastest     int       // the frame in which the hand is fastest
	start       int       // the frame from which on the trunk turns forwards
	pelvis      course
	trunk       course
	peaks       map[string]int // the frames of the peaks by the names of their columns
}

// course is how something turns in the course of time.
type course struct {
	angle []float64 // °, forwards positive, through the low-pass; short gaps are bridged
	speed []float64 // °/s
	raw   []float64 // NaN where a point is missing
}

// measure measures a throw or a swing.
func (s swing) measure(m *measuring) error {
	t := &turning{measuring: m, swing: s, peaks: map[string]int{}}
	if err := t.prepare(); err != nil {
		return err
	}
	if err := t.fast(); err != nil {
		return err
	}
	if err := t.turn(); err != nil {
		return err
	}
	t.event("peak_hand_speed"+frameSuffix, byHand.ID, t.second(t.fastest))
	t.metric("peak_hand_speed", byHand.ID, t.speed[t.fastest])
	if s.release {
		t.event("release"+frameSuffix, byHand.ID, t.second(t.fastest))
	}
	t.peak(pelvisPeak, byTurn.ID, t.pelvis)
	t.peak(trunkPeak, byTurn.ID, t.trunk)
	t.swingArm()
	t.sequence()
	t.separation()
	if s.step {
		t.comeDown()
	}
	return nil
}

// prepare finds the body, and what handedness says of it.
func (t *turning) prepare() (err error) {
	t.hand = strings.ToLower(t.measuring.rec.Handedness)
	at := slices.Index(sides, t.hand)
	if at < 0 {
		return withhold(HandednessUnknown,
			"The capture does not say which hand the movement is made with: its dimension handedness is neither left "+
				"nor right.")
	}
	t.front = sides[1-at]
	if t.body, err = t.measuring.onFeet(positionCutoff); err != nil {
		return err
	}
	if t.rate < swingRate.Value {
		return withhold(RateTooLow, "The recording has %.4g frames a second, and a throw or a swing needs at least %s.",
			t.rate, swingRate)
	}
	return t.exchanged()
}

// longestGap is that over which moments are found, in frames.
func (t *turning) longestGap() int { return min(longestBridge.samples(t.rate), 25) }

// handSpeed is how fast a wrist is; the second course is without what was bridged.
func (t *turning) handSpeed(side string) (speed, raw []float64, err error) {
	wrist, err := t.landmark(side + "_wrist")
	if err != nil {
		return nil, nil, err
	}
	places := t.places(wrist)
	speed, raw = make([]float64, len(places)), make([]float64, len(places))
	for i := range places {
		speed[i] = math.NaN()
		if i > 0 && i < len(places)-1 {
			speed[i] = places[i+1].minus(places[i-1]).length() * t.rate / 2
		}
		raw[i] = wrist[i][0] + wrist[i][1] + wrist[i][2]
	}
	return speed, raw, nil
}

// places gives those of a hand or a foot through the low-pass, short gaps bridged.
func (t *turning) places(of []vector) []vector { return t.bridge(of, min(swingCutoff.Value, t.rate/5)) }

// bridge gives places through a low-pass, short gaps bridged.
func (t *turning) bridge(places []vector, cutoff float64) []vector {
	return alongAxes(places,
		func(values []float64) []float64 { return smoothed(bridged(values, t.longestGap()), cutoff, t.rate) })
}

// fast finds when the hand is fastest. The error is a *withheld.
func (t *turning) fast() error {
	arm := t.hand
	if t.twoHands {
		arm = t.front
	}
	speed, raw, err := t.handSpeed(arm)
	if err != nil {
		return err
	}
	t.speed, t.fastest = speed, -1
	for i, v := range speed {
		if v == v && (t.fastest < 0 || v > speed[t.fastest]) {
			t.fastest = i
		}
	}
	if err := t.compare(); err != nil {
		return err
	}
	all := stretches(speed)
	switch {
	case t.fastest < 0 || speed[t.fastest] < leastHandSpeed.Value:
		return withhold(NoRepetition, "The %s hand is never as fast as %s.", arm, leastHandSpeed)
	case len(all) > 1:
		return withhold(GapAtEvent, "The %s wrist is missing from %.2f s to %.2f s, when it may be fastest.",
			arm, t.second(all[0].to), t.second(all[1].from))
	case t.fastest < all[0].from+2 || t.fastest > all[0].to-3:
		return withhold(EventMissing,
			"The %s hand is fastest where its recording begins or ends, so that its greatest speed may lie outside.",
			arm)
	case !known(raw, t.fastest):
		return withhold(GapAtEvent, "The %s wrist is missing when it is fastest.", arm)
	}
	for i, v := range speed {
		if v >= otherHandSpeed.of(speed[t.fastest]) && math.Abs(float64(i-t.fastest)) > turnBefore.Value*t.rate {
			return withhold(SeveralRepetitions, "The %s hand is fastest at %.2f s and nearly as fast at %.2f s.", arm,
				t.second(t.fastest), t.second(i))
		}
	}
	return nil
}

// compare says whether the hand that the capture names is the faster one. The error is a *withheld.
func (t *turning) compare() error {
	if t.twoHands {
		return nil
	}
	other, _, err := t.handSpeed(t.front)
	if err != nil {
		return err
	}
	most, own := greatest(other), greatest(t.speed)
	if most >= leastHandSpeed.Value && most > own {
		return withhold(HandednessDisagrees,
			"The %s hand reaches %.1f m/s and the %s one %.1f m/s, and the capture says that the movement is made "+
				"with the %s one.", t.front, most, t.hand, own, t.hand)
	}
	return nil
}

// greatest is the greatest number that is there, or -Inf.
func greatest(values []float64) float64 {
	most := math.Inf(-1)
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most
}

// window is the frames in which peaks are looked for, half-open.
func (t *turning) window() stretch {
	return stretch{t.start, min(len(t.speed), t.fastest+turnAfter.samples(t.rate)+1)}
}

// turn finds how pelvis and trunk turn, and from when on the trunk turns forwards. The error is a
// *withheld.
func (t *turning) turn() (err error) {
	t.start = max(0, t.fastest-turnBefore.samples(t.rate))
	if t.trunk, err = t.course("shoulder", "shoulders"); err != nil {
		return err
	}
	if t.pelvis, err = t.course("hip", "hips"); err != nil {
		if t.pelvis, err = t.course("asis", "front of the pelvis"); err != nil {
			return err
		}
	}
	forwards, backwards, top := 0.0, 0.0, -1
	w := t.window()
	for i := w.from; i < w.to; i++ {
		switch v := t.trunk.speed[i]; {
		case v > forwards:
			forwards, top = v, i
		case -v > backwards:
			backwards = -v
		}
	}
	if backwards > forwards && backwards >= leastTurnSpeed.Value {
		return withhold(HandednessDisagrees,
			"The trunk turns at %.0f°/s the other way than of the %s hand, which the capture names.", backwards, t.hand)
	}
	t.start = t.begins(top)
	return nil
}

// begins is the frame from which on the trunk turns forwards until it is fastest. It is the first
// one in which it may, where how it turns is not known all the time.
func (t *turning) begins(top int) int {
	start := t.start
	for i := top; i > t.start; i-- {
		if !(t.trunk.speed[i-1] > 0) {
			start = i
			break
		}
	}
	if slices.ContainsFunc(t.trunk.speed[max(0, start-1):t.window().to], math.IsNaN) {
		return t.start
	}
	return start
}

// cutoff is that of the low-pass of turning angles.
func (t *turning) cutoff() float64 {
	if t.rate <= slowTurnRate.Value {
		return slowTurnCutoff.Value
	}
	return turnCutoff.Value
}

// course is how the line between both sides of a landmark turns about the vertical. The error is a
// *withheld, also where the line is too steep while it turns.
func (t *turning) course(landmark, name string) (c course, err error) {
	line, err := t.across(landmark)
	if err != nil {
		return c, err
	}
	w := t.window()
	for i, v := range line[w.from:w.to] {
		if v.across(t.up).length() < leastLevel.of(v.length()) {
			return c, withhold(NotUpright,
				"At %.2f s the line of the %s is %.0f° from level, and how it turns about the vertical says little.",
				t.second(w.from+i), name, 90-v.angle(t.up.by(math.Copysign(1, v.dot(t.up)))))
		}
	}
	c.raw = t.about(line)
	if (t.hand == "left") != t.backwards {
		c.raw = opposite(c.raw)
	}
	c.angle = smoothed(bridged(c.raw, t.longestGap()), t.cutoff(), t.rate)
	c.speed = slope(c.angle, t.rate)
	return c, nil
}

// slope is how fast numbers change, by the difference of both neighbours; missing at the ends of
// stretches.
func slope(values []float64, rate float64) []float64 {
	out := make([]float64, len(values))
	for i := range out {
		out[i] = math.NaN()
		if i > 0 && i < len(values)-1 {
			out[i] = (values[i+1] - values[i-1]) * rate / 2
		}
	}
	return out
}
