package movement_test

import (
	"math"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// shooter raises the hand over the shoulder at a moment, out of a jump or not.
type shooter struct {
	hopping        // who jumps, where flight is not 0
	release, takes float64
	left           bool
	guide          float64 // how much of it the other hand does
	again          float64 // s later
	lower          float64 // m, of the whole movement of the hand
	crouches       float64 // m forwards, that the knees go before it
	lasts, late    float64
	lost           []string // points that are not there
	swapped        bool     // left and right are exchanged in the names
}

func shooterOf(rate, flight float64) shooter {
	s := shooter{hopping: hopping{rate: rate, flight: flight, toes: 0.1}, release: 1.9, takes: 0.06, lasts: 5}
	if flight == 0 {
		s.toes = 0
	}
	return s
}

// lift is how far the wrist is above the shoulder.
func (s shooter) lift(t float64) float64 {
	up := rises(t, s.release, s.takes) - rises(t, s.release+1, 0.2)
	if s.again > 0 {
		up += rises(t, s.release+s.again, s.takes)
	}
	return -0.3 + 0.8*up - s.lower
}

func (s shooter) person() person {
	return handed{s.rate, s.lasts, s.late, s.left, s.swapped, s.lost}.person(s.at)
}

// at is where a point of a right-hander is.
func (s shooter) at(name string, t float64) place {
	p, base, side := upright(name)
	var pelvis, feet float64
	if s.flight > 0 {
		pelvis, feet, _ = s.pelvis(t)
	}
	share := s.guide
	if side < 0 {
		share = 1
	}
	switch base {
	case "Wrist":
		p[0], p[2] = 0.25, 1.45-0.3+(s.lift(t)+0.3)*share
	case "Elbow":
		p[0], p[2] = 0.12, 1.45-0.1+0.2*(s.lift(t)+0.3)*share
	case "Knee":
		p[0] += s.crouches * math.Exp(-(t-1.4)*(t-1.4)/0.08)
	}
	if p[2] > 0.5 {
		p[2] += pelvis
	} else {
		p[2] += feet
	}
	p[1] = 0.15 * side
	return p
}

func TestAShotIsFoundByTheWristInEveryLaboratoryAndOfEitherHand(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		name := rapid.SampledFrom([]string{"free_throw", "jump_shot", "layup"}).Draw(rt, "kind")
		flight := 0.0
		if name != "free_throw" {
			flight = draw("flight", 0.4, 0.65)
		}
		s := shooterOf(rapid.SampledFrom([]float64{100, 250}).Draw(rt, "rate"), flight)
		s.release, s.takes, s.left, s.crouches = draw("release", 1.7, 1.85), draw("takes", 0.05, 0.07),
			rapid.Bool().Draw(rt, "left"), draw("crouches", 0.1, 0.3)
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told"),
			from: place{1, 2, draw("floor", -1, 1)}}
		hand := map[bool]string{false: "right", true: "left"}[s.left]
		got := measureHand(t, "basketball", name, hand, l.record(s.person()))
		near := func(column string, v, want, most float64) {
			if !(math.Abs(v-want) <= most) {
				code, message := why(got, column)
				rt.Errorf("%s of a %s is %v, want %.3f (%s %s)", column, name, v, want, code, message)
			}
		}
		at := moment(got, "release_frame")
		near("release_frame", at, s.release, 0.025+1/s.rate)
		if at != at {
			return
		}
		wrist, elbow, shoulder := s.at("RWrist", at), s.at("RElbow", at), s.at("RShoulder", at)
		before, after := s.at("RWrist", at-0.001), s.at("RWrist", at+0.001)
		speed := math.Hypot(after[0]-before[0], after[2]-before[2]) / 0.002
		near("wrist_speed_at_release", number(got, "wrist_speed_at_release"), speed, 0.06*speed)
		near("wrist_height_at_release", number(got, "wrist_height_at_release"), wrist[2]-0.02, 0.03)
		near("elbow_flexion_at_release", number(got, "elbow_flexion_at_release"), 180-between(shoulder, elbow, wrist),
			6)
		most := 0.0
		for k := 0.4; k < at; k += 0.005 {
			most = max(most, 180-between(s.at("RHip", k), s.at("RKnee", k), s.at("RAnkle", k)))
		}
		for _, side := range []string{"left", "right"} {
			near("peak_knee_flexion_"+side, number(got, "peak_knee_flexion_"+side), most, 3)
		}
		if flight > 0 {
			near("jump_apex_frame", moment(got, "jump_apex_frame"), leaves+flight/2, 0.02)
			near("time_from_release_to_apex", number(got, "time_from_release_to_apex"), leaves+flight/2-s.release, 0.04)
			near("jump_height_standing", number(got, "jump_height_standing"), 0.1+9.80665*flight*flight/8, 0.01)
		}
		complete(t, "basketball", name, got)
	})
}

func TestAShotThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	lost := func(name string, from, to float64) map[string][2]int {
		return map[string][2]int{name: {int(from * 200), int(to * 200)}}
	}
	all := []string{"release_frame", "wrist_speed_at_release", "wrist_height_at_release", "elbow_flexion_at_release",
		"peak_knee_flexion_right"}
	jump := []string{"jump_apex_frame", "time_from_release_to_apex"}
	standing := []string{"jump_height_standing"}
	for name, c := range map[string]struct {
		kind, hand string
		change     func(*shooter)
		lost       map[string][2]int
		code       string
		columns    []string
		kept       string
	}{
		"no handedness":  {"free_throw", "", nil, nil, movement.HandednessUnknown, all, ""},
		"the other hand": {"free_throw", "left", nil, nil, movement.NoRepetition, all, ""},
		"the other is faster": {"free_throw", "left", func(s *shooter) { s.guide, s.lower = 0.8, -0.1 }, nil,
			movement.HandednessDisagrees, all, ""},
		"both hands": {"free_throw", "left", func(s *shooter) { s.guide, s.lower = 0.95, -0.1 }, nil, "",
			all, "wrist_speed_at_release"},
		"too few frames": {"free_throw", "right", func(s *shooter) { s.rate = 40 }, nil, movement.RateTooLow,
			all, ""},
		"slow": {"free_throw", "right", func(s *shooter) { s.takes = 0.3 }, nil,
			movement.NoRepetition, all, ""},
		"below the shoulder": {"free_throw", "right", func(s *shooter) { s.lower = 0.55 }, nil,
			movement.NoRepetition, all, ""},
		"twice": {"free_throw", "right", func(s *shooter) { s.again = 2 },
			nil, movement.SeveralRepetitions, all, ""},
		"it ends too early": {"free_throw", "right", func(s *shooter) { s.lasts = 1.9 }, nil,
			movement.EventMissing, all, ""},
		"the wrist is lost": {"free_throw", "right", nil, lost("RWrist", 1.6, 1.8), movement.GapAtEvent, all, ""},
		"lost for a moment": {"free_throw", "right", nil, lost("RWrist", 1.895, 1.905), movement.GapAtEvent, all,
			""},
		"the elbow is lost": {"free_throw", "right", nil, lost("RElbow", 1.89, 1.91), movement.GapAtEvent,
			all[3:4], "wrist_height_at_release"},
		"the shoulder is": {"free_throw", "right", nil, lost("RShoulder", 1.89, 1.91), movement.GapAtEvent,
			all[3:4], "wrist_height_at_release"},
		"the toes are": {"free_throw", "right", nil, lost("RBigToe", 0, 5), "", all,
			"wrist_height_at_release"},
		"it begins too late": {"free_throw", "right", func(s *shooter) { s.late = 1.9 }, nil, movement.EventMissing,
			all, ""},
		"no wrist at all": {"free_throw", "right", nil, lost("RWrist", 0, 5), movement.NoRepetition, all, ""},
		"no elbow there": {"free_throw", "right", func(s *shooter) { s.lost = []string{"RElbow"} }, nil,
			movement.LandmarkMissing, all[3:4], "wrist_height_at_release"},
		"no toe there": {"free_throw", "right",
			func(s *shooter) { s.lost = []string{"RBigToe", "RSmallToe"} }, nil, movement.LandmarkMissing, all[2:3],
			"wrist_speed_at_release"},
		"both toes are lost": {"free_throw", "right", nil,
			map[string][2]int{"RBigToe": {0, 1000}, "LBigToe": {0, 1000}}, movement.GapAtEvent, all[2:3],
			"wrist_speed_at_release"},
		"no pelvis there": {"jump_shot", "right", func(s *shooter) { s.lost = []string{"Hip", "LHip"} }, nil,
			movement.LandmarkMissing, jump, "wrist_speed_at_release"},
		"it ends at the top": {"jump_shot", "right", func(s *shooter) { s.release, s.lasts = 1.8, 1.89 },
			nil, movement.NoFlight, jump, "wrist_speed_at_release"},
		"it begins at the top": {"jump_shot", "right", func(s *shooter) { s.release, s.late = 2, 1.82 }, nil,
			movement.NoFlight, jump, "wrist_speed_at_release"},
		"a knee is": {"free_throw", "right", nil, lost("RKnee", 1, 1.2), movement.GapAtEvent, all[4:],
			"peak_knee_flexion_left"},
		"swapped sides": {"free_throw", "left", func(s *shooter) { s.swapped = true }, nil,
			movement.SidesSwapped, all, ""},
		"no jump": {"jump_shot", "right", func(s *shooter) { s.flight, s.toes = 0, 0 }, nil,
			movement.NoFlight, jump, "wrist_speed_at_release"},
		"a jump before it": {"jump_shot", "right", func(s *shooter) { s.release = 3.4 }, nil,
			movement.EventMissing, standing, "wrist_speed_at_release"},
		"a jump of a layup": {"layup", "right", func(s *shooter) { s.release = 3.4 }, nil, movement.EventMissing,
			standing, "wrist_speed_at_release"},
		"the pelvis is lost": {"jump_shot", "right", nil, lost("Hip", 2.1, 2.3), movement.GapAtEvent, jump,
			"wrist_speed_at_release"},
		"lost at the top": {"jump_shot", "right", nil, lost("Hip", 1.845, 1.855), movement.GapAtEvent, jump,
			"wrist_speed_at_release"},
		"highest on the ground": {"jump_shot", "right", func(s *shooter) { s.release = 2.75 }, nil,
			movement.NotInFreeFall, jump, "wrist_speed_at_release"},
		"nobody stands before": {"layup", "right", func(s *shooter) { s.unrest = 0.1 }, nil, movement.NoQuietStanding,
			standing, "time_from_release_to_apex"},
		"no force of a jump": {"jump_shot", "right", nil, nil, movement.NoForcePlate,
			[]string{"jump_height", "takeoff_velocity"}, "jump_height_standing"},
		"a whole shot of a jump": {"jump_shot", "right", nil, nil, "", slices.Concat(all, jump, standing), ""},
	} {
		s := shooterOf(200, map[bool]float64{true: 0, false: 0.5}[c.kind == "free_throw"])
		if c.change != nil {
			c.change(&s)
		}
		got := measureHand(t, "basketball", c.kind, c.hand,
			laboratory{up: 2, metres: 1, told: true, lost: c.lost}.record(s.person()))
		wantWithheld(t, name, got, c.code, c.columns, c.kept)
	}
}

func TestAShotOutOfAJumpHasTheHeightOfItsForceWhereTheReleaseIsInIt(t *testing.T) {
	l := leap{weight: 700, standing: 1.2, rate: 1000}
	force, height, off := l.force()
	for name, c := range map[string]struct {
		release float64
		open    bool // the force ends in the air
		code    string
	}{
		"in the jump":                      {float64(off)/1000 + 0.2, false, ""},
		"long before it":                   {0.9, false, movement.EventMissing},
		"soon after it":                    {float64(off)/1000 + 1, false, movement.EventMissing},
		"long after it":                    {3.4, false, movement.EventMissing},
		"in a jump without a landing":      {float64(off)/1000 + 0.2, true, ""},
		"long after one without a landing": {3.4, true, movement.EventMissing},
	} {
		s := shooterOf(100, 0)
		s.release = c.release
		rec := laboratory{up: 2, metres: 1, told: true}.record(leaps(s.person(), height, float64(off)/1000))
		channel := record.Channel{Name: "Fz", Unit: "N", Rate: 1000, PerFrame: 10}
		for i := range rec.Frames * 10 {
			last := len(force) - 1
			if c.open {
				last = off + 200
			}
			channel.Values = append(channel.Values, float32(force[min(i, last)]))
		}
		rec.Analogs = append(rec.Analogs, channel)
		r := tables(t, motion.C3D, rec.Frames, points{rec})
		r.Handedness = "right"
		got := measureBoth(t, "basketball", "jump_shot", r)
		code, message := why(got, "jump_height")
		if v := number(got, "jump_height_impulse"); code != c.code || c.code == "" && !(math.Abs(v-height) < 0.003) {
			t.Errorf("%s: the height is %v m, want %.4f (%s %s)", name, v, height, code, message)
		}
		columns := []string{"takeoff_velocity", "jumps_detected", "takeoff_frame"}
		if !c.open {
			columns = append(columns, "jump_flight_time")
		}
		for _, column := range columns {
			if code, _ := why(got, column); code != c.code {
				t.Errorf("%s: %s is withheld as %q, want %q", name, column, code, c.code)
			}
		}
		if v := number(got, "wrist_speed_at_release"); v != v {
			t.Errorf("%s: the shot is withheld too", name)
		}
		complete(t, "basketball", "jump_shot", got)
	}
}
