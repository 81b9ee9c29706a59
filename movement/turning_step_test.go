package movement_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// pitching is somebody who steps ahead and throws.
func pitching(s step) thrower {
	p := throwerOf(250)
	p.step = s
	return p
}

func TestAStepIsFoundWhereTheFrontFootComesDown(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := pitching(step{rapid.Float64Range(0.15, 0.4).Draw(rt, "lift"),
			rapid.Float64Range(0.5, 1.2).Draw(rt, "length"), rapid.Float64Range(1.5, 1.9).Draw(rt, "down")})
		p.left = rapid.Bool().Draw(rt, "left")
		l := laboratory{yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw"), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: 0.001, told: true}
		hand := map[bool]string{false: "right", true: "left"}[p.left]
		got := measureHand(t, "baseball", "pitching", hand, l.record(p.person()))
		if at := moment(got, "foot_contact_frame"); !(math.Abs(at-p.step.down) <= 0.05) {
			code, message := why(got, "foot_contact_frame")
			rt.Errorf("the foot comes down at %v s, want %.3f (%s %s)", at, p.step.down, code, message)
		}
		// From when the ankle is highest, half of the way; the rear ankle stays 0.24 m beside.
		if v, want := number(got, "stride_length"), math.Hypot(p.step.length, 0.24); !(math.Abs(v-want) < 0.01) {
			rt.Errorf("the stride is %v m, want %.3f", v, want)
		}
		if v, want := number(got, "time_from_foot_contact_to_release"),
			moment(got, "release_frame")-moment(got, "foot_contact_frame"); !(math.Abs(v-want) < 1e-9) {
			rt.Errorf("the time from contact to release is %v s, want %v", v, want)
		}
	})
}

func TestAStepThatWasNotSeenIsWithheldAndTheThrowStays(t *testing.T) {
	good := step{0.3, 0.9, 1.7}
	lost := func(name string, from, to float64) map[string][2]int {
		return map[string][2]int{name: {int(from * 250), int(to * 250)}}
	}
	contact := moment(measureHand(t, "baseball", "pitching", "right",
		laboratory{up: 2, metres: 1, told: true}.record(pitching(good).person())), "foot_contact_frame")
	for name, c := range map[string]struct {
		step step
		lost map[string][2]int
		code string
		of   []string
	}{
		"no step": {step{}, nil, movement.EventMissing,
			[]string{"foot_contact_frame", "stride_length"}},
		"a foot that slides": {step{0.03, 0.9, 1.7}, nil, movement.EventMissing,
			[]string{"foot_contact_frame", "stride_length"}},
		"a lost foot": {good, lost("LAnkle", 1.4, 1.7), movement.GapAtEvent,
			[]string{"foot_contact_frame", "stride_length"}},
		"lost at the ground": {good, lost("LAnkle", contact-0.01, contact+0.01), movement.GapAtEvent,
			[]string{"foot_contact_frame", "stride_length"}},
		"the rear foot lost for a moment": {good, lost("RAnkle", 1.392, 1.408), movement.GapAtEvent,
			[]string{"stride_length"}},
		"the rear foot lost": {good, lost("RAnkle", 1.2, 1.6), movement.GapAtEvent,
			[]string{"stride_length"}},
	} {
		l := laboratory{up: 2, metres: 1, told: true, lost: c.lost}
		got := measureHand(t, "baseball", "pitching", "right", l.record(pitching(c.step).person()))
		for _, column := range c.of {
			if code, message := why(got, column); code != c.code {
				t.Errorf("%s: %s is withheld as %q, want %q: %s", name, column, code, c.code, message)
			}
		}
		if v := moment(got, "foot_contact_frame"); len(c.of) == 1 && v != v {
			t.Errorf("%s: the contact is withheld too", name)
		}
		if v := moment(got, "release_frame"); v != v {
			t.Errorf("%s: the release is withheld too", name)
		}
	}
	p := pitching(good)
	p.lost = []string{"RAnkle"}
	got := measureHand(t, "baseball", "pitching", "right", laboratory{up: 2, metres: 1, told: true}.record(p.person()))
	if code, _ := why(got, "stride_length"); code != movement.LandmarkMissing ||
		moment(got, "foot_contact_frame") != moment(got, "foot_contact_frame") {
		t.Errorf("without the rear ankle the stride is withheld as %q, and the contact is at %v s", code,
			moment(got, "foot_contact_frame"))
	}
}
