package movement_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// runner runs ahead, turns by an angle to the left at 3 s, and runs out: speeds in m/s, the angle in
// degrees, and how long the turn takes.
type runner struct {
	rate, lasts, before, after, angle, takes float64
	again                                    bool // there is a second turn back, at 5 s
	straight                                 bool // the run is slower for a time and goes on
	// the direction changes little by little, and the runner is half as fast meanwhile
	bow bool
}

// rises goes from 0 to 1 about a moment.
func rises(t, at, takes float64) float64 { return (1 + math.Erf((t-at)/takes/math.Sqrt2)) / 2 }

// velocity is that of the pelvis.
func (r runner) velocity(t float64) (x, y float64) {
	in := r.before * rises(t, 1, 0.2) * (1 - rises(t, 3, r.takes))
	out := r.after * rises(t, 3, r.takes) * (1 - rises(t, 5, 0.2))
	sin, cos := math.Sincos(r.angle * math.Pi / 180)
	x, y = in+out*cos, out*sin
	if r.again {
		back := r.before * rises(t, 5, r.takes) * (1 - rises(t, 7, 0.2))
		x, y = in+r.after*rises(t, 3, r.takes)*(1-rises(t, 5, r.takes))*cos+back, y+0*back
	}
	if r.bow {
		speed := r.before * rises(t, 1, 0.2) * (1 - rises(t, 5, 0.2)) * (1 - 0.5*math.Exp(-(t-3)*(t-3)/0.18))
		sin, cos := math.Sincos(r.angle * math.Pi / 180 * rises(t, 3, 0.3))
		x, y = speed*cos, speed*sin
	}
	if r.straight {
		x, y = r.before*rises(t, 1, 0.2)*(1-0.6*rises(t, 2.8, 0.15)*(1-rises(t, 3.2, 0.15)))*(1-rises(t, 5, 0.2)), 0
	}
	return x, y
}

func (r runner) person() person {
	n := int(r.lasts * r.rate)
	way := make([]place, n)
	var x, y float64
	const steps = 4
	for i := range way {
		way[i] = place{x, y, 0}
		for k := range steps {
			u, v := r.velocity((float64(i) + (float64(k)+0.5)/steps) / r.rate)
			x, y = x+u/steps/r.rate, y+v/steps/r.rate
		}
	}
	return person{rate: r.rate, frames: n, names: halpe, at: func(name string, i int) place {
		p, _, side := upright(name)
		return place{p[0] + way[i][0], 0.12*side + way[i][1], p[2]}
	}}
}

// fastest is the greatest speed of a time, and the least of it and its moment.
func (r runner) fastest(from, to float64) (most, least, at float64) {
	least = math.Inf(1)
	for t := from; t < to; t += 0.004 {
		speed := math.Hypot(r.velocity(t))
		most = max(most, speed)
		if speed < least {
			least, at = speed, t
		}
	}
	return most, least, at
}

func TestACutHasTheSpeedsAndTheAngleOfTheRunInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		r := runner{rate: rapid.SampledFrom([]float64{60, 100, 250}).Draw(rt, "rate"), lasts: 6,
			before: draw("before", 3, 6), takes: draw("takes", 0.12, 0.25)}
		r.after = r.before * draw("after", 0.8, 1.25)
		r.angle = draw("angle", 80, 180) * float64(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "side"))
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told"),
			from: place{1, 2, 0}}
		got := measurePoints(t, "agility", "cutting", l.record(r.person()))
		before, _, _ := r.fastest(1.5, 3)
		after, _, _ := r.fastest(3, 4.5)
		_, slow, at := r.fastest(2, 4)
		for column, want := range map[string]float64{"entry_speed": before, "exit_speed": after,
			"peak_speed": max(before, after), "turn_speed": slow, "turn_angle": math.Abs(r.angle)} {
			near := 0.03*want + 0.2
			switch column {
			case "turn_angle":
				near = 2
			case "turn_speed": // the least speed of a sharp turn may lie half a frame from the nearest one
				near += (r.before + r.after) / (r.takes * math.Sqrt(2*math.Pi)) / (2 * r.rate)
			}
			if v := number(got, column); !(math.Abs(v-want) <= near) {
				code, message := why(got, column)
				rt.Errorf("%s is %v, want %.3f (%s %s)", column, v, want, code, message)
			}
		}
		if v := moment(got, "turn_frame"); !(math.Abs(v-at) <= 0.05) {
			rt.Errorf("the turn is at %v s, want %.3f", v, at)
		}
		switch want := map[bool]string{true: "left", false: "right"}[r.angle > 0]; {
		case math.Abs(r.angle) < 163 && words(got, "turn_side") != want:
			rt.Errorf("the turn is to the side %q, want %s", words(got, "turn_side"), want)
		case math.Abs(r.angle) > 167:
			if code, _ := why(got, "turn_side"); code != movement.SideUnknown {
				rt.Errorf("the side of a turn back is withheld as %q", code)
			}
		}
		complete(t, "agility", "cutting", got)
	})
}

func TestACutThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	good := runner{rate: 100, lasts: 6, before: 5, after: 4, angle: 90, takes: 0.15}
	with := func(change func(*runner)) runner {
		r := good
		change(&r)
		return r
	}
	lost := func(from, to int) map[string][2]int { return map[string][2]int{"Hip": {from, to}} }
	first := measurePoints(t, "agility", "cutting", laboratory{up: 2, metres: 1, told: true}.record(good.person()))
	at := int(moment(first, "turn_frame")*100 + 0.5)
	fast := int(moment(first, "entry_speed_frame")*100 + 0.5)
	all := []string{"turn_angle", "entry_speed", "exit_speed", "peak_speed"}
	for name, c := range map[string]struct {
		r       runner
		lost    map[string][2]int
		code    string
		columns []string
		kept    string
	}{
		"whole": {good, nil, "", all, ""},
		"too slow a run": {with(func(r *runner) { r.before, r.after = 1.5, 1.5 }), nil,
			movement.NoRepetition, all, ""},
		"hardly slower": {with(func(r *runner) { r.angle = 40 }), nil, movement.NoRepetition, all, ""},
		"straight on": {with(func(r *runner) { r.straight = true }), nil, movement.NoRepetition, all,
			""},
		"two turns": {with(func(r *runner) { r.again, r.lasts = true, 8 }), nil,
			movement.SeveralRepetitions, all, ""},
		"too few frames": {with(func(r *runner) { r.rate = 25 }), nil, movement.RateTooLow, all, ""},
		"it begins in the run": {good, lost(0, 280), movement.EventMissing,
			[]string{"entry_speed", "peak_speed"}, "exit_speed"},
		"it ends in the run": {good, lost(325, 600), movement.EventMissing, []string{"exit_speed"},
			"entry_speed"},
		"a pelvis that is lost": {good, lost(200, 280), movement.GapAtEvent, all, ""},
		"lost when it turns":    {good, lost(at-1, at+2), movement.GapAtEvent, all, ""},
		"lost when it is fastest": {good, lost(fast-4, fast+5), movement.GapAtEvent,
			[]string{"entry_speed", "peak_speed"}, "exit_speed"},
		"more than half a turn": {with(func(r *runner) { r.bow, r.angle = true, 210 }), nil, movement.SideUnknown,
			[]string{"turn_angle", "turn_side"}, "turn_speed"},
		"more than half to the right": {with(func(r *runner) { r.bow, r.angle = true, -250 }), nil,
			movement.SideUnknown, []string{"turn_angle", "turn_side"}, "turn_speed"},
		"a bow of less": {with(func(r *runner) { r.bow, r.angle = true, -130 }), nil, "",
			[]string{"turn_angle", "turn_side"}, "turn_speed"},
		"no platform": {good, nil, movement.NoForcePlate,
			[]string{"contact_time", "foot_contact_frame", "foot_off_frame"}, "turn_angle"},
		"no pelvis in the whole file": {good, lost(0, 600), movement.GapAtEvent, all, ""},
	} {
		got := measurePoints(t, "agility", "cutting",
			laboratory{up: 2, metres: 1, told: true, lost: c.lost}.record(c.r.person()))
		wantWithheld(t, name, got, c.code, c.columns, c.kept)
		for _, column := range c.columns {
			code, message := why(got, column)
			if slow := strings.HasPrefix(message, "At no time"); code == movement.NoRepetition &&
				slow == (name == "straight on") {
				t.Errorf("%s: %s is withheld: %s", name, column, message)
			}
		}
	}
}

func TestTheContactOfACutIsThatInWhichTheTurnIs(t *testing.T) {
	r := runner{rate: 100, lasts: 6, before: 5, after: 4, angle: 90, takes: 0.15}
	// step is a contact from one time to another, in s, with a force in N.
	type step struct{ from, to, force float64 }
	measured := func(perFrame int, steps ...step) *frames.Computed {
		rec := laboratory{up: 2, metres: 1, told: true}.record(r.person())
		c := record.Channel{Name: "Fz", Unit: "N", Rate: 100 * float64(perFrame), PerFrame: perFrame}
		for i := range rec.Frames * perFrame {
			force, now := 0.0, (float64(i)+0.5)/c.Rate
			for _, s := range steps {
				if now >= s.from && now < s.to {
					force = s.force
				}
			}
			c.Values = append(c.Values, float32(force))
		}
		rec.Analogs = append(rec.Analogs, c)
		return measureBoth(t, "agility", "cutting", tables(t, motion.C3D, rec.Frames, points{rec}))
	}
	got := measured(10, step{2.4, 2.6, 900}, step{2.9, 3.2, 1500}, step{3.5, 3.7, 900})
	for column, want := range map[string]float64{"foot_contact_frame": 2.9, "foot_off_frame": 3.2} {
		if v := moment(got, column); !(math.Abs(v-want) < 0.0011) {
			code, message := why(got, column)
			t.Errorf("%s is at %v s, want %v (%s %s)", column, v, want, code, message)
		}
	}
	if v := number(got, "contact_time"); !(math.Abs(v-0.3) < 0.0011) {
		t.Errorf("the contact lasts %v s, want 0.3", v)
	}
	complete(t, "agility", "cutting", got)
	columns := []string{"contact_time", "foot_contact_frame", "foot_off_frame"}
	withheld(t, measured(10, step{2.4, 2.6, 900}, step{3.5, 3.7, 900}), columns, movement.EventMissing, "turn_angle")
	withheld(t, measured(10, step{2.4, 7, 900}), columns, movement.EventMissing, "turn_angle")
	withheld(t, measured(10, step{0, 3.2, 900}), columns, movement.EventMissing, "turn_angle")
	withheld(t, measured(10, step{2.9, 3.2, 150}), columns, movement.PlateNoisy, "turn_angle")
	withheld(t, measured(1, step{2.9, 3.2, 900}), columns, movement.RateTooLow, "turn_angle")
	withheld(t, measured(10, step{2, 4, 900}), columns, movement.Implausible, "turn_angle")
}
