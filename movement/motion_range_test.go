package movement_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// turning is somebody who stands for a second, goes to one side, to the other and back: how far
// head, shoulders and pelvis are turned, the left arm raised and the left foot bent, in degrees.
type turning struct {
	rate                      float64
	head, shoulders, pelvis   [2]float64 // to the left, to the right
	raise, bend, lean, unrest float64
}

// part is where in the movement a time is: to the left and to the right, from 0 to 1.
func (u turning) part(t float64) (left, right float64) {
	bump := func(from float64) float64 {
		if t < from || t > from+2 {
			return 0
		}
		return (1 - math.Cos(math.Pi*(t-from))) / 2
	}
	return bump(1), bump(3)
}

// swung turns a place about a vertical, or in the plane of x and z about a place.
func swung(p, at place, degrees float64, one, two int) place {
	a := degrees * math.Pi / 180
	x, y := p[one]-at[one], p[two]-at[two]
	p[one], p[two] = at[one]+math.Cos(a)*x-math.Sin(a)*y, at[two]+math.Sin(a)*x+math.Cos(a)*y
	return p
}

func (u turning) person() person {
	return person{rate: u.rate, frames: int(6 * u.rate), names: halpe, at: func(name string, i int) place {
		t := float64(i) / u.rate
		left, right := u.part(t)
		turn := func(of [2]float64) float64 { return of[0]*left - of[1]*right + u.unrest*math.Sin(9*t) }
		p, base, side := upright(name)
		if name == "LElbow" {
			p = swung(p, place{0, 0, 1.45}, -u.raise*left, 0, 2)
		}
		if strings.Contains(name, "Toe") && side > 0 {
			p = swung(p, place{-0.06, 0, 0.03}, u.bend*left-0.5*u.bend*right, 0, 2)
		}
		p[1] = 0.12 * side
		switch base {
		case "Hip":
			p = swung(p, place{}, turn(u.pelvis), 0, 1)
		case "Shoulder", "Neck", "Elbow", "Wrist":
			p = swung(p, place{}, turn(u.shoulders), 0, 1)
		case "Ear", "Head":
			p = swung(p, place{}, turn(u.head), 0, 1)
		}
		if p[2] > 1 {
			p = swung(p, place{0, 0, 1}, u.lean, 2, 0)
		}
		return p
	}}
}

func TestTurnsOfTheBodyAreFoundInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(rt, name) }
		u := turning{
			rate:      rapid.SampledFrom([]float64{60, 120}).Draw(rt, "rate"),
			head:      [2]float64{draw("left", 30, 85), draw("right", 30, 85)},
			shoulders: [2]float64{draw("shoulders", 0, 20), draw("shoulders", 0, 20)},
			pelvis:    [2]float64{draw("pelvis", 0, 10), draw("pelvis", 0, 10)},
			raise:     draw("raise", 60, 175), bend: draw("bend", 10, 40),
		}
		l := laboratory{yaw: draw("yaw", 0, 7), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.001}).Draw(rt, "metres"), told: rapid.Bool().Draw(rt, "told")}
		rec := l.record(u.person())
		read := tables(t, motion.TRC, rec.Frames, points{rec})
		for name, columns := range map[string]map[string]float64{
			"cervical_rotation": {"cervical_rotation_left_peak": u.head[0] - u.shoulders[0],
				"cervical_rotation_right_peak": u.head[1] - u.shoulders[1]},
			"t_spine_rotation": {
				"t_spine_rotation_peak_trunk_rotation":  max(u.shoulders[0], u.shoulders[1]),
				"t_spine_rotation_peak_pelvis_rotation": max(u.pelvis[0], u.pelvis[1]),
				"t_spine_rotation_peak_trunk_pelvis_separation": max(math.Abs(u.shoulders[0]-u.pelvis[0]),
					math.Abs(u.shoulders[1]-u.pelvis[1])),
			},
			"shoulder_flexion": {"left_shoulder_flexion_max": u.raise},
			"ankle_flexion":    {"left_ankle_dorsiflexion_max": u.bend, "left_ankle_plantarflexion_max": u.bend / 2},
		} {
			got := measureBoth(t, "range_of_motion", name, read)
			for column, value := range columns {
				if g := number(got, column); !(math.Abs(g-value) < 1) {
					code, message := why(got, column)
					rt.Errorf("%s is %v, want %v (%s %s)", column, g, value, code, message)
				}
				if g := moment(got, column+"_frame"); value > 5 && math.Abs(g-2) > 0.2 && math.Abs(g-4) > 0.2 {
					rt.Errorf("%s is greatest at %v s", column, g)
				}
			}
			complete(t, "range_of_motion", name, got)
		}
	})
}

func TestARangeOfMotionThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	u := turning{rate: 100, head: [2]float64{60, 60}, shoulders: [2]float64{20, 20}, pelvis: [2]float64{5, 5},
		raise: 150, bend: 20}
	plain := laboratory{metres: 1, up: 2, told: true}
	of := func(change func(l *laboratory, u *turning)) *motion.Recording {
		l, u := plain, u
		change(&l, &u)
		return l.record(u.person())
	}
	lost := func(name string, from, to int) *motion.Recording {
		return of(func(l *laboratory, _ *turning) { l.lost = map[string][2]int{name: {from, to}} })
	}
	leaning := of(func(_ *laboratory, u *turning) { u.lean = 40 })
	swap := strings.NewReplacer("L", "R", "R", "L")
	swapped := renamed(plain.record(u.person()), func(n string) string { return swap.Replace(n[:1]) + n[1:] })
	neck, trunk, arm, foot := "cervical_rotation", "t_spine_rotation", "shoulder_flexion", "ankle_flexion"
	for name, c := range map[string]struct {
		rec              *motion.Recording
		movement, column string
		code             string
	}{
		"a head of somebody who leans": {leaning, neck, "cervical_rotation_left_peak", movement.NotUpright},
		"a trunk of somebody who leans": {leaning, trunk, "t_spine_rotation_peak_trunk_rotation",
			movement.NotUpright},
		"an arm of somebody who leans": {leaning, arm, "left_shoulder_flexion_max", ""},
		"somebody who is never still": {of(func(_ *laboratory, u *turning) { u.unrest = 5 }), trunk,
			"t_spine_rotation_peak_trunk_rotation", movement.NoQuietStanding},
		"a gap at the peak": {lost("LEar", 198, 203), neck, "cervical_rotation_left_peak",
			movement.GapAtEvent},
		"a gap right before the peak": {lost("LEar", 196, 201), neck, "cervical_rotation_left_peak",
			movement.GapAtEvent},
		"a gap right after the peak": {lost("LEar", 200, 205), neck, "cervical_rotation_left_peak",
			movement.GapAtEvent},
		"a gap elsewhere": {lost("LEar", 330, 336), neck, "cervical_rotation_left_peak", ""},
		"a long gap": {lost("LEar", 150, 190), neck, "cervical_rotation_left_peak",
			movement.GapAtEvent},
		"no head": {
			renamed(plain.record(u.person()), func(n string) string { return strings.Replace(n, "Ear", "Nose", 1) }),
			neck, "cervical_rotation_left_peak", movement.LandmarkMissing},
		"a head that does not turn": {
			of(func(_ *laboratory, u *turning) { u.head, u.shoulders = [2]float64{}, [2]float64{} }),
			neck, "cervical_rotation_left_peak", movement.Implausible,
		},
		"feet that are exchanged":         {swapped, foot, "left_ankle_dorsiflexion_max", movement.SidesSwapped},
		"arms that are exchanged":         {swapped, arm, "left_shoulder_flexion_max", movement.SidesSwapped},
		"a head of which sides are wrong": {swapped, neck, "cervical_rotation_left_peak", ""},
		"an arm that hangs": {plain.record(u.person()), arm, "right_shoulder_flexion_max",
			movement.Implausible},
		"a foot that rests": {plain.record(u.person()), foot, "right_ankle_dorsiflexion_max",
			movement.Implausible},
	} {
		t.Run(name, func(t *testing.T) {
			got := measurePoints(t, "range_of_motion", c.movement, c.rec)
			if code, message := why(got, c.column); code != c.code || code != "" && !strings.HasSuffix(message, ".") {
				t.Errorf("%s is withheld for %q: %s, want %q (%v)", c.column, code, message, c.code,
					number(got, c.column))
			}
			complete(t, "range_of_motion", c.movement, got)
		})
	}
}
