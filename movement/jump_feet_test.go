package movement_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// hopping is somebody who stands for a second, jumps, flies as all things do, lands as they took
// off, and stands again: how long they fly in s, how much the pelvis is above standing at the
// take-off, and how far forwards they go, in m.
type hopping struct {
	rate, flight, toes, far, unrest float64
}

const leaves = 1.6 // s

// pelvis gives how far it is above standing at a time, and the feet above the ground.
func (h hopping) pelvis(t float64) (pelvis, feet, forwards float64) {
	velocity := 9.80665 * h.flight / 2
	switch lands := leaves + h.flight; {
	case t < 1:
		return h.unrest * math.Sin(20*t), 0, 0
	case t < leaves || t >= lands && t < lands+0.6:
		u := (t - 1) / 0.6
		if t >= lands {
			u = (lands + 0.6 - t) / 0.6
		}
		// From rest, down, and up to the height and the velocity of the take-off.
		a, b := 2.5*h.toes-velocity*0.6*0.5, velocity*0.6*0.5-1.5*h.toes
		pelvis = a*u*u + b*u*u*u*u
		if t >= lands {
			forwards = h.far
		}
		return pelvis, 0, forwards
	case t < lands:
		s := t - leaves
		up := velocity*s - 9.80665*s*s/2
		return h.toes + up, up, h.far * s / h.flight
	}
	return h.unrest * math.Sin(20*t), 0, h.far
}

func (h hopping) person() person {
	return person{rate: h.rate, frames: int((leaves + h.flight + 1.6) * h.rate), names: halpe,
		at: func(name string, i int) place {
			pelvis, feet, forwards := h.pelvis(float64(i) / h.rate)
			p, _, side := upright(name)
			if p[2] > 0.5 {
				p[2] += pelvis
			} else {
				p[2] += feet
			}
			p[0], p[1] = p[0]+forwards, 0.12*side
			return p
		}}
}

func TestAPelvisRisesAsHighInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		h := hopping{rate: rapid.SampledFrom([]float64{100, 250}).Draw(rt, "rate"), flight: draw("flight", 0.35, 0.7),
			toes: draw("toes", 0.05, 0.15)}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told"),
			from: place{1, 2, draw("floor", -1, 1)}}
		got := measurePoints(t, "jump", "countermovement", l.record(h.person()))
		want := h.toes + 9.80665*h.flight*h.flight/8
		if g := number(got, "jump_height_standing"); !(math.Abs(g-want) < 0.01) {
			code, message := why(got, "jump_height_standing")
			rt.Errorf("the pelvis rises by %v m, want %v (%s %s)", g, want, code, message)
		}
		complete(t, "jump", "countermovement", got)
	})
}

func TestAJumpByPointsThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	h := hopping{rate: 200, flight: 0.5, toes: 0.1}
	plain := laboratory{metres: 1, up: 2, told: true}
	of := func(change func(l *laboratory, h *hopping)) *motion.Recording {
		l, h := plain, h
		change(&l, &h)
		return l.record(h.person())
	}
	lost := func(name string, from, to int) *motion.Recording {
		return of(func(l *laboratory, _ *hopping) { l.lost = map[string][2]int{name: {from, to}} })
	}
	cut := func(frames int) *motion.Recording {
		p := h.person()
		p.frames = frames
		return plain.record(p)
	}
	rate := func(rate float64) *motion.Recording {
		r := plain.record(h.person())
		r.Rate = rate
		return r
	}
	for name, c := range map[string]struct {
		rec      *motion.Recording
		movement string
		code     string
	}{
		"whole":          {plain.record(h.person()), "countermovement", ""},
		"twice the rate": {rate(400), "countermovement", movement.NotInFreeFall},
		"half the rate":  {rate(100), "countermovement", movement.NotInFreeFall},
		"a unit of another length": {func() *motion.Recording {
			r := plain.record(h.person())
			r.Metres = 0.5
			return r
		}(), "countermovement", movement.NotInFreeFall},
		"somebody who stands":           {cut(300), "countermovement", movement.NoFlight},
		"somebody who stays in the air": {cut(400), "countermovement", movement.NoLanding},
		"somebody who is never still": {of(func(_ *laboratory, h *hopping) { h.unrest = 0.05 }), "countermovement",
			movement.NoQuietStanding},
		"a foot that is hidden":         {lost("LHeel", 315, 340), "countermovement", movement.GapAtEvent},
		"a foot that is hidden landing": {lost("RHeel", 418, 440), "countermovement", movement.GapAtEvent},
		"a pelvis that is hidden":       {lost("Hip", 365, 370), "countermovement", movement.GapAtEvent},
		"a foot that was never there":   {lost("LHeel", 0, 200), "countermovement", movement.GapAtEvent},
		"50 frames a second": {of(func(_ *laboratory, h *hopping) { h.rate = 50 }), "countermovement",
			movement.RateTooLow},
		"a third of the rate": {rate(60), "countermovement", movement.Implausible},
		"a hop of less than 3 cm": {of(func(_ *laboratory, h *hopping) { h.flight = 0.15 }), "countermovement",
			movement.NoFlight},
		"a jump out of a crouch": {plain.record(h.person()), "squat", movement.NoForcePlate},
		"a jump from one leg":    {plain.record(h.person()), "single_leg", movement.NoForcePlate},
		"no body": {renamed(plain.record(h.person()), func(n string) string { return "x" + n }),
			"countermovement", movement.NoForcePlate},
	} {
		t.Run(name, func(t *testing.T) {
			got := measurePoints(t, "jump", c.movement, c.rec)
			value := number(got, "jump_height_standing")
			if code, message := why(got, "jump_height_standing"); code != c.code || code != "" &&
				!strings.HasSuffix(message, ".") {
				t.Errorf("it is withheld for %q: %s, want %q (%v)", code, message, c.code, value)
			}
			if want := h.toes + 9.80665*h.flight*h.flight/8; c.code == "" && math.Abs(value-want) > 0.01 {
				t.Errorf("the pelvis rises by %v m, want %v", value, want)
			}
			if code, _ := why(got, "jump_height"); code != movement.NoForcePlate {
				t.Errorf("a height by the force is withheld for %q", code)
			}
			complete(t, "jump", c.movement, got)
		})
	}
}

func TestABroadJumpGoesAsFarInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		h := hopping{rate: rapid.SampledFrom([]float64{100, 250}).Draw(rt, "rate"), flight: draw("flight", 0.35, 0.7),
			toes: 0.1, far: draw("far", 0.6, 3.5)}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: true,
			from: place{1, 2, draw("floor", -1, 1)}}
		got := measurePoints(t, "jump", "broad", l.record(h.person()))
		if g := number(got, "jump_distance"); !(math.Abs(g-(h.far-0.23)) < 0.005) {
			code, message := why(got, "jump_distance")
			rt.Errorf("the jump goes %v m, want %v (%s %s)", g, h.far-0.23, code, message)
		}
		complete(t, "jump", "broad", got)
	})
}

func TestABroadJumpThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	h := hopping{rate: 200, flight: 0.5, toes: 0.1, far: 2}
	plain := laboratory{metres: 1, up: 2, told: true}
	lost := func(name string, from, to int) *motion.Recording {
		l := plain
		l.lost = map[string][2]int{name: {from, to}}
		return l.record(h.person())
	}
	sliding := func(points string, from, to float64) *motion.Recording {
		p := h.person()
		at := p.at
		p.at = func(name string, i int) place {
			q := at(name, i)
			if t := float64(i) / h.rate; strings.Contains(name, points) && t > from && t < to {
				q[0] += 0.5 * (t - from)
			}
			return q
		}
		return plain.record(p)
	}
	for name, c := range map[string]struct {
		rec  *motion.Recording
		code string
	}{
		"whole":                   {plain.record(h.person()), ""},
		"feet that slide":         {sliding("Heel", 2.15, 2.6), movement.NoQuietStanding},
		"feet that shuffle":       {sliding("Toe", 1.4, 1.6), movement.NoQuietStanding},
		"a heel that is hidden":   {lost("RHeel", 455, 470), movement.GapAtEvent},
		"a toe that is hidden":    {lost("LBigToe", 292, 300), movement.GapAtEvent},
		"a pelvis that is hidden": {lost("Hip", 455, 470), movement.GapAtEvent},
		"an end after 0.2 s": {func() *motion.Recording {
			p := h.person()
			p.frames = 460
			return plain.record(p)
		}(), movement.NoLanding},
		"a jump on the spot": {func() *motion.Recording { h := h; h.far = 0.3; return plain.record(h.person()) }(),
			movement.Implausible},
	} {
		t.Run(name, func(t *testing.T) {
			got := measurePoints(t, "jump", "broad", c.rec)
			if code, message := why(got, "jump_distance"); code != c.code || code != "" &&
				!strings.HasSuffix(message, ".") {
				t.Errorf("it is withheld for %q: %s, want %q (%v)", code, message, c.code, number(got, "jump_distance"))
			} else if code == movement.GapAtEvent && !strings.Contains(message, strings.Fields(name)[1]) {
				t.Errorf("of %s it is said: %s", name, message)
			}
			complete(t, "jump", "broad", got)
		})
	}
}

// hop is h from one foot, the other one raised by so much.
func (h hopping) hop(left bool, raised float64) person {
	p := h.person()
	at := p.at
	p.at = func(name string, i int) place {
		q := at(name, i)
		if _, _, side := upright(name); side != 0 && (side > 0) != left && q[2] < 0.5 {
			q[2] += raised
		}
		return q
	}
	return p
}

func TestAJumpForwardsFromOneFootIsMeasuredByThatFoot(t *testing.T) {
	h := hopping{rate: 200, flight: 0.5, toes: 0.1, far: 1.4}
	l := laboratory{yaw: 2, up: 1, metres: 0.001}
	for name, c := range map[string]struct {
		rec  *motion.Recording
		code string
	}{
		"left":         {l.record(h.hop(true, 0.2)), ""},
		"right":        {l.record(h.hop(false, 0.2)), ""},
		"on both feet": {l.record(h.hop(true, 0.02)), movement.SideUnknown},
		"a hidden foot": {laboratory{metres: 1, up: 2, lost: map[string][2]int{"LBigToe": {0, 200}}}.record(
			h.hop(true, 0.2)), movement.GapAtEvent},
	} {
		got := measurePoints(t, "jump", "single_leg_broad", c.rec)
		code, message := why(got, "jump_distance")
		// From the toes, 0.17 m ahead, to the heels, 0.06 m behind.
		if v, want := number(got, "jump_distance"), 1.4-0.23; code != c.code || code == "" &&
			!(math.Abs(v-want) < 0.005) {
			t.Errorf("%s: the distance is %v, want %v (%s %s)", name, v, want, code, message)
		}
		complete(t, "jump", "single_leg_broad", got)
	}
}
