package movement_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
)

// bending is a file of joint angles alone: what it calls them, and the angle at a time in s.
type bending struct {
	names []string
	unit  string
	rate  float64
	at    func(t float64) float64
	lost  [2]int // frames without a number
}

func (b bending) measure(t *testing.T, name string) *frames.Computed {
	t.Helper()
	rec := &motion.Recording{Frames: int(6 * b.rate), Rate: b.rate, Unit: "m", Metres: 1}
	for _, called := range b.names {
		c := record.Channel{Name: called, Unit: b.unit, Rate: b.rate, PerFrame: 1}
		for i := range rec.Frames {
			v := float32(b.at(float64(i) / b.rate))
			if i >= b.lost[0] && i < b.lost[1] {
				v = float32(math.NaN())
			}
			c.Values = append(c.Values, v)
		}
		if b.unit == "deg" {
			rec.Angles = append(rec.Angles, c)
		} else {
			rec.Analogs = append(rec.Analogs, c) // angles of a recording are in degrees
		}
	}
	return measureBoth(t, "range_of_motion", name, tables(t, motion.TRC, rec.Frames, points{rec}))
}

// sweep is 10 at rest, goes up to 90 and down to -20, and back, each held for a while.
func sweep(t float64) float64 {
	bump := func(from float64) float64 {
		s := math.Max(0, math.Min(1, (t-from)/0.6)) - math.Max(0, math.Min(1, (t-from-1.2)/0.6))
		return s * s * (3 - 2*s)
	}
	return 10 + 80*bump(1) - 30*bump(3.5)
}

func TestARangeOfMotionIsReadFromAnAngleThatIsCalledAfterIt(t *testing.T) {
	for called, c := range map[string]struct{ movement, prefix string }{
		"cervical_rotation":        {"cervical_rotation", ""},
		"T-Spine rotation":         {"t_spine_rotation", ""},
		"left_shoulder_flexion":    {"shoulder_flexion", "left_"},
		"arm_flex_r":               {"sfma_shoulder_flexion", "right_"},
		"Shoulder extension L":     {"sfma_shoulder_extension", "left_"},
		"arm_rot_l":                {"shoulder_9090", "left_"},
		"ankle_angle_r":            {"ankle_flexion", "right_"},
		"Right ankle dorsiflexion": {"ankle_flexion", "right_"},
	} {
		for unit, factor := range map[string]float64{"deg": 1, "rad": math.Pi / 180} {
			// Across ±180 the numbers jump by a whole turn.
			at := func(t float64) float64 {
				v := sweep(t) + 150
				return factor * (v - 360*math.Round(v/360))
			}
			got := bending{names: []string{called}, unit: unit, rate: 100, at: at}.measure(t, c.movement)
			for end, want := range map[string]float64{"max": 240, "min": 130, "range": 110} {
				column := c.prefix + c.movement + "_angle_" + end
				if v := number(got, column); !(math.Abs(v-want) < 0.5) {
					code, message := why(got, column)
					t.Errorf("%s in %s: %s is %v, want %v (%s %s)", called, unit, column, v, want, code, message)
				}
			}
			complete(t, "range_of_motion", c.movement, got)
		}
	}
}

func TestAnAngleThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	good := bending{names: []string{"arm_flex_l"}, unit: "deg", rate: 100, at: sweep}
	of := func(change func(*bending)) bending {
		b := good
		change(&b)
		return b
	}
	for name, c := range map[string]struct {
		b    bending
		code string
	}{
		"whole":          {good, ""},
		"another name":   {of(func(b *bending) { b.names = []string{"elbow_flex_l"} }), movement.LandmarkMissing},
		"the other side": {of(func(b *bending) { b.names = []string{"arm_flex_r"} }), movement.LandmarkMissing},
		"no side":        {of(func(b *bending) { b.names = []string{"shoulder_flexion"} }), movement.SideUnknown},
		"two of a side": {of(func(b *bending) { b.names = []string{"arm_flex_l", "left_shoulder_flexion"} }),
			movement.SeveralPeople},
		"too few numbers":    {of(func(b *bending) { b.rate = 20 }), movement.RateTooLow},
		"no unit":            {of(func(b *bending) { b.unit = "" }), movement.UnitUnknown},
		"a gap at the peak":  {of(func(b *bending) { b.lost = [2]int{170, 176} }), ""},
		"a long gap":         {of(func(b *bending) { b.lost = [2]int{150, 200} }), movement.GapAtEvent},
		"it does not change": {of(func(b *bending) { b.at = func(float64) float64 { return 20 } }), ""},
	} {
		got := c.b.measure(t, "shoulder_flexion")
		if code, message := why(got, "left_shoulder_flexion_angle_max"); code != c.code {
			t.Errorf("%s: it is withheld as %q, want %q: %s", name, code, c.code, message)
		}
		complete(t, "range_of_motion", "shoulder_flexion", got)
	}
	still := of(func(b *bending) { b.at = func(float64) float64 { return 20 } }).measure(t, "shoulder_flexion")
	if code, _ := why(still, "left_shoulder_flexion_angle_range"); code != movement.Implausible {
		t.Errorf("the range of an arm at rest is withheld as %q", code)
	}
}

func TestARangeOfMotionIsFunctionalFromItsThresholdOn(t *testing.T) {
	l := laboratory{metres: 1, up: 2, told: true}
	for _, c := range []struct {
		movement, flag string
		u              turning
		want           float64
	}{
		{"cervical_rotation", "cervical_rotation_left_functional", turning{rate: 100, head: [2]float64{47, 43}}, 1},
		{"cervical_rotation", "cervical_rotation_right_functional", turning{rate: 100, head: [2]float64{47, 43}}, 0},
		{"shoulder_flexion", "left_shoulder_flexion_functional", turning{rate: 100, raise: 167}, 1},
		{"shoulder_flexion", "left_shoulder_flexion_functional", turning{rate: 100, raise: 163}, 0},
	} {
		got := measurePoints(t, "range_of_motion", c.movement, l.record(c.u.person()))
		if v := number(got, c.flag); v != c.want {
			code, message := why(got, c.flag)
			t.Errorf("%s of %+v is %v, want %v (%s %s)", c.flag, c.u, v, c.want, code, message)
		}
	}
	got := measurePoints(t, "range_of_motion", "shoulder_flexion", l.record(turning{rate: 100, raise: 167}.person()))
	if code, _ := why(got, "right_shoulder_flexion_functional"); code != movement.Implausible {
		t.Errorf("of an arm that hangs the flag is withheld as %q", code)
	}
}
