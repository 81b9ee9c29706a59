package movement_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// reacher stands on one foot and reaches out with the other one, level, in a direction.
type reacher struct {
	far, to float64 // m, radians
	left    bool    // the left foot stands
	drift   float64 // of the foot that stands, in m
	cut     bool    // the recording ends in the reach
	late    bool    // it begins in it
}

func (r reacher) person() person {
	n := 600
	if r.cut {
		n = 300
	}
	stands := map[bool]float64{true: 1, false: -1}[r.left]
	return person{rate: 100, frames: n, names: halpe, at: func(name string, i int) place {
		p, _, side := upright(name)
		p[1] = 0.12 * side
		t := float64(i) / 100
		if r.late {
			t += 3.2
		}
		if p[2] < 0.5 && side == -stands {
			out := r.far * math.Exp(-(t-3.2)*(t-3.2)/0.5)
			p[0], p[1], p[2] = p[0]+out*math.Cos(r.to), p[1]+out*math.Sin(r.to), p[2]+0.1
		} else if p[2] < 0.5 && side == stands && t > 3 {
			p[0] += r.drift
		}
		return p
	}}
}

func TestAReachIsTheDistanceOfTheToesInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		r := reacher{far: draw("far", 0.4, 0.9), left: rapid.Bool().Draw(rt, "left")}
		// Away from the foot that stands: forwards, backwards, or to the free side.
		r.to = draw("to", 0, math.Pi)
		if r.left {
			r.to = -r.to
		}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told"),
			from: place{1, 2, 0}}
		got := measurePoints(t, "stability", "y_balance_lower_quarter", l.record(r.person()))
		want := math.Hypot(r.far*math.Cos(r.to), 0.24+r.far*math.Abs(math.Sin(r.to)))
		if v := number(got, "reach_distance"); !(math.Abs(v-want) < 0.005) {
			code, message := why(got, "reach_distance")
			rt.Errorf("the reach is %v m, want %.3f (%s %s)", v, want, code, message)
		}
		if v := number(got, "reach_distance_of_leg"); !(math.Abs(v-100*want/0.92) < 0.7) {
			rt.Errorf("the reach is %v %% of the leg, want %.1f", v, 100*want/0.92)
		}
		if v := moment(got, "reach_frame"); !(math.Abs(v-3.2) < 0.03) {
			rt.Errorf("the reach is at %v s, want 3.2", v)
		}
		complete(t, "stability", "y_balance_lower_quarter", got)
	})
}

func TestAReachThatIsNotKnownIsWithheldWithItsReason(t *testing.T) {
	good := reacher{far: 0.6}
	lost := func(name string, from, to int) map[string][2]int { return map[string][2]int{name: {from, to}} }
	for name, c := range map[string]struct {
		r    reacher
		lost map[string][2]int
		code string
	}{
		"whole":               {good, nil, ""},
		"no reach":            {reacher{far: 0.05}, nil, movement.NoRepetition},
		"both feet go":        {reacher{far: 0.6, drift: 0.1}, nil, movement.NoQuietStanding},
		"an end in the reach": {reacher{far: 0.6, cut: true}, nil, movement.EventMissing},
		"begun in the reach":  {reacher{far: 0.6, late: true}, nil, movement.EventMissing},
		"a lost toe":          {good, lost("LBigToe", 305, 340), movement.GapAtEvent},
		"lost before it":      {good, lost("LBigToe", 240, 280), movement.GapAtEvent},
		"lost for a moment":   {good, lost("LBigToe", 318, 322), movement.GapAtEvent},
		"no toe at all":       {good, lost("LBigToe", 0, 600), movement.GapAtEvent},
	} {
		got := measurePoints(t, "stability", "y_balance_lower_quarter",
			laboratory{up: 2, metres: 1, told: true, lost: c.lost}.record(c.r.person()))
		if code, message := why(got, "reach_distance"); code != c.code {
			t.Errorf("%s: it is withheld as %q, want %q: %s", name, code, c.code, message)
		}
	}
}

func TestAReachWithoutTheLengthOfTheLegHasItsDistance(t *testing.T) {
	p := reacher{far: 0.6}.person()
	lost := laboratory{up: 2, metres: 1, told: true, lost: map[string][2]int{"RKnee": {0, 600}}}.record(p)
	p.names = without(p.names, "RKnee")
	for code, rec := range map[string]*motion.Recording{movement.GapAtEvent: lost,
		movement.LandmarkMissing: laboratory{up: 2, metres: 1, told: true}.record(p)} {
		withheld(t, measurePoints(t, "stability", "y_balance_lower_quarter", rec), []string{"reach_distance_of_leg"},
			code, "reach_distance")
	}
}

// propped is in a push-up position on one hand, while the other one reaches out level.
type propped struct {
	far, to float64
	left    bool // the left hand stands
	drift   float64
	cut     bool
	late    bool
}

// onHands is where joints are in somebody in a push-up position, in the middle of the body.
var onHands = map[string]place{
	"Ankle": {0, 0, 0.1}, "Heel": {-0.05, 0, 0.1}, "BigToe": {0, 0, 0.02}, "SmallToe": {0, 0, 0.02},
	"Knee": {0.4, 0, 0.25}, "Hip": {0.8, 0, 0.4},
	"Shoulder": {1.3, 0, 0.6}, "Neck": {1.35, 0, 0.62}, "Head": {1.6, 0, 0.7}, "Ear": {1.55, 0, 0.68},
	"Elbow": {1.3, 0, 0.3}, "Wrist": {1.3, 0, 0.02},
}

func (h propped) person() person {
	n := 600
	if h.cut {
		n = 300
	}
	stands := map[bool]float64{true: 1, false: -1}[h.left]
	return person{rate: 100, frames: n, names: halpe, at: func(name string, i int) place {
		_, base, side := upright(name)
		p := onHands[base]
		p[1] = 0.18 * side
		t := float64(i) / 100
		if h.late {
			t += 3.2
		}
		if base == "Wrist" && side == -stands {
			out := h.far * math.Exp(-(t-3.2)*(t-3.2)/0.5)
			p[0], p[1], p[2] = p[0]+out*math.Cos(h.to), p[1]+out*math.Sin(h.to), p[2]+0.1
		} else if base == "Wrist" && side == stands && t > 3 {
			p[0] += h.drift
		}
		return p
	}}
}

func TestAReachOfAHandIsTheDistanceOfTheWrists(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		h := propped{far: draw("far", 0.3, 0.7), left: rapid.Bool().Draw(rt, "left"), to: draw("to", 0, math.Pi)}
		if h.left {
			h.to = -h.to
		}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: true, from: place{1, 2, 0}}
		got := measurePoints(t, "stability", "y_balance_upper_quarter", l.record(h.person()))
		want := math.Hypot(h.far*math.Cos(h.to), 0.36+h.far*math.Abs(math.Sin(h.to)))
		if v := number(got, "reach_distance"); !(math.Abs(v-want) < 0.005) {
			code, message := why(got, "reach_distance")
			rt.Errorf("the reach is %v m, want %.3f (%s %s)", v, want, code, message)
		}
		if v := number(got, "reach_distance_of_arm"); !(math.Abs(v-100*want/0.58) < 1) {
			rt.Errorf("the reach is %v %% of the arm, want %.1f", v, 100*want/0.58)
		}
		complete(t, "stability", "y_balance_upper_quarter", got)
	})
}

func TestAReachOfAHandThatIsNotKnownIsWithheldWithItsReason(t *testing.T) {
	good := propped{far: 0.5}
	for name, c := range map[string]struct {
		h    propped
		told bool
		lost map[string][2]int
		code string
	}{
		"whole":                  {good, true, nil, ""},
		"nothing tells the up":   {good, false, nil, movement.VerticalUnknown},
		"no reach":               {propped{far: 0.05}, true, nil, movement.NoRepetition},
		"both hands go":          {propped{far: 0.5, drift: 0.1}, true, nil, movement.NoQuietStanding},
		"an end in the reach":    {propped{far: 0.5, cut: true}, true, nil, movement.EventMissing},
		"begun in the reach":     {propped{far: 0.5, late: true}, true, nil, movement.EventMissing},
		"a wrist that is hidden": {good, true, map[string][2]int{"LWrist": {300, 340}}, movement.GapAtEvent},
	} {
		got := measurePoints(t, "stability", "y_balance_upper_quarter",
			laboratory{up: 2, metres: 1, told: c.told, lost: c.lost}.record(c.h.person()))
		if code, message := why(got, "reach_distance"); code != c.code {
			t.Errorf("%s: it is withheld as %q, want %q: %s", name, code, c.code, message)
		}
	}
}
