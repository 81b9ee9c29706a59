package movement_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// bends is somebody who squats as OpenSim tells of it: the height of the pelvis in m, and the angles of the knees.
func bends(from, to int) recording {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5}
	r := recording{rate: 100, names: []string{"pelvis_ty", "knee_angle_l", "knee_angle_r"},
		units: []string{"m", "deg", "deg"}, force: make([][]float64, 3)}
	for i := from; i < to; i++ {
		down := s.down(float64(i) / 100)
		r.force[0] = append(r.force[0], 1-0.5*down)
		r.force[1], r.force[2] = append(r.force[1], 80*down), append(r.force[2], -90*down)
	}
	return r
}

func TestASquatByAnglesThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	all := []string{"squat_depth", "squat_bottom_frame", "peak_knee_flexion_left"}
	left, right := []string{"peak_knee_flexion_left"}, "peak_knee_flexion_right"
	with := func(change func(*recording)) recording {
		r := bends(0, 900)
		change(&r)
		return r
	}
	for what, c := range map[string]struct {
		rec     recording
		change  func(*frames.Info)
		code    string
		columns []string
		kept    string
	}{
		"whole": {bends(0, 900), nil, "", all, right},
		"no joints": {bends(0, 900), nil, movement.LandmarkMissing,
			[]string{"hip_below_knee", "left_knee_valgus_at_bottom"}, "squat_depth"},
		"a lost pelvis": {with(func(r *recording) { r.force[0][400] = math.NaN() }), nil, movement.GapAtEvent, all,
			""},
		"uneven frames": {bends(0, 900), func(i *frames.Info) { i.Even = false }, movement.UnevenFrames, all,
			""},
		"begun on the way down": {bends(133, 400), nil, movement.GapAtEvent, all, "repetitions"},
		"a lost knee": {with(func(r *recording) { r.force[1][200] = math.NaN() }), nil, movement.GapAtEvent, left,
			right},
		"no angle of a knee": {with(func(r *recording) { r.names[1] = "knee" }), nil, movement.LandmarkMissing, left,
			right},
		"an angle in radians": {with(func(r *recording) { r.units[1] = "rad" }), nil, movement.UnitUnknown, left,
			right},
		"an angle at other times": {bends(0, 900), func(i *frames.Info) { i.Channel("knee_angle_l").PerFrame = 2 },
			movement.RateTooLow, left, right},
		"a knee that bends either way": {with(func(r *recording) {
			for i := range r.force[1] {
				r.force[1][i] = 60 * math.Sin(float64(i)/40)
			}
		}), nil, movement.AngleSignUnknown, left, right},
	} {
		r := tables(t, motion.STO, len(c.rec.force[0]), c.rec)
		if c.change != nil {
			c.change(&r.Info)
		}
		for _, name := range []string{"squat/bodyweight", "lunge/forward"} {
			columns, kept := c.columns, c.kept
			activity, movement, _ := strings.Cut(name, "/")
			if activity == "lunge" {
				columns, kept = slices.Clone(columns), strings.Replace(kept, "squat", "lunge", 1)
				for i := range columns {
					columns[i] = strings.NewReplacer("squat_depth", "lunge_depth", "squat", "lunge_forward",
						"hip_below_knee", "stance_length").Replace(columns[i])
				}
			}
			got := measureBoth(t, activity, movement, r)
			wantWithheld(t, what+", "+name, got, c.code, columns, kept)
			complete(t, activity, movement, got)
		}
	}
}

func TestAJumpThatIsCutIsWithheldAsFarAsItIsNotThere(t *testing.T) {
	l := leap{weight: 700, standing: 1.2, rate: 1000}
	force, _, _ := l.force()
	got := alone(1000, force[1500:]).measure(t, "countermovement")
	if code, message := why(got, "jump_height_impulse"); code != movement.NoQuietStanding ||
		!strings.Contains(message, "The contact before the peak of the force lasts") {
		t.Errorf("of one that begins before the peak the height is withheld for %s: %s", code, message)
	}
	l.drop = true
	force, _, off := l.force()
	beside := slices.Concat(force[:off], make([]float64, 1500), slices.Repeat([]float64{700}, 1500))
	got = alone(1000, beside).measure(t, "drop_vertical")
	wantWithheld(t, "a drop that ends beside the platform", got, movement.NoLanding,
		[]string{"reactive_strength_index", "reactive_strength_ratio", "jump_height", "peak_landing_force"},
		"contact_time")
}

func TestPlatformsWhoseChannelsDoNotFitTogetherAreNotComputedWith(t *testing.T) {
	_, left, right := halves()
	first := func(r *movement.Recording) *frames.Channel { return r.Info.Channel(r.Info.Plates[0].Channels[0]) }
	for what, c := range map[string]struct {
		change func(*movement.Recording)
		code   string
	}{
		"as they are":                 {func(*movement.Recording) {}, ""},
		"a channel that is not there": {func(r *movement.Recording) { first(r).Name = "gone" }, movement.Failed},
		"a channel of two columns": {func(r *movement.Recording) {
			first(r).Columns = slices.Repeat(first(r).Columns, 2)
		}, movement.Failed},
		"a channel of another rate": {func(r *movement.Recording) { first(r).PerFrame = 2 }, movement.RateTooLow},
		"no rate":                   {func(r *movement.Recording) { r.Info.Rate = nil }, movement.RateTooLow},
		"uneven frames":             {func(r *movement.Recording) { r.Info.Even = false }, movement.UnevenFrames},
		"a day":                     {func(r *movement.Recording) { r.Info.Frames = 86_400_000 }, movement.TooLong},
	} {
		rec := borne(rand.New(rand.NewPCG(7, 8)), 1000, left, right)
		r := tables(t, motion.C3D, rec.Frames, forces{rec})
		c.change(r)
		got := measureBoth(t, "jump", "countermovement", r)
		code, message := why(got, "body_weight")
		if code != c.code || code != "" && len(got.Metrics) > 0 {
			t.Errorf("%s: withheld for %q: %s; %v", what, code, message, got.Metrics)
		}
	}
	_, height, off := leap{weight: 700, standing: 1.2, rate: 1000}.force()
	rec := onPlates(stood{height: height, takeoff: float64(off) / 1000}.person(4), 1, left, right)
	for _, at := range rec.Plates[1].Channels {
		c := &rec.Analogs[at]
		for i := range c.Values[:len(c.Values)/2] {
			c.Values[i] = c.Values[2*i]
		}
		c.Values, c.PerFrame, c.Rate = c.Values[:len(c.Values)/2], 5, 500
	}
	nothingFor(t, "platforms of two rates", jumped(t, "countermovement", rec), movement.RateTooLow, "different rates")
}

func TestAStanceOnAPlatformThatCannotBeComputedWithIsWithheld(t *testing.T) {
	still := make([]float64, 12*1000)
	for i := range still {
		still[i] = 700 + 5*math.Sin(float64(i)/90)
	}
	rec := borne(rand.New(rand.NewPCG(3, 4)), 1000, still)
	rec.Plates[0].Corners[0][0] += 1e9
	got := measureBoth(t, "stability", "single_leg_stance", tables(t, motion.C3D, rec.Frames, forces{rec}))
	if code, message := why(got, "sway_path_length"); code != movement.PlateUnusable {
		t.Errorf("it is withheld for %s: %s", code, message)
	}
}

func TestAReasonTellsOfWhatWasLookedAtFirst(t *testing.T) {
	still := kneeling{arm: 1, leg: -1, times: 2, stretch: 0.05, neutral: true}
	told := laboratory{up: 2, metres: 1, told: true}
	rec := told.record(still.person())
	if _, message := why(measureHand(t, "stability", "rotary", "", rec), "repetitions"); !strings.Contains(message,
		"in this movement that changes by") {
		t.Errorf("of arm and leg that hardly go apart it says %q", message)
	}
	s := throwerOf(200)
	s.pelvis = spin{takes: 1}
	got := measureHand(t, "tennis", "forehand", "right", told.record(s.person()))
	if _, message := why(got, "time_from_pelvis_to_trunk"); !strings.Contains(message, "There is no peak of the") {
		t.Errorf("of a pelvis that does not turn it says %q", message)
	}
}

func TestAJumpForwardsWithAFootThatIsHiddenBeforeTheTakeOffHasNoDistance(t *testing.T) {
	h := hopping{rate: 200, flight: 0.5, toes: 0.1, far: 1.4}
	for _, name := range []string{"LHeel", "RHeel", "LBigToe"} {
		lab := laboratory{metres: 1, up: 2, told: true, lost: map[string][2]int{name: {295, 316}}}
		got := measurePoints(t, "jump", "broad", lab.record(h.person()))
		if code, message := why(got, "jump_distance"); code != movement.GapAtEvent ||
			!strings.Contains(message, "the take-off") {
			t.Errorf("%s: it is withheld for %s: %s", name, code, message)
		}
	}
}
