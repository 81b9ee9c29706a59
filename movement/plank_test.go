package movement_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/movement"
)

// planking kneels, goes into a plank that rises by an angle and sags at the pelvis, and gets up.
type planking struct {
	from, to  float64 // s
	rise, sag float64 // °
	sway      float64 // of the pelvis, in m, once a second
	rolls     bool    // onto the side: the shoulders lie above each other
}

// lying is how far joints are from the ankles along a body that lies.
var lying = map[string]float64{"Ankle": 0, "Heel": 0, "BigToe": 0, "SmallToe": 0, "Knee": 0.4, "Hip": 0.85,
	"Shoulder": 1.35, "Neck": 1.4, "Head": 1.6, "Ear": 1.55, "Elbow": 1.35, "Wrist": 1.35}

func (h planking) person() person {
	return person{rate: 100, frames: 1500, names: halpe, at: func(name string, i int) place {
		p, base, side := upright(name)
		t := float64(i) / 100
		if t < h.from || t > h.to {
			p[1] = 0.12 * side
			return p
		}
		along := lying[base]
		sin, cos := math.Sincos(h.rise * math.Pi / 180)
		q := place{along * cos, 0.12 * side, 0.1 + along*sin}
		if base == "Hip" {
			// The bend at the pelvis between 0.85 m to the ankles and 0.5 m to the shoulders.
			q[2] -= h.sag
			q[0] += h.sway * math.Sin(2*math.Pi*t)
		}
		if h.rolls {
			q[1], q[2] = 0, q[2]+0.12*side
		}
		return q
	}}
}

func TestAPlankLastsAsLongAsTheBodyIsHeld(t *testing.T) {
	lost := func(from, to int) map[string][2]int { return map[string][2]int{"LShoulder": {from, to}} }
	for name, c := range map[string]struct {
		h    planking
		lost map[string][2]int
		want float64 // 0 where it is withheld
		code string
	}{
		"on the hands":        {planking{from: 2, to: 12, rise: 15}, nil, 10, ""},
		"on one side":         {planking{from: 2, to: 12, rise: 20, rolls: true}, nil, 10, ""},
		"a sagging pelvis":    {planking{from: 2, to: 12, sag: 0.05}, nil, 10, ""},
		"a bent body":         {planking{from: 2, to: 12, sag: 0.3}, nil, 0, movement.NoRepetition},
		"too steep":           {planking{from: 2, to: 12, rise: 45}, nil, 0, movement.NoRepetition},
		"too short":           {planking{from: 2, to: 4}, nil, 0, movement.NoRepetition},
		"a pelvis that moves": {planking{from: 2, to: 12, sway: 0.1}, nil, 0, movement.NoRepetition},
		"a lost shoulder":     {planking{from: 2, to: 12}, lost(700, 705), 10, ""},
		"lost for long":       {planking{from: 2, to: 12}, lost(700, 800), 5, ""},
	} {
		got := measurePoints(t, "stability", "plank",
			laboratory{up: 1, yaw: 1, metres: 1, told: true, lost: c.lost}.record(c.h.person()))
		code, message := why(got, "plank_duration")
		if v := number(got, "plank_duration"); code != c.code || c.want > 0 && !(math.Abs(v-c.want) < 0.4) {
			t.Errorf("%s: it lasts %v s, want %v (%s %s)", name, v, c.want, code, message)
		}
		if at := moment(got, "plank_start_frame"); c.want > 0 && !(math.Abs(at-2) < 0.3) {
			t.Errorf("%s: it begins at %v s", name, at)
		}
		complete(t, "stability", "plank", got)
	}
	sags := planking{from: 2, to: 12, sag: 0.05}
	got := measurePoints(t, "stability", "plank", laboratory{up: 2, metres: 1, told: true}.record(sags.person()))
	want := 180 - (math.Atan(0.05/0.85)+math.Atan(0.05/0.5))*180/math.Pi
	if v := number(got, "hip_angle_mean"); !(math.Abs(v-want) < 0.5) {
		t.Errorf("the angle is %v, want %.1f", v, want)
	}
	got = measurePoints(t, "stability", "plank", laboratory{up: 2, metres: 1}.record(sags.person()))
	if code, _ := why(got, "plank_duration"); code != movement.VerticalUnknown {
		t.Errorf("where nothing tells which way is up it is withheld as %q", code)
	}
}
