package movement_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// sample is a recording in which a movement is found.
type sample struct {
	activity, name string
	person         person
	lab            laboratory
}

// samples are one of each way in which movements are found by points.
func samples() map[string]sample {
	told := laboratory{up: 2, metres: 1, told: true}
	hop := hopping{rate: 200, flight: 0.5, toes: 0.1, far: 1.4}
	up := hop
	up.far = 0
	turns := turning{rate: 100, head: [2]float64{60, 60}, shoulders: [2]float64{20, 20}, pelvis: [2]float64{5, 5},
		raise: 150, bend: 20}
	shot := shooterOf(200, 0.5)
	throw, swing := pitching(step{0.3, 0.8, 1.7}), throwerOf(200)
	swing.armSide, swing.bothHands = "L", true
	return map[string]sample{
		"a squat":         {"squat", "bodyweight", squatting{rate: 100, leg: 0.9, depth: 0.4}.person(), told},
		"a lunge":         {"lunge", "forward", squatting{rate: 100, leg: 0.9, depth: 0.4}.person(), told},
		"a jump":          {"jump", "countermovement", up.person(), told},
		"a jump forwards": {"jump", "broad", hop.person(), told},
		"a hop forwards":  {"jump", "single_leg_broad", hop.hop(true, 0.2), told},
		"a cut": {"agility", "cutting",
			runner{rate: 100, lasts: 6, before: 5, after: 4, angle: 90, takes: 0.15}.person(), told},
		"a plank":           {"stability", "plank", planking{from: 2, to: 12, rise: 15}.person(), told},
		"a reach":           {"stability", "y_balance_lower_quarter", reacher{far: 0.6}.person(), told},
		"a reach of a hand": {"stability", "y_balance_upper_quarter", propped{far: 0.5}.person(), told},
		"a rotation":        {"stability", "rotary", kneeling{arm: -1, leg: 1, times: 2, stretch: 0.4}.person(), told},
		"a head":            {"range_of_motion", "cervical_rotation", turns.person(), told},
		"a trunk":           {"range_of_motion", "t_spine_rotation", turns.person(), told},
		"an arm":            {"range_of_motion", "shoulder_flexion", turns.person(), told},
		"a foot":            {"range_of_motion", "ankle_flexion", turns.person(), told},
		"a throw":           {"baseball", "pitching", throw.person(), told},
		"a swing":           {"golf", "swing", swing.person(), told},
		"a serve":           {"tennis", "overhand_serve", throwerOf(200).person(), told},
		"a shot":            {"basketball", "jump_shot", shot.person(), told},
		"a layup":           {"basketball", "layup", shot.person(), told},
		"a free throw":      {"basketball", "free_throw", shooterOf(200, 0).person(), told},
	}
}

func (s sample) measure(t *testing.T, change func(*movement.Recording)) *frames.Computed {
	t.Helper()
	rec := s.lab.record(s.person)
	r := tables(t, motion.TRC, rec.Frames, points{rec})
	r.Handedness = "right"
	if change != nil {
		change(r)
	}
	got := measureBoth(t, s.activity, s.name, r)
	complete(t, s.activity, s.name, got)
	return got
}

// wantNoneOther wants of what is given that it was given before as it is now, and that no computation failed.
func wantNoneOther(t *testing.T, what string, got, before *frames.Computed) {
	t.Helper()
	for _, w := range got.Withheld {
		if w.Code == movement.Failed {
			t.Errorf("%s: %s: %s", what, w.Column, w.Message)
		}
	}
	for _, m := range got.Metrics {
		if !slices.ContainsFunc(before.Metrics, func(b frames.ComputedMetric) bool { return reflect.DeepEqual(m, b) }) {
			t.Errorf("%s: %s is %v, which it is not with all points", what, m.Column, number(got, m.Column))
		}
	}
	for _, e := range got.Events {
		if !slices.Contains(before.Events, e) {
			t.Errorf("%s: %s is at %v s, where it is not with all points", what, e.Column, e.Time)
		}
	}
}

func TestAPointThatIsNotThereTakesWhatNeedsItAndChangesNothingElse(t *testing.T) {
	testkit.Long(t)
	for what, s := range samples() {
		t.Run(what, func(t *testing.T) {
			before := s.measure(t, nil)
			if len(before.Metrics) == 0 {
				t.Fatalf("nothing is found: %v", before.Withheld)
			}
			for n, name := range s.person.names {
				_, base, side := upright(name)
				gone, hidden := s, s
				gone.person.names = without(s.person.names, name)
				if name == "Hip" { // else it is the middle of the others
					gone.person.names = without(s.person.names, "Hip", "LHip", "RHip")
				}
				wantNoneOther(t, "without "+name, gone.measure(t, nil), before)
				if hidden.lab.lost = map[string][2]int{name: {0, s.person.frames}}; side <= 0 || n%2 == 0 {
					wantNoneOther(t, "with a hidden "+name, hidden.measure(t, nil), before)
				}
				if gone.person.names = without(s.person.names, "L"+base, "R"+base); side > 0 {
					wantNoneOther(t, "without the "+base+" of either side", gone.measure(t, nil), before)
				}
			}
			for _, kept := range [][]string{{"Hip", "Knee", "Ankle", "Heel", "BigToe", "SmallToe"},
				{"Neck", "Head", "Shoulder", "Elbow", "Wrist", "Ear"}} { // as where only legs or trunk are filmed
				part := s
				part.person.names = slices.DeleteFunc(slices.Clone(s.person.names), func(name string) bool {
					_, base, _ := upright(name)
					return !slices.Contains(kept, base)
				})
				wantNoneOther(t, "of "+strings.Join(kept, ", "), part.measure(t, nil), before)
			}
		})
	}
}

func TestNothingIsFoundByPointsOfARecordingOfWhichTooLittleIsKnown(t *testing.T) {
	changes := map[string]struct {
		change func(*movement.Recording)
		code   string
	}{
		"without a rate":     {func(r *movement.Recording) { r.Info.Rate = nil }, movement.RateTooLow},
		"with uneven frames": {func(r *movement.Recording) { r.Info.Even = false }, movement.UnevenFrames},
		"without a unit":     {func(r *movement.Recording) { r.Info.Metres = 0 }, movement.UnitUnknown},
		"of a day":           {func(r *movement.Recording) { r.Info.Frames = 24 * 3600 * 200 }, movement.TooLong},
		"by no known point": {func(r *movement.Recording) {
			for i := range r.Info.Channels {
				r.Info.Channels[i].Name = "x" + r.Info.Channels[i].Name
			}
		}, movement.LandmarkMissing},
	}
	for what, s := range samples() {
		for how, c := range changes {
			got := s.measure(t, c.change)
			if len(got.Metrics)+len(got.Events) > 0 {
				t.Errorf("%s %s has %v and %v", what, how, got.Events, got.Metrics)
			}
			for _, w := range got.Withheld {
				if w.Code != c.code && w.Code != movement.NoForcePlate && !strings.Contains(w.Column, "_angle_") {
					t.Errorf("%s %s: %s is withheld for %s: %s", what, how, w.Column, w.Code, w.Message)
				}
			}
		}
		s.lab.told = false
		for _, w := range s.measure(t, nil).Withheld {
			if w.Code == movement.Failed {
				t.Errorf("%s in a laboratory of which nothing tells what is up: %s: %s", what, w.Column, w.Message)
			}
		}
	}
}

func TestAGapAnywhereNeverBringsAComputationDown(t *testing.T) {
	testkit.Long(t)
	for what, s := range samples() {
		t.Run(what, func(t *testing.T) {
			for n, name := range s.person.names {
				from := n * 7919 % s.person.frames
				s.lab.lost = map[string][2]int{name: {from, min(s.person.frames, from+3+37*(n%4))}}
				for _, w := range s.measure(t, nil).Withheld {
					if w.Code == movement.Failed {
						t.Errorf("%s is missing from frame %d on: %s: %s", name, from, w.Column, w.Message)
					}
				}
			}
		})
	}
}
