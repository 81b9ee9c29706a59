package movement_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// kneeling is on hands and knees, and stretches an arm and a leg, brings elbow and knee together and
// stretches them again, so many times.
type kneeling struct {
	arm, leg    float64 // the sides: 1 for left, -1 for right
	times       int
	stretch     float64 // m, of arm and of leg
	drift, slip float64 // m, of the hand and of the knee that bear the body
	half        bool    // they are not stretched again
	lifts       bool    // both are lifted alone
	neutral     bool    // between two stretches they only come back to where they were
}

// part is how far arm and leg are stretched, and how far they are brought together, from 0 to 1.
func (k kneeling) part(t float64) (out, in float64) {
	bump := func(at, wide float64) float64 { return math.Exp(-(t - at) * (t - at) / wide) }
	for n := range k.times {
		from := 1.5 + 3*float64(n)
		out, in = out+bump(from, 0.15), in+bump(from+1, 0.15)
		if !k.half {
			out += bump(from+2, 0.15)
		}
	}
	if k.neutral {
		in = 0
	}
	return out, in
}

// onAllFours is where joints are in somebody on hands and knees, in the middle of the body.
var onAllFours = map[string]place{
	"Hip": {0, 0, 0.5}, "Knee": {0, 0, 0.05}, "Ankle": {-0.4, 0, 0.05}, "Heel": {-0.45, 0, 0.1},
	"BigToe": {-0.5, 0, 0.02}, "SmallToe": {-0.5, 0, 0.02},
	"Shoulder": {0.5, 0, 0.5}, "Neck": {0.55, 0, 0.52}, "Head": {0.8, 0, 0.55}, "Ear": {0.75, 0, 0.55},
	"Elbow": {0.5, 0, 0.25}, "Wrist": {0.5, 0, 0.02},
}

func (k kneeling) person() person {
	return person{rate: 100, frames: 300 * (k.times + 1), names: halpe, at: func(name string, i int) place {
		_, base, side := upright(name)
		t := float64(i) / 100
		p := onAllFours[base]
		p[1] = 0.15 * side
		out, in := k.part(t)
		switch {
		case k.lifts && (side == k.arm && (base == "Elbow" || base == "Wrist") || side == k.leg &&
			(base == "Knee" || base == "Ankle")):
			p[2] += 0.3 * out
		case side == k.arm && (base == "Elbow" || base == "Wrist"):
			p[0], p[2] = p[0]+k.stretch*out-0.2*in, p[2]+0.25*out
		case side == k.leg && (base == "Knee" || base == "Ankle" || base == "Heel" || base == "BigToe" ||
			base == "SmallToe"):
			p[0], p[2] = p[0]-k.stretch*out+0.2*in, p[2]+0.3*out+0.1*in
		case base == "Wrist" && t > 2:
			p[0] += k.drift
		case base == "Knee" && t > 2:
			p[0] += k.slip
		}
		return p
	}}
}

// apart is how far elbow and knee are from each other.
func (k kneeling) apart(t float64) float64 {
	letter := map[float64]string{1: "L", -1: "R"}
	elbow, knee := k.person().at(letter[k.arm]+"Elbow", int(t*100+0.5)),
		k.person().at(letter[k.leg]+"Knee", int(t*100+0.5))
	return math.Sqrt((elbow[0]-knee[0])*(elbow[0]-knee[0]) + (elbow[1]-knee[1])*(elbow[1]-knee[1]) +
		(elbow[2]-knee[2])*(elbow[2]-knee[2]))
}

func TestATestOfRotaryStabilityHasItsRepetitionsAndDistances(t *testing.T) {
	side := map[float64]string{1: "left", -1: "right"}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		k := kneeling{arm: rapid.SampledFrom([]float64{-1, 1}).Draw(rt, "arm"),
			leg: rapid.SampledFrom([]float64{-1, 1}).Draw(rt, "leg"), times: rapid.IntRange(1, 3).Draw(rt, "times"),
			stretch: draw("stretch", 0.3, 0.5)}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told"),
			from: place{1, 2, 0}}
		got := measureHand(t, "stability", "rotary", rapid.SampledFrom([]string{"", side[k.arm]}).Draw(rt, "hand"),
			l.record(k.person()))
		if v := number(got, "repetitions"); v != float64(k.times) {
			code, message := why(got, "repetitions")
			rt.Errorf("%v repetitions, want %d (%s %s)", v, k.times, code, message)
		}
		if want := map[bool]string{true: "same-side", false: "diagonal"}[k.arm == k.leg]; words(got,
			"rotary_pattern") != want {
			rt.Errorf("the pattern is %q, want %s", words(got, "rotary_pattern"), want)
		}
		for column, at := range map[string]float64{"elbow_to_knee_greatest": 1.5, "elbow_to_knee_least": 2.5} {
			if v, want := number(got, column), k.apart(at); !(math.Abs(v-want) < 0.02) {
				rt.Errorf("%s is %v m, want %.3f", column, v, want)
			}
		}
		for column, at := range map[string]float64{"stretched_frame": 1.5, "together_frame": 2.5} {
			if v := moment(got, column); !(math.Abs(v-at) <= 0.03) {
				rt.Errorf("%s is at %v s, want %v", column, v, at)
			}
		}
		complete(t, "stability", "rotary", got)
	})
}

func TestATestOfRotaryStabilityThatIsNotKnownIsWithheldWithItsReason(t *testing.T) {
	good := kneeling{arm: 1, leg: -1, times: 2, stretch: 0.4}
	with := func(change func(*kneeling)) kneeling {
		k := good
		change(&k)
		return k
	}
	lost := func(name string, from, to int) map[string][2]int { return map[string][2]int{name: {from, to}} }
	all := []string{"repetitions", "rotary_pattern", "elbow_to_knee_greatest", "elbow_to_knee_least"}
	for name, c := range map[string]struct {
		k       kneeling
		hand    string
		lost    map[string][2]int
		code    string
		columns []string
		kept    string
	}{
		"whole":          {good, "left", nil, "", all, ""},
		"the other hand": {good, "right", nil, movement.HandednessDisagrees, all, ""},
		"nobody moves":   {with(func(k *kneeling) { k.times = 0 }), "", nil, movement.NoRepetition, all, ""},
		"an arm alone":   {with(func(k *kneeling) { k.leg = 0 }), "", nil, movement.NoRepetition, all, ""},
		"a leg alone":    {with(func(k *kneeling) { k.arm = 0 }), "", nil, movement.NoRepetition, all, ""},
		"both hands move": {with(func(k *kneeling) { k.drift = 0.05 }), "", nil, movement.NoQuietStanding,
			all, ""},
		"both knees move": {with(func(k *kneeling) { k.slip = 0.08 }), "", nil, movement.NoQuietStanding, all,
			""},
		"not stretched again": {with(func(k *kneeling) { k.times, k.half = 1, true }), "", nil,
			movement.NoRepetition, all, ""},
		"lifted and not stretched": {with(func(k *kneeling) { k.lifts = true }), "", nil, movement.NoRepetition, all,
			""},
		"not brought together": {with(func(k *kneeling) { k.neutral = true }), "", nil, movement.NoRepetition, all,
			""},
		"lost for a time": {good, "", lost("LElbow", 380, 420), movement.GapAtEvent, all[:1],
			"elbow_to_knee_least"},
		"lost when together": {good, "", lost("LElbow", 249, 252), movement.GapAtEvent, all[3:],
			"elbow_to_knee_greatest"},
		"lost when stretched": {good, "", lost("RKnee", 149, 152), movement.GapAtEvent, all[2:3],
			"elbow_to_knee_least"},
		"a wrist that is hidden": {good, "", lost("LWrist", 0, 900), movement.GapAtEvent, all, ""},
	} {
		got := measureHand(t, "stability", "rotary", c.hand,
			laboratory{up: 2, metres: 1, told: true, lost: c.lost}.record(c.k.person()))
		wantWithheld(t, name, got, c.code, c.columns, c.kept)
	}
}
