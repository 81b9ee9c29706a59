package movement

import (
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/kinebase/kinebase/frames"
)

// The kinds of vertical jumps.
type jumpKind int

const (
	withDip    jumpKind = iota // a countermovement
	withoutDip                 // out of a held squat
	outOfDrop                  // from a box
)

// jumping is a vertical jump that is being measured.
type jumping struct {
	*measuring
	*vertical
	flight
	force  []float64 // without the offset of the platform
	peak   int       // sample of the greatest force before the take-off
	person func() (*body, error)
}

// jump measures a vertical jump by the vertical force.
func (m *measuring) jump(kind jumpKind) error {
	v, err := m.rec.verticalForce()
	var missing *withheld
	if errors.As(err, &missing) && missing.code == NoForcePlate && kind == withDip &&
		m.movement.Movement != "single_leg" {
		return m.jumpByPelvis(err)
	}
	if err != nil {
		return err
	}
	v.used.Notes = whole(v.used.Notes)
	m.computed.Used = v.used
	if v.rate < leastRate.Value {
		return withhold(RateTooLow, "The force has %.4g samples a second, and at least %s are needed.", v.rate,
			leastRate)
	}
	if v.rate < goodRate.Value {
		m.note("The force has %.4g samples a second. Below %s heights and moments are less certain: a sample is "+
			"%.1f ms.", v.rate, goodRate, 1000/v.rate)
	}
	all := flights(v.sum, v.rate)
	f, ok := chosen(all)
	if !ok {
		return withhold(NoFlight, "At no time is the force below %s or %s of the weight for %s with a push-off before.",
			contactForce, contactShare, leastFlight)
	}
	j := &jumping{measuring: m, vertical: v, flight: f, force: v.sum, person: sync.OnceValues(m.rec.standing)}
	for i := range j.force {
		j.force[i] -= j.offset
	}
	if j.open && kind != outOfDrop {
		if _, why := j.before(); why != nil {
			return withhold(NoFlight,
				"The force falls below %s at %.3f s, and neither a landing after it nor standing still before it "+
					"tells a jump from a step off the platform.",
				contactForce, j.second(j.takeoff))
		}
	}
	if err := j.trusted(); err != nil {
		return err
	}
	if kind != outOfDrop {
		if err := j.push(kind); err != nil {
			return err
		}
	}
	m.metric("jumps_detected", byFlight.ID, float64(len(all)))
	j.air()
	if kind == outOfDrop {
		j.drop()
	}
	j.landed()
	return j.settled()
}

// second is the time of a sample on the clock of the recording.
func (j *jumping) second(sample int) float64 {
	return j.rec.Info.Start + float64(sample)/j.rate
}

// air measures the time in the air.
func (j *jumping) air() {
	j.computed.Used.Zero = "flight"
	if math.Abs(j.offset) > mostOffset.Value {
		j.note("The empty platform measured %.1f N, which was taken off.", j.offset)
	}
	j.metric("plate_offset", byFlight.ID, j.offset)
	j.metric("plate_noise", byFlight.ID, j.noise)
	j.event("takeoff_frame", byFlight.ID, j.second(j.takeoff))
	if j.open {
		for _, column := range []string{"landing_frame", "jump_flight_time", "jump_height_flight_time",
			"peak_landing_force"} {
			j.withhold(column, NoLanding, "The recording or the platform has no landing after the take-off at %.3f s.",
				j.second(j.takeoff))
		}
		return
	}
	j.event("landing_frame", byFlight.ID, j.second(j.landing))
	time := j.airtime()
	j.metric("jump_flight_time", byFlight.ID, time)
	j.metric("jump_height_flight_time", byFlight.ID, j.heightByTime())
}

func (j *jumping) airtime() float64 { return float64(j.landing-j.takeoff) / j.rate }

// heightByTime is the height of a body that lands as it took off.
func (j *jumping) heightByTime() float64 { return gravity * j.airtime() * j.airtime() / 8 }

// before finds the time of standing still before the push-off, or says why there is none.
func (j *jumping) before() (quiet, *withheld) {
	from := contactBefore(j.force, j.takeoff)
	j.peak = from
	for i := from; i < j.takeoff; i++ {
		if j.force[i] > j.force[j.peak] {
			j.peak = i
		}
	}
	q, ok := weigh(j.force, j.rate, from, j.peak)
	switch {
	case !ok:
		return q, reason(NoQuietStanding,
			"The contact before the peak of the force lasts %.2f s, and at least %s of standing still are needed.",
			float64(j.peak-from)/j.rate, leastWeighing)
	case !q.still():
		return q, reason(NoQuietStanding,
			"The force varies by %.1f N in the stillest %.2f s before the jump, %.1f %% of the weight, and at most "+
				"%s is standing still.",
			q.deviation, float64(q.to-q.from)/j.rate, 100*q.deviation/q.weight, quietDeviation)
	}
	return q, nil
}

// push measures the push-off of a jump from standing. The error, a *withheld, is for all columns.
func (j *jumping) push(kind jumpKind) error {
	q, why := j.before()
	if still := why == nil; !still {
		j.refuse(why.code, "%s", why.message)
		return nil
	}
	if j.noisy() {
		j.refuse(PlateNoisy, "The empty platform varies by %.1f N, so that contact is not told from noise.", j.noise)
		return nil
	}
	j.tell(q)
	start := 0
	if kind == withDip {
		start = q.startDown(j.force, j.rate, j.peak)
	} else {
		start = q.startUp(j.force, j.rate, j.peak)
	}
	by := q.integrate(j.force, j.rate, start, j.takeoff)
	if !j.open {
		if impulse, time := by.rise(), j.heightByTime(); math.Abs(impulse-time) > max(disagreeHeight.Value,
			disagreePercent.of(max(impulse, time))) {
			j.weighed(q)
			j.refuse(MethodsDisagree,
				"The height is %.3f m by impulse and %.3f m by flight time, which differ by more than %s and %s.",
				impulse, time, disagreeHeight, disagreePercent)
			return nil
		}
	}
	if moved := slices.Max(by.height) - slices.Min(by.height); moved > longestPush.Value {
		return withhold(Implausible, "By the force the body moves up and down by %.2f m before the take-off, and "+
			"nobody can by more than %s, so the rate of the recording is wrong.", moved, longestPush)
	}
	j.weighed(q)
	j.integrated(kind, by)
	return nil
}

// weighed keeps when the person was weighed.
func (j *jumping) weighed(q quiet) {
	j.computed.Used.Weighing = &frames.Span{From: j.second(q.from), To: j.second(q.to)}
}

// refuse withholds all that is integrated.
func (j *jumping) refuse(code, format string, args ...any) {
	j.withholdAll(byImpulse.ID, code, format, args...)
	j.withholdAll(bySides.ID, code, format, args...)
}

// integrated keeps what the integration has found.
func (j *jumping) integrated(kind jumpKind, by *impulse) {
	keep := func(column string, value float64) { j.metric(column, byImpulse.ID, value) }
	time := float64(j.takeoff-by.start) / j.rate
	j.event("jump_initiation_frame", byImpulse.ID, j.second(by.start))
	keep("jump_height_impulse", by.rise())
	if kind == withDip {
		keep("jump_height_standing", by.rise()+by.height[len(by.height)-1])
	} else {
		j.withhold("jump_height_standing", NoQuietStanding,
			"The jump begins in a held squat, and the force does not say how far that is below standing.")
	}
	keep("takeoff_velocity", by.takeoffVelocity())
	keep("time_to_takeoff", time)
	keep("reactive_strength_index_modified", by.rise()/time)
	keep("body_weight", by.weight)
	keep("system_mass", by.mass())
	peak := slices.Max(j.force[by.start:j.takeoff])
	keep("peak_force", peak)
	keep("peak_force_relative", peak/by.weight)
	keep("peak_power", by.peakPower(j.force))
	keep("peak_power_relative", by.peakPower(j.force)/by.mass())
	net := func(from, to int) float64 {
		return area(j.force, j.rate, from, to) - by.weight*float64(to-from)/j.rate
	}
	keep("propulsive_impulse", net(by.bottom, j.takeoff))
	keep("propulsion_time", float64(j.takeoff-by.bottom)/j.rate)
	if kind == withDip {
		j.event("braking_start_frame", byImpulse.ID, j.second(by.slowest))
		j.event("bottom_of_jump_frame", byImpulse.ID, j.second(by.bottom))
		keep("countermovement_depth", by.depth())
		keep("braking_impulse", net(by.slowest, by.bottom))
		keep("unweighting_time", float64(by.slowest-by.start)/j.rate)
		keep("braking_time", float64(by.bottom-by.slowest)/j.rate)
		j.asymmetry("braking_impulse_asymmetry", by.slowest, by.bottom)
	} else {
		dip := by.weight - slices.Min(j.force[max(0, by.start-dipWindow.samples(j.rate)):j.peak+1])
		keep("countermovement", one(dip > max(onsetDeviations.Value*by.deviation, dipShare.of(by.weight))))
	}
	j.asymmetry("propulsive_impulse_asymmetry", by.bottom, j.takeoff)
	if !j.open {
		j.asymmetry("landing_impulse_asymmetry", j.landing,
			min(len(j.force)-1, j.landing+landingWindow.samples(j.rate)))
	}
}

// one is 1 for yes and 0 for no.
func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// asymmetry compares what the feet carry from one sample to another.
func (j *jumping) asymmetry(column string, from, to int) {
	if j.left == nil {
		j.withhold(column, SideUnknown, "Nothing says which of the forces is that of which foot.")
		return
	}
	// The flight has the offset of each side as well.
	offset := func(side []float64) float64 {
		mean, _ := spread(side[j.flight.from:j.flight.to])
		if math.Abs(mean) < sideOffset.Value {
			return 0
		}
		return mean * float64(to-from) / j.rate
	}
	left, right := area(j.left, j.rate, from, to)-offset(j.left), area(j.right, j.rate, from, to)-offset(j.right)
	j.metric(column, bySides.ID, 100*(right-left)/max(left, right))
}

// drop measures the contact between a drop and the jump.
func (j *jumping) drop() {
	touch := contactBefore(j.force, j.takeoff)
	if touch == 0 {
		for _, column := range []string{"first_contact_frame", "contact_time", "reactive_strength_index",
			"reactive_strength_ratio"} {
			j.withhold(column, EventMissing,
				"The person is on the platform from the first sample on, so there was no drop onto it.")
		}
		return
	}
	j.event("first_contact_frame", byFlight.ID, j.second(touch))
	contact := float64(j.takeoff-touch) / j.rate
	j.metric("contact_time", byFlight.ID, contact)
	if j.open {
		for _, column := range []string{"reactive_strength_index", "reactive_strength_ratio"} {
			j.withhold(column, NoLanding, "The recording or the platform has no landing after the take-off at %.3f s.",
				j.second(j.takeoff))
		}
		return
	}
	j.metric("reactive_strength_index", byFlight.ID, j.heightByTime()/contact)
	j.metric("reactive_strength_ratio", byFlight.ID, j.airtime()/contact)
}

// landed measures the landing.
func (j *jumping) landed() {
	if j.open {
		return
	}
	to := min(len(j.force), j.landing+landingWindow.samples(j.rate)+1)
	j.metric("peak_landing_force", byLanding[0].ID, slices.Max(j.force[j.landing:to]))
}

// settled says which height is the height of the jump.
func (j *jumping) settled() error {
	for _, by := range []struct{ column, method, name string }{
		{"jump_height_impulse", byImpulse.ID, "impulse"}, {"jump_height_flight_time", byFlight.ID, "flight_time"},
	} {
		at := slices.IndexFunc(j.computed.Metrics, func(m frames.ComputedMetric) bool { return m.Column == by.column })
		if at < 0 {
			continue
		}
		j.metric("jump_height", by.method, *j.computed.Metrics[at].Value)
		j.text("jump_height_method", by.method, by.name)
		return nil
	}
	return j.reasons["jump_height_flight_time"] // without one it would have been given
}
