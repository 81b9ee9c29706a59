package movement_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// renamed gives all points of a recording other names; "" leaves one out.
func renamed(rec *motion.Recording, name func(string) string) *motion.Recording {
	var kept []record.Point
	for _, p := range rec.Points {
		if p.Name = name(p.Name); p.Name != "" {
			kept = append(kept, p)
		}
	}
	rec.Points = kept
	return rec
}

func TestASquatThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}
	plain := laboratory{metres: 0.001, up: 2}
	of := func(change func(l *laboratory, s *squatting)) *motion.Recording {
		l, s := plain, s
		change(&l, &s)
		return l.record(s.person())
	}
	lost := func(name string, from, to int) *motion.Recording {
		return of(func(l *laboratory, _ *squatting) { l.lost = map[string][2]int{name: {from, to}} })
	}
	whole := plain.record(s.person())
	two := plain.record(s.person())
	for _, p := range plain.record(s.person()).Points {
		p.Subject = "B"
		two.Points = append(two.Points, p)
	}
	uneven := plain.record(s.person())
	for i := range uneven.Frames {
		uneven.Times = append(uneven.Times, float64(i)/100+0.003*float64(i%3))
	}
	unknown := plain.record(s.person())
	unknown.Metres, unknown.Unit = 0, ""
	swap := strings.NewReplacer("L", "R", "R", "L")
	lying := plain.record(s.person())
	for i := range lying.Points { // half of the time along another axis
		p := &lying.Points[i]
		for k := range p.X[:450] {
			p.X[k], p.Z[k] = p.Z[k], p.X[k]
		}
	}
	all := []string{"squat_depth", "squat_bottom_frame", "repetitions", "peak_knee_flexion_left",
		"left_knee_valgus_at_bottom"}
	sides := []string{"peak_knee_flexion_left", "peak_knee_flexion_right", "left_knee_valgus_at_bottom"}
	for name, c := range map[string]struct {
		rec     *motion.Recording
		columns []string
		code    string
		kept    string
	}{
		"whole": {whole, nil, "", "left_knee_valgus_at_bottom"},
		"no points": {renamed(plain.record(s.person()), func(n string) string { return "x" + n }),
			all, movement.LandmarkMissing, ""},
		"two subjects": {two, all, movement.SeveralPeople, ""},
		"everything twice": {of(func(l *laboratory, _ *squatting) { l.twice = true }),
			all, movement.SeveralPeople, ""},
		"uneven times":             {uneven, all, movement.UnevenFrames, ""},
		"a unit that nobody knows": {unknown, all, movement.UnitUnknown, ""},
		"25 frames a second": {of(func(_ *laboratory, s *squatting) { s.rate = 25 }), all, movement.RateTooLow,
			""},
		"an axis that changes": {lying, all, movement.VerticalUnknown, ""},
		"somebody who stands": {of(func(_ *laboratory, s *squatting) { s.depth = 0.04 }),
			all, movement.NoRepetition, ""},
		"left for right": {
			renamed(plain.record(s.person()), func(n string) string { return swap.Replace(n[:1]) + n[1:] }), sides,
			movement.SidesSwapped, "squat_depth"},
		"a short gap at the bottom": {lost("Hip", 197, 203), []string{"squat_depth", "time_while_at_bottom"},
			movement.GapAtEvent, "repetitions"},
		"a short gap elsewhere": {lost("Hip", 140, 147), nil, "", "squat_depth"},
		"a long gap before": {lost("Hip", 20, 60), []string{"repetitions"}, movement.GapAtEvent,
			"squat_depth"},
		"a knee that is hidden": {lost("LKnee", 195, 230),
			[]string{"peak_knee_flexion_left", "left_knee_valgus_at_bottom", "hip_below_knee"}, movement.GapAtEvent,
			"peak_knee_flexion_right"},
		"no centres of the joints": {renamed(plain.record(s.person()), plugInGait),
			[]string{"peak_knee_flexion_left", "left_knee_valgus_at_bottom", "hip_below_knee"},
			movement.LandmarkMissing, "squat_depth"},
		"a body ten times as large": {of(func(l *laboratory, _ *squatting) { l.metres = 0.0001 }), nil, "",
			"squat_depth"},
		"a unit ten times as long": {func() *motion.Recording {
			r := plain.record(s.person())
			r.Metres = 0.01
			return r
		}(), all, movement.Implausible, ""},
		"a point that is nowhere": {nowhere(plain.record(s.person()), "Hip", 140, 147), nil, "", "squat_depth"},
		"a point that is nowhere low": {nowhere(plain.record(s.person()), "Hip", 197, 203), []string{"squat_depth"},
			movement.GapAtEvent, "repetitions"},
	} {
		t.Run(name, func(t *testing.T) {
			got := measurePoints(t, "squat", "bodyweight", c.rec)
			withheld(t, got, c.columns, c.code, c.kept)
			if g := number(got, "squat_depth"); !math.IsNaN(g) && math.Abs(g-0.95*0.9*0.5) > 0.005 {
				t.Errorf("the depth is %v", g)
			}
			complete(t, "squat", "bodyweight", got)
		})
	}
}

// plugInGait calls the points of a person as that marker set does, and leaves out what it has not.
func plugInGait(name string) string {
	return map[string]string{
		"LHip": "LASI", "RHip": "RASI", "Hip": "SACR", "LKnee": "LKNE", "RKnee": "RKNE", "LAnkle": "LANK",
		"RAnkle": "RANK",
		"LHeel":  "LHEE", "RHeel": "RHEE", "LBigToe": "LTOE", "RBigToe": "RTOE", "Neck": "C7",
	}[name]
}

// nowhere puts a point into the origin for some frames, as some writers do where it was not seen.
func nowhere(rec *motion.Recording, name string, from, to int) *motion.Recording {
	for _, p := range rec.Points {
		for i := from; p.Name == name && i < to; i++ {
			p.X[i], p.Y[i], p.Z[i] = 0, 0, 0
		}
	}
	return rec
}

func TestALungeSaysHowFarTheFeetAreApart(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5}
	for yaw := range 5 {
		l := laboratory{metres: 1, up: 1, yaw: float64(yaw)}
		p := s.person()
		at := p.at
		p.at = func(name string, i int) place {
			q := at(name, i)
			if strings.HasPrefix(name, "RAnkle") || strings.HasPrefix(name, "RHeel") ||
				strings.HasPrefix(name, "RBig") {
				q[0] += 0.6
			}
			return q
		}
		for _, name := range []string{"forward", "side"} {
			got := measurePoints(t, "lunge", name, l.record(p))
			if length, width := number(got, "stance_length"),
				number(got, "stance_width"); math.Abs(length-0.6) > 1e-3 || math.Abs(width-0.24) > 1e-3 {
				t.Errorf("the stance is %v m long and %v m wide", length, width)
			}
			if at := moment(got, "lunge_"+name+"_bottom_frame"); math.Abs(at-2) > 0.02 {
				t.Errorf("the lowest position is at %v s", at)
			}
			complete(t, "lunge", name, got)
		}
	}
}

func TestTheFlexionOfAKneeIsThatOfPlugInGaitWhereTheFileHasIt(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5}
	for sign, want := range map[float32]float64{1: 77, -1: 77} {
		rec := renamed(laboratory{metres: 1, up: 2}.record(s.person()), plugInGait)
		for _, side := range []string{"L", "R"} {
			q := record.Point{Name: side + "KneeAngles", Quantity: record.Angle, Unit: "deg"}
			for i := range rec.Frames {
				q.X, q.Y, q.Z = append(q.X, sign*float32(want*s.down(float64(i)/100)/0.9)), append(q.Y, 0),
					append(q.Z, 0)
			}
			rec.Points = append(rec.Points, q)
		}
		got := measurePoints(t, "squat", "bodyweight", rec)
		for _, column := range []string{"peak_knee_flexion_left", "peak_knee_flexion_right"} {
			if g := number(got, column); math.Abs(g-want) > 0.1 {
				t.Errorf("%s is %v, want %v", column, g, want)
			}
		}
	}
}

func TestASquatThatIsCutHasNoDepth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := squatting{rate: 100, leg: 0.9, depth: rapid.Float64Range(0.2, 0.6).Draw(rt, "depth")}
		p := s.person()
		from := rapid.IntRange(0, 700).Draw(rt, "gap")
		l := laboratory{metres: 1, up: 2,
			lost: map[string][2]int{"Hip": {from, from + rapid.IntRange(0, 150).Draw(rt, "length")}}}
		first, last := rapid.IntRange(0, 500).Draw(rt, "first"), rapid.IntRange(600, p.frames).Draw(rt, "last")
		at := p.at
		p.at = func(name string, i int) place { return at(name, i+first) }
		p.frames = last - first
		got := number(measurePoints(t, "squat", "bodyweight", l.record(p)), "squat_depth")
		for _, share := range []float64{0.9, 0.95, 1} {
			if math.IsNaN(got) || math.Abs(got-0.95*share*s.depth) < 0.005+0.02*s.depth {
				return
			}
		}
		rt.Errorf("the depth is %v, and the squats are %v m deep", got, s.depth)
	})
}
