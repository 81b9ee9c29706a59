package movement

import (
	"math"
	"slices"
)

// cutting is a run with a change of direction that is being measured.
type cutting struct {
	*measuring
	*body
	velocity []vector  // of the pelvis, level, in m/s; short gaps are bridged
	speed    []float64 // of the pelvis, level
	raw      []float64 // NaN where the pelvis is missing
	known    stretch   // frames in which the speed is known
	turn     int       // the frame in which the pelvis is slowest
	from, to int       // the frames in which it is fastest before and after
}

// cut measures a run with one change of direction.
func (m *measuring) cut() error {
	b, err := m.onFeet(positionCutoff)
	if err != nil {
		return err
	}
	c := &cutting{measuring: m, body: b}
	if err := c.run(); err != nil {
		return err
	}
	if err := c.slowDown(); err != nil {
		return err
	}
	if err := c.aside(); err != nil {
		return err
	}
	c.fast("peak_speed", c.fastest(c.known.from, c.known.to), "in the recording")
	c.fast("entry_speed", c.from, "before the turn")
	c.fast("exit_speed", c.to, "after the turn")
	c.plant()
	return nil
}

// run finds how fast the pelvis is. The error is a *withheld.
func (c *cutting) run() error {
	pelvis, err := c.landmark("pelvis")
	if err != nil {
		return err
	}
	gap := min(longestBridge.samples(c.rate), 25)
	places := alongAxes(pelvis, func(values []float64) []float64 {
		return smoothed(bridged(values, gap), positionCutoff.Value, c.rate)
	})
	c.velocity, c.speed, c.raw = make([]vector, len(places)), make([]float64, len(places)), make([]float64, len(places))
	for i, p := range pelvis {
		c.raw[i], c.speed[i] = p[0]+p[1]+p[2], math.NaN()
		if i > 0 && i < len(places)-1 {
			c.velocity[i] = places[i+1].minus(places[i-1]).by(c.rate / 2).across(c.up)
			c.speed[i] = c.velocity[i].length()
		}
	}
	all := stretches(c.speed)
	switch {
	case len(all) == 0:
		return withhold(GapAtEvent, "The pelvis is missing in all frames.")
	case len(all) > 1:
		return withhold(GapAtEvent, "The pelvis is missing from %.2f s to %.2f s, when the turn may be.",
			c.second(all[0].to), c.second(all[1].from))
	}
	c.known = all[0]
	return nil
}

// fastest is the frame of the greatest speed of those, half-open.
func (c *cutting) fastest(from, to int) int {
	best := from
	for i := from; i < to; i++ {
		if c.speed[i] > c.speed[best] {
			best = i
		}
	}
	return best
}

// slowDown finds the turn: the frame in which the pelvis is slowest between two in which it runs. The
// error is a *withheld.
func (c *cutting) slowDown() error {
	window := cutWindow.samples(c.rate)
	speed := c.speed[c.known.from:c.known.to]
	drops := map[int]float64{} // by how much the speed drops, of frames
	best := -1
	for _, at := range minima(speed) {
		left, right := shoulders(speed, at)
		run := min(slices.Max(speed[max(left, at-window):at+1]), slices.Max(speed[at:min(right, at+window)+1]))
		if run < leastRun.Value || run-speed[at] < speedDrop.of(run) {
			continue
		}
		drops[at] = run - speed[at]
		if best < 0 || drops[at] > drops[best] {
			best = at
		}
	}
	if best < 0 {
		return withhold(NoRepetition,
			"At no time the pelvis slows down by %s between two times in which it is faster than %s, at most %s "+
				"before and after.", speedDrop, leastRun, cutWindow)
	}
	for at, drop := range drops {
		if at != best && drop >= otherDrop.of(drops[best]) {
			return withhold(SeveralRepetitions, "The pelvis slows down at %.2f s, and nearly as much at %.2f s.",
				c.second(c.known.from+min(at, best)), c.second(c.known.from+max(at, best)))
		}
	}
	c.turn = c.known.from + best
	c.from = c.fastest(max(c.known.from, c.turn-window), c.turn)
	c.to = c.fastest(c.turn, min(c.known.to, c.turn+window+1))
	if !known(c.raw, c.turn) {
		return withhold(GapAtEvent, "The pelvis is missing when it is slowest, at %.2f s.", c.second(c.turn))
	}
	return nil
}

// aside finds by how much the run changes its direction. The error is a *withheld.
func (c *cutting) aside() error {
	in, out := c.velocity[c.from], c.velocity[c.to]
	angle := in.angle(out)
	if angle < leastCut.Value {
		return withhold(NoRepetition,
			"The pelvis slows down at %.2f s, and goes on within %.0f° of where it went, where %s is a change of "+
				"direction.", c.second(c.turn), angle, leastCut)
	}
	c.event("turn"+frameSuffix, byCut.ID, c.second(c.turn))
	c.metric("turn_speed", byCut.ID, c.speed[c.turn])
	if way := math.Abs(c.round()); way > mostCut.Value && angle <= mostCut.Value {
		c.withholdFor([]string{"turn_angle", "turn_side"},
			withhold(SideUnknown, "The direction changes by %.0f° on the way, and beyond %s the directions before "+
				"and after do not tell the turn.", way, mostCut))
		return nil
	}
	c.metric("turn_angle", byCut.ID, angle)
	if angle > mostCut.Value {
		c.withhold("turn_side", SideUnknown, "The run turns by %.0f°, and beyond %s either side may be meant.", angle,
			mostCut)
		return nil
	}
	side := sides[0]
	if in.cross(out).dot(c.up) < 0 {
		side = sides[1]
	}
	c.text("turn_side", byCut.ID, side)
	return nil
}

// round is by how much the direction of the run changes on the way from the one greatest speed to the
// other, in degrees, less than 0 to the right. Where the pelvis hardly moves it has no direction.
func (c *cutting) round() float64 {
	sum, last := 0.0, c.velocity[c.from]
	for i := c.from + 1; i <= c.to; i++ {
		if c.speed[i] < leastMoving.Value && i < c.to {
			continue
		}
		angle := last.angle(c.velocity[i])
		if last.cross(c.velocity[i]).dot(c.up) < 0 {
			angle = -angle
		}
		sum, last = sum+angle, c.velocity[i]
	}
	return sum
}

// fast keeps a greatest speed and its moment, unless the recording begins or ends there.
func (c *cutting) fast(column string, at int, when string) {
	columns := []string{column, column + frameSuffix}
	switch {
	case at <= c.known.from+1 || at >= c.known.to-2:
		c.withholdFor(columns, withhold(EventMissing,
			"The pelvis is fastest %s where its recording begins or ends, so that its greatest speed may lie outside.",
			when))
	case !known(c.raw, at):
		c.withholdFor(columns, withhold(GapAtEvent, "The pelvis is missing when it is fastest %s, at %.2f s.", when,
			c.second(at)))
	default:
		c.metric(column, byCut.ID, c.speed[at])
		if c.has(column) {
			c.event(column+frameSuffix, byCut.ID, c.second(at))
		}
	}
}

// plant finds the contact with the platforms in which the turn is.
func (c *cutting) plant() {
	columns := []string{"foot_contact" + frameSuffix, "foot_off" + frameSuffix, "contact_time"}
	v, err := c.measuring.rec.verticalForce()
	if err != nil {
		c.withholdFor(columns, err)
		return
	}
	c.computed.Used.Force, c.computed.Used.Channels = v.used.Force, v.used.Channels
	c.computed.Used.Notes = append(c.computed.Used.Notes, v.used.Notes...)
	at := int(math.Round(float64(c.turn) / c.rate * v.rate))
	switch {
	case v.rate < leastRate.Value:
		c.withholdFor(columns, withhold(RateTooLow, "The force has %.4g samples a second, and at least %s are needed.",
			v.rate, leastRate))
		return
	case v.sum[at] < contactForce.Value:
		c.withholdFor(columns, withhold(EventMissing, "Nobody is on a force platform at the turn, at %.2f s.",
			c.second(c.turn)))
		return
	}
	from, to := at, at
	for from > 0 && v.sum[from-1] >= contactForce.Value {
		from--
	}
	for to < len(v.sum) && v.sum[to] >= contactForce.Value {
		to++
	}
	switch most := slices.Max(v.sum[from:to]); {
	case from == 0 || to == len(v.sum):
		c.withholdFor(columns, withhold(EventMissing,
			"The recording begins or ends in the contact in which the turn is."))
		return
	case most < plantForce.Value:
		c.withholdFor(columns, withhold(PlateNoisy,
			"The force at the turn is %.0f N at most, and a foot that turns a run bears %s or more.", most, plantForce))
		return
	}
	start := c.measuring.rec.Info.Start
	c.metric("contact_time", byPlant.ID, float64(to-from)/v.rate)
	if !c.has("contact_time") {
		c.withholdFor(columns, c.reasons["contact_time"])
		return
	}
	c.event("foot_contact"+frameSuffix, byPlant.ID, start+float64(from)/v.rate)
	c.event("foot_off"+frameSuffix, byPlant.ID, start+float64(to)/v.rate)
}
