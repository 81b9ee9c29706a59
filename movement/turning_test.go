package movement_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// spin is by how many degrees something turns about a moment, and how long that takes: the
// deviation of the course of its speed, which is that of a bell.
type spin struct{ by, at, takes float64 }

func (s spin) angle(t float64) float64 {
	return s.by * (1 + math.Erf((t-s.at)/s.takes/math.Sqrt2)) / 2
}

func (s spin) speed(t float64) float64 {
	u := (t - s.at) / s.takes
	return s.by * math.Exp(-u*u/2) / s.takes / math.Sqrt(2*math.Pi)
}

// thrower is somebody who turns back and then forwards, pelvis, trunk and arm one after another,
// to the left with the right hand or the other way round, and who may be a left-hander.
type thrower struct {
	rate, lasts         float64
	left                bool
	back                spin // of all
	pelvis, trunk, arm  spin // the arm turns on the trunk
	again               float64
	lean                float64 // of the shoulders to one side, in degrees
	armSide             string  // L or R of a right-hander
	bothHands, backhand bool
	swapped             bool     // left and right are exchanged in the names alone
	recoil              spin     // of the pelvis
	late                float64  // s, by which the recording begins later
	lost                []string // points that are not there
	step                step
}

// step is how far the front foot is raised and goes ahead, and when it comes down.
type step struct{ lift, length, down float64 }

// ankle is where the front foot is.
func (s step) ankle(t float64) place {
	if s.down == 0 {
		return place{0, 0, 0.08}
	}
	u := min(1, max(0, (t-s.down+0.6)/0.6))
	return place{s.length * (3*u*u - 2*u*u*u), 0, 0.08 + s.lift*math.Sin(math.Pi*u)*math.Sin(math.Pi*u)}
}

func throwerOf(rate float64) thrower {
	return thrower{
		rate: rate, lasts: 4, armSide: "R", back: spin{-60, 1, 0.2},
		recoil: spin{takes: 1}, pelvis: spin{100, 1.9, 0.07}, trunk: spin{130, 1.96, 0.065}, arm: spin{90, 2.02, 0.06},
	}
}

// turned is how far something is turned at a time.
func (s thrower) turned(of spin, t float64) float64 {
	angle := s.back.angle(t) + of.angle(t)
	if s.again > 0 {
		angle += s.back.angle(t-s.again) + of.angle(t-s.again)
	}
	return angle
}

// speedOf is how fast parts turn together.
func (s thrower) speedOf(t float64, parts ...spin) float64 {
	speed := s.back.speed(t)
	for _, p := range parts {
		speed += p.speed(t)
	}
	return speed
}

// fastest is the greatest speed of parts and its moment.
func (s thrower) fastest(parts ...spin) (most, at float64) {
	for t := 1.2; t < 3; t += 0.001 {
		if v := s.speedOf(t, parts...); v > most {
			most, at = v, t
		}
	}
	return most, at
}

func (s thrower) person() person {
	return handed{s.rate, s.lasts, s.late, s.left, s.swapped, s.lost}.person(s.at)
}

// alongArm is how far joints are from the shoulder.
var alongArm = map[string]float64{"Shoulder": 0, "Elbow": 0.3, "Wrist": 0.55}

// at is where a point of a right-hander is.
func (s thrower) at(name string, t float64) place {
	p, base, side := upright(name)
	if base == "Neck" || base == "Head" || base == "Ear" || base == "Knee" {
		return place{p[0], 0.12 * side, p[2]} // they take no part
	}
	turn := func(angle, radius float64) place {
		sin, cos := math.Sincos(angle * math.Pi / 180)
		return place{-radius * sin, radius * cos, 0}
	}
	pelvis, trunk := s.turned(s.pelvis, t)+s.recoil.angle(t), s.turned(s.trunk, t)
	if s.backhand {
		pelvis, trunk = -pelvis, -trunk
	}
	switch base {
	case "Hip":
		q := turn(pelvis, 0.12*side)
		return place{q[0], q[1], p[2]}
	case "Shoulder", "Elbow", "Wrist":
		q := turn(trunk, 0.2*side*math.Cos(s.lean*math.Pi/180))
		p = place{q[0], q[1], 1.45 + 0.2*side*math.Sin(s.lean*math.Pi/180)}
		long := alongArm[base]
		if name[:1] != s.armSide && !(s.bothHands && base == "Wrist") {
			p[2] -= long
			return p
		}
		reach := s.arm.angle(t)
		if s.again > 0 {
			reach = s.arm.angle(t) - spin{s.arm.by, s.again + 0.2, 0.2}.angle(t) + s.arm.angle(t-s.again)
		}
		if s.backhand {
			reach = -reach
		}
		q = turn(trunk+reach, long*side)
		return place{p[0] + q[0], p[1] + q[1], p[2]}
	}
	p[1] = 0.12 * side
	if side > 0 && (base == "Ankle" || base == "Heel" || base == "BigToe" || base == "SmallToe") {
		q := s.step.ankle(t)
		p[0], p[2] = p[0]+q[0], p[2]+q[2]-0.08
	}
	return p
}

func measureHand(t testing.TB, activity, name, hand string, rec *motion.Recording) *frames.Computed {
	t.Helper()
	r := tables(t, motion.TRC, rec.Frames, points{rec})
	r.Handedness = hand
	return measureBoth(t, activity, name, r)
}

func TestAThrowIsTheSameInEveryLaboratoryAndOfEitherHand(t *testing.T) {
	kinds := []struct {
		activity, name  string
		front, backhand bool
	}{
		{"baseball", "hitting", true, false}, {"baseball", "pitching", false, false}, {"golf", "swing", true, false},
		{"softball", "hitting", true, false},
		{"softball", "pitching", false, false}, {"tennis", "backhand", false, true},
		{"tennis", "forehand", false, false}, {"tennis", "overhand_serve", false, false},
		{"tennis", "underhand_serve", false, false}, {"track_and_field", "discus", false, false},
		{"track_and_field", "shot_put", false, false},
	}
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(rt, "kind")
		s := throwerOf(rapid.SampledFrom([]float64{100, 200, 360}).Draw(rt, "rate"))
		s.left = rapid.Bool().Draw(rt, "left")
		s.backhand = kind.backhand
		for _, part := range []*spin{&s.pelvis, &s.trunk, &s.arm} {
			part.by *= rapid.Float64Range(0.9, 1.2).Draw(rt, "by")
			part.at += rapid.Float64Range(-0.03, 0.03).Draw(rt, "at")
		}
		if kind.front {
			s.armSide, s.bothHands = "L", true
		}
		l := laboratory{
			yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw"), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"),
			from:   place{rapid.Float64Range(-5, 5).Draw(rt, "x"), 1, 0}, told: rapid.Bool().Draw(rt, "told"),
		}
		hand := map[bool]string{false: "right", true: "left"}[s.left]
		got := measureHand(t, kind.activity, kind.name, hand, l.record(s.person()))
		frame := 1 / s.rate
		var order [3]float64
		for i, c := range []struct {
			column string
			parts  []spin
		}{
			{"peak_pelvis_angular_velocity", []spin{s.pelvis}}, {"peak_trunk_angular_velocity", []spin{s.trunk}},
			{"peak_arm_angular_velocity", []spin{s.trunk, s.arm}},
		} {
			most, at := s.fastest(c.parts...)
			order[i] = at
			lower := map[bool]float64{true: 0.07, false: 0.03}[s.rate <= 120] // the low-pass lowers short peaks
			if v := number(got, c.column); !(math.Abs(v-most) <= lower*most) {
				code, message := why(got, c.column)
				rt.Errorf("%s of %s/%s is %v, want %.0f (%s %s)", c.column, kind.activity, kind.name, v, most, code,
					message)
			}
			if v := moment(got, c.column+"_frame"); !(math.Abs(v-at) <= 0.005+frame) {
				rt.Errorf("%s of %s/%s is at %v s, want %.3f", c.column, kind.activity, kind.name, v, at)
			}
		}
		ahead := 0.0
		for t := 1.0; t < 2; t += 0.001 {
			ahead = max(ahead, s.pelvis.angle(t)-s.trunk.angle(t))
		}
		if v := number(got, "max_x_factor"); !(math.Abs(v-ahead) < 1.5) {
			rt.Errorf("the separation is %v, want %.1f", v, ahead)
		}
		names := []string{"pelvis", "trunk", "arm"}
		sorted := []int{0, 1, 2}
		slices.SortFunc(sorted, func(a, b int) int { return int(math.Copysign(1, order[a]-order[b])) })
		if order[sorted[1]]-order[sorted[0]] > 3*frame && order[sorted[2]]-order[sorted[1]] > 3*frame {
			want := names[sorted[0]] + "-" + names[sorted[1]] + "-" + names[sorted[2]]
			if text := words(got, "kinematic_sequence_order"); text != want {
				rt.Errorf("the order is %q, want %q", text, want)
			}
		}
	})
}

func TestThePeakOfAThrowIsTheGreatestOfItsTime(t *testing.T) {
	lab := laboratory{up: 2, metres: 1, told: true}
	for name, of := range map[string][2]spin{
		"long after it": {{100, 1.85, 0.06}, {150, 2.7, 0.06}}, "before it": {{90, 1.85, 0.08}, {40, 0.4, 0.022}},
		"a smaller one after it": {{100, 1.85, 0.06}, {38, 2.06, 0.03}},
	} {
		s := throwerOf(250)
		s.pelvis, s.recoil = of[0], of[1]
		got := measureHand(t, "tennis", "forehand", "right", lab.record(s.person()))
		most, at := s.fastest(s.pelvis)
		if v := number(got, "peak_pelvis_angular_velocity"); !(math.Abs(v-most) < 0.05*most) {
			code, message := why(got, "peak_pelvis_angular_velocity")
			t.Errorf("%s: the pelvis turns with %v, want %.0f (%s %s)", name, v, most, code, message)
		}
		if v := moment(got, "peak_pelvis_angular_velocity_frame"); !(math.Abs(v-at) < 0.015) {
			t.Errorf("%s: the peak is at %v s, want %.3f", name, v, at)
		}
	}
	s := throwerOf(250)
	s.pelvis = spin{110, s.trunk.at, s.trunk.takes}
	if order := words(measureHand(t, "tennis", "forehand", "right", lab.record(s.person())),
		"kinematic_sequence_order"); order != "pelvis=trunk-arm" {
		t.Errorf("of pelvis and trunk at the same time the order is %q", order)
	}
}

// words is the text of a metric.
func words(c *frames.Computed, column string) string {
	for _, m := range c.Metrics {
		if m.Column == column && m.Text != nil {
			return *m.Text
		}
	}
	return ""
}

func TestAThrowThatCannotBeTrustedIsWithheldWithItsReason(t *testing.T) {
	lab := laboratory{up: 2, metres: 1, told: true}
	lost := func(name string, from, to float64) laboratory {
		l := lab
		l.lost = map[string][2]int{name: {int(from * 200), int(to * 200)}}
		return l
	}
	all := []string{"peak_hand_speed", "peak_pelvis_angular_velocity", "peak_trunk_angular_velocity",
		"peak_arm_angular_velocity", "kinematic_sequence_order", "max_x_factor"}
	separated := moment(measureHand(t, "tennis", "forehand", "right", lab.record(throwerOf(200).person())),
		"max_x_factor_frame")
	for name, c := range map[string]struct {
		pair, hand string
		change     func(*thrower)
		lab        laboratory
		code       string
		columns    []string
		stays      []string
	}{
		"no handedness":  {"tennis/forehand", "", nil, lab, movement.HandednessUnknown, all, nil},
		"both hands":     {"tennis/forehand", "both", nil, lab, movement.HandednessUnknown, all, nil},
		"the other hand": {"tennis/forehand", "left", nil, lab, movement.HandednessDisagrees, all, nil},
		"a swing backwards": {"golf/swing", "left", func(s *thrower) { s.armSide, s.bothHands = "L", true }, lab,
			movement.HandednessDisagrees, all, nil},
		"too few frames": {"tennis/forehand", "right", func(s *thrower) { s.rate = 40 }, lab, movement.RateTooLow,
			all, nil},
		"two throws": {"tennis/forehand", "right", func(s *thrower) { s.again, s.lasts = 3, 7 },
			lab, movement.SeveralRepetitions, all, nil},
		"nobody moves": {"tennis/forehand", "right", func(s *thrower) {
			s.back, s.pelvis, s.trunk, s.arm = spin{0, 1, 1}, spin{0, 1, 1}, spin{0, 1, 1}, spin{0, 1, 1}
		}, lab, movement.NoRepetition, all, nil},
		"it ends too early": {"tennis/forehand", "right", func(s *thrower) { s.lasts = 2 }, lab,
			movement.EventMissing, all, nil},
		"the wrist is lost": {"tennis/forehand", "right", nil, lost("RWrist", 1.9, 2.1), movement.GapAtEvent, all,
			nil},
		"lost for a moment": {"tennis/forehand", "right", nil, lost("RWrist", 1.975, 2.0), movement.GapAtEvent, all,
			nil},
		"the shoulder is": {"tennis/forehand", "right", nil, lost("LShoulder", 1.8, 2.05), movement.GapAtEvent,
			all[2:3], all[:1]},
		"the pelvis is": {"tennis/forehand", "right", nil, lost("LHip", 1.85, 2.0), movement.GapAtEvent, all[1:2],
			slices.Concat(all[:1], all[2:4])},
		"pelvis for a moment": {"tennis/forehand", "right", nil, lost("LHip", 1.89, 1.91), movement.GapAtEvent,
			all[1:2], slices.Concat(all[:1], all[2:4])},
		"the elbow is": {"tennis/forehand", "right", nil, lost("RElbow", 1.85, 2.05), movement.GapAtEvent,
			all[3:4], all[:3]},
		"a slow pelvis": {"tennis/forehand", "right", func(s *thrower) { s.pelvis.by = 40 }, lab,
			movement.EventMissing, slices.Concat(all[1:2], all[4:5]), slices.Concat(all[:1], all[2:4])},
		"swapped sides": {"tennis/forehand", "left", func(s *thrower) { s.swapped = true },
			lab, movement.SidesSwapped, all, nil},
		"a slow pelvis back": {"tennis/forehand", "right",
			func(s *thrower) { s.pelvis.by, s.recoil = 33, spin{-60, 2.3, 0.12} }, lab, movement.EventMissing, all[1:2],
			all[2:4]},
		"lost before it": {"tennis/forehand", "right", nil, lost("LHip", 1.25, 1.45), movement.GapAtEvent, all[5:],
			all[:5:5][:4]},
		"lost when separated": {"tennis/forehand", "right", nil, lost("LHip", separated-0.01, separated+0.01),
			movement.GapAtEvent, all[5:], all[:1]},
		"it begins too late": {"tennis/forehand", "right", func(s *thrower) { s.late = 1.99 }, lab,
			movement.EventMissing, all, nil},
		"no wrist at all": {"tennis/forehand", "right", nil, lost("RWrist", 0, 4), movement.NoRepetition, all, nil},
		"no point there": {"tennis/forehand", "right", func(s *thrower) { s.lost = []string{"RElbow"} },
			lab, movement.LandmarkMissing, all[3:4], all[:3]},
		"no peak of a trunk": {"tennis/forehand", "right", nil, lost("LShoulder", 1.8, 2.05), movement.EventMissing,
			all[5:], all[:1]},
		"shoulder separated": {"tennis/forehand", "right", nil, lost("LShoulder", separated-0.01, separated+0.01),
			movement.GapAtEvent, all[5:], all[:1]},
		"leaning shoulders": {"tennis/forehand", "right", func(s *thrower) { s.lean = 75 }, lab, movement.NotUpright,
			all[2:3], nil},
	} {
		s := throwerOf(200)
		if c.change != nil {
			c.change(&s)
		}
		activity, kind, _ := strings.Cut(c.pair, "/")
		got := measureHand(t, activity, kind, c.hand, c.lab.record(s.person()))
		for _, column := range c.columns {
			if code, message := why(got, column); code != c.code {
				t.Errorf("%s: %s is withheld as %q, want %q: %s", name, column, code, c.code, message)
			}
		}
		for _, column := range c.stays {
			if v := number(got, column); v != v {
				code, message := why(got, column)
				t.Errorf("%s: %s is withheld too: %s %s", name, column, code, message)
			}
		}
	}
}
