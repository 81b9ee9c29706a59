package plate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
	"pgregory.net/rapid"
)

type vector = plate.Vector

func near(a, b vector, within float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= within) {
			return false
		}
	}
	return true
}

func TestAForceIsFoundWhereverThePlatformLiesAndWhateverItsType(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		f := platetest.Random(chance, chance.IntN(3))
		p, units := f.Describe(chance, rapid.IntRange(1, 4).Draw(t, "type"))
		platform, err := plate.New(p, 0.001, "", units)
		if err != nil {
			t.Fatal(err)
		}
		force := vector{rapid.Float64Range(-300, 300).Draw(t, "fx"), rapid.Float64Range(-300, 300).Draw(t, "fy"),
			rapid.Float64Range(-3000, -25).Draw(t, "fz")}
		cop := vector{rapid.Float64Range(-500, 500).Draw(t, "px") * f.Long,
			rapid.Float64Range(-500, 500).Draw(t, "py") * f.Short, 0}
		free := rapid.Float64Range(-5e4, 5e4).Draw(t, "free")
		w := platform.Wrench(platetest.Channels(p, force, cop, free))
		if want := f.Lab(force); !near(w.Force, want, 1e-6) {
			t.Errorf("the force is %v, want %v", w.Force, want)
		}
		place := f.Lab(vector{cop[0] / 1000, cop[1] / 1000, 0}) // from the middle, in m
		if want := plus(f.Centre, place); !near(w.COP, want, 1e-8) {
			t.Errorf("the centre of pressure is %v, want %v", w.COP, want)
		}
		if want := f.Lab(vector{0, 0, free / 1000}); !near(w.Free, want, 1e-8) {
			t.Errorf("the free moment is %v, want %v", w.Free, want)
		}
		arm := vector{place[1]*w.Force[2] - place[2]*w.Force[1], place[2]*w.Force[0] - place[0]*w.Force[2],
			place[0]*w.Force[1] - place[1]*w.Force[0]}
		if want := plus(arm, w.Free); !near(w.Moment, want, 1e-8) {
			t.Errorf("the moment is %v, and force and free moment make %v", w.Moment, want)
		}
	})
}

func opposite(v vector) vector { return vector{-v[0], -v[1], -v[2]} }

func dot(a, b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func plus(a, b vector) vector { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func TestAPlatformBelowTwentyNewtonsHasNoCentreOfPressure(t *testing.T) {
	platform, err := plate.New(record.Plate{Type: 2, Corners: square(0.5)}, 1, "",
		[]string{"N", "N", "N", "Nm", "Nm", "Nm"})
	if err != nil {
		t.Fatal(err)
	}
	if w := platform.Wrench([]float64{0, 0, -19.9, 1, 1, 1}); w.Force != (vector{0, 0, 19.9}) || w.COP[0] == w.COP[0] ||
		w.Free[2] == w.Free[2] {
		t.Errorf("%+v", w)
	}
	if w := platform.Wrench([]float64{0, 0, -20, 1, 1, 1}); w.COP[0] != w.COP[0] {
		t.Errorf("%+v", w)
	}
}

func TestAPlatformWhoseSensorsAreNowhereHasForcesAlone(t *testing.T) {
	platform, err := plate.New(record.Plate{Type: 3, Corners: square(0.5)}, 1, "",
		strings.Split("N N N N N N N N", " "))
	if err != nil {
		t.Fatal(err)
	}
	w := platform.Wrench([]float64{1, 2, 3, 4, -100, -100, -100, -100})
	if w.Force[2] != 400 || w.Moment[0] == w.Moment[0] || w.COP[0] == w.COP[0] || w.Free[2] == w.Free[2] {
		t.Errorf("%+v", w)
	}
}

// square are corners of a platform about the origin, in m.
func square(side float64) [4][3]float64 {
	a := side / 2
	return [4][3]float64{{a, -a, 0}, {-a, -a, 0}, {-a, a, 0}, {a, a, 0}}
}

func TestAPlatformThatCannotBeComputedWithIsRefusedWithTheReason(t *testing.T) {
	six, nowhere := []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"}, square(0.5)
	nowhere[2][1] = math.NaN()
	for name, c := range map[string]struct {
		p      record.Plate
		metres float64
		units  []string
		want   string
	}{
		"of a type that is not known": {record.Plate{Type: 5, Corners: square(0.5)}, 1, six, "its type is 5"},
		"without a channel": {record.Plate{Type: 2, Corners: square(0.5)}, 1, six[:5],
			"it has 5 channels"},
		"without a unit of length": {record.Plate{Type: 2, Corners: square(0.5)}, 0, six,
			"the unit of its corners"},
		"of type 4 without a matrix": {record.Plate{Type: 4, Corners: square(0.5)}, 1, six,
			"calibration matrix has 0 numbers"},
		"with corners nobody can stand on": {record.Plate{Type: 2, Corners: square(5.9e10)}, 1, six,
			"is 5.9e+10 m long"},
		"with corners in one place": {record.Plate{Type: 2}, 1, six, "is 0 m long"},
		"whose corners are no rectangle": {
			record.Plate{Type: 2, Corners: [4][3]float64{{1, 0, 0}, {0, 0, 0}, {0.3, 1, 0}, {1.3, 1, 0}}},
			1, six, "no rectangle",
		},
		"with a corner that is nowhere": {record.Plate{Type: 2, Corners: nowhere}, 1, six, "corners have numbers that"},
		"with an origin that is nowhere": {
			record.Plate{Type: 2, Corners: square(0.5), Origin: [3]float64{0, 0, math.NaN()}}, 1, six,
			"origin or its calibration has numbers"},
		"with a calibration without numbers": {
			record.Plate{Type: 4, Corners: square(0.5), Matrix: slices.Repeat([]float64{math.Inf(1)}, 36)}, 1, six,
			"origin or its calibration has numbers"},
		"whose channels are volts": {record.Plate{Type: 2, Corners: square(0.5)}, 1,
			[]string{"N", "N", "V", "Nmm", "Nmm", "Nmm"}, "its channel 3 is V"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plate.New(c.p, c.metres, "", c.units)
			var unusable *plate.Unusable
			if !errors.As(err, &unusable) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("refused with %v, want %q", err, c.want)
			}
		})
	}
}

// standing is what a platform of type 2 about the origin measures in the course of a
// vertical force, in N.
func standing(t *testing.T, vertical []float64) (*plate.Course, error) {
	t.Helper()
	platform, err := plate.New(record.Plate{Type: 2, Corners: square(0.5)}, 1, "",
		[]string{"N", "N", "N", "Nm", "Nm", "Nm"})
	if err != nil {
		t.Fatal(err)
	}
	channels := make([][]float64, 6)
	for i := range channels {
		channels[i] = make([]float64, len(vertical))
	}
	for i, f := range vertical {
		channels[2][i] = -f
	}
	return platform.Course(plate.Lists(channels), 1000)
}

// sway is a person of 700 N on a platform, who is never quite still.
func sway(n int) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = 700 + 5*math.Sin(float64(i)/50)
	}
	return f
}

func TestForcesOnThePlatformAreTurnedAroundAndThatIsTold(t *testing.T) {
	straight, err := standing(t, sway(500))
	if err != nil || straight.Reversed {
		t.Fatal(err, straight)
	}
	f := sway(500)
	for i := range f {
		f[i] = -f[i]
	}
	reversed, err := standing(t, f)
	if err != nil || !reversed.Reversed {
		t.Fatal(err, reversed)
	}
	for i := range f {
		if straight.Vertical(i) != reversed.Vertical(i) {
			t.Fatalf("sample %d is %v N, want %v", i, reversed.Vertical(i), straight.Vertical(i))
		}
	}
}

func TestTheForceOfAPlatformWhoseCornersPointUpwardsIsThatOfTheBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		axis := rapid.IntRange(0, 2).Draw(t, "axis")
		f := platetest.Random(chance, axis)
		if rapid.Bool().Draw(t, "corners upwards") {
			f.Y, f.Z = opposite(f.Y), opposite(f.Z)
		}
		told := ""
		if rapid.Bool().Draw(t, "told") {
			told = []string{"+x", "+y", "+z"}[axis]
		}
		p, units := f.Describe(chance, rapid.IntRange(1, 4).Draw(t, "type"))
		platform, err := plate.New(p, 0.001, told, units)
		if err != nil {
			t.Fatal(err)
		}
		var want vector // on the body, in the laboratory
		for i := range want {
			want[i] = rapid.Float64Range(-200, 200).Draw(t, "force")
		}
		want[axis] = rapid.Float64Range(300, 2000).Draw(t, "vertical")
		written := want
		reversed := rapid.Bool().Draw(t, "on the plate")
		if reversed {
			written = opposite(want)
		}
		local := vector{dot(written, f.X), dot(written, f.Y), dot(written, f.Z)}
		var channels [][]float64
		for _, v := range platetest.Channels(p, local, vector{10, -20, 0}, 1000) {
			channels = append(channels, []float64{v, v})
		}
		course, err := platform.Course(plate.Lists(channels), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if w := course.At(1); !near(w.Force, want, 1e-6) || course.Reversed != reversed ||
			math.Abs(course.Vertical(1)-want[axis]) > 1e-6 {
			t.Errorf("the force is %v, want %v; reversed: %v, want %v", w.Force, want, course.Reversed, reversed)
		}
		if place := plus(f.Centre, f.Lab(vector{0.01, -0.02, 0})); !near(course.At(1).COP, place, 1e-8) {
			t.Errorf("the centre of pressure is %v, want %v", course.At(1).COP, place)
		}
	})
}

func TestThePlatformOfALaboratoryWhoseAxisPointsDownwardsFacesUpwards(t *testing.T) {
	for name, up := range map[string]vector{"+z": {0, 0, 1}, "-z": {0, 0, -1}, "": {0, 0, 1}, "z": {0, 0, 1}} {
		p, err := plate.New(record.Plate{Type: 2, Corners: square(0.5)}, 1, name,
			[]string{"N", "N", "N", "Nm", "Nm", "Nm"})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Up(); !near(got, up, 1e-12) {
			t.Errorf("%q: upwards is %v, want %v", name, got, up)
		}
	}
}

func TestASaturatedPlatformIsRefusedAndAShortPeakIsNot(t *testing.T) {
	f := sway(500)
	for i := 100; i < 160; i++ {
		f[i] = 2880
	}
	if _, err := standing(t, f); err == nil || !strings.Contains(err.Error(), "saturated") ||
		!strings.Contains(err.Error(), "0.100 s") {
		t.Errorf("60 ms at the greatest value: %v", err)
	}
	for i := 140; i < 160; i++ {
		f[i] = 700
	}
	if _, err := standing(t, f); err != nil {
		t.Errorf("40 ms at the greatest value: %v", err)
	}
}

func TestAPlatformThatPullsIsRefused(t *testing.T) {
	f := sway(500)
	for i := range 80 {
		f[i] = -60 + float64(i%7)
	}
	if _, err := standing(t, f); err == nil || !strings.Contains(err.Error(), "cannot pull") {
		t.Errorf("pulling in 16 %% of the samples: %v", err)
	}
	for i := 40; i < 80; i++ {
		f[i] = 700
	}
	if _, err := standing(t, f); err != nil {
		t.Errorf("pulling in 8 %% of the samples: %v", err)
	}
}

func TestChannelsInVoltsThatNoConverterGivesAreRefused(t *testing.T) {
	matrix := make([]float64, 36)
	for i := range 6 {
		matrix[7*i] = 100
	}
	volts := []string{"V", "V", "V", "V", "V", "V"}
	platform, err := plate.New(record.Plate{Type: 4, Corners: square(0.5), Matrix: matrix}, 1, "", volts)
	if err != nil {
		t.Fatal(err)
	}
	for vertical, refused := range map[float64]bool{-7: false, -700: true} {
		channels := make([][]float64, 6)
		for i := range channels {
			channels[i] = make([]float64, 100)
		}
		for i := range channels[2] {
			channels[2][i] = vertical + 0.01*math.Sin(float64(i))
		}
		if _, err := platform.Course(plate.Lists(channels), 1000); (err != nil) != refused || refused &&
			!strings.Contains(err.Error(), "no more than 20 V") {
			t.Errorf("%v V are answered with %v", vertical, err)
		}
	}
}

func TestTheCourseOfAPlatformHasTheWrenchOfEachSample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 7))
		p, units := platetest.Random(chance, chance.IntN(3)).Describe(chance, rapid.IntRange(1, 4).Draw(rt, "type"))
		if p.Type == 3 && rapid.Bool().Draw(rt, "blind") {
			p.Origin[0] = 0
		}
		platform, err := plate.New(p, 0.001, "", units)
		if err != nil {
			rt.Fatal(err)
		}
		channels := make([][]float64, len(units))
		for range 20 {
			// as a platform of type 3 whose sensors are nowhere has no channels for a load
			v := make([]float64, len(units))
			for i := range v {
				v[i] = 10 * chance.NormFloat64()
			}
			if p.Type != 3 || p.Origin[0] != 0 {
				v = platetest.Channels(p,
					vector{50 * chance.NormFloat64(), 50 * chance.NormFloat64(), -100 - 900*chance.Float64()},
					vector{100 * chance.NormFloat64(), 100 * chance.NormFloat64(), 0}, 1e4*chance.NormFloat64())
			}
			if chance.IntN(5) == 0 {
				v[chance.IntN(len(v))] = math.NaN()
			}
			for i := range v {
				channels[i] = append(channels[i], v[i])
			}
		}
		course, err := platform.Course(plate.Lists(channels), 1000)
		var refused *plate.Unusable
		if errors.As(err, &refused) && course == nil {
			rt.Skip(refused.Reason)
		}
		for i := range course.Len() {
			sample := make([]float64, len(channels))
			for c := range channels {
				sample[c] = channels[c][i]
			}
			want := platform.Wrench(sample)
			if course.Reversed {
				want.Force, want.Moment = opposite(want.Force), opposite(want.Moment)
			}
			got := course.At(i)
			for name, pair := range map[string][2]vector{"force": {got.Force, want.Force},
				"moment": {got.Moment, want.Moment}} {
				if missing := pair[1][0] != pair[1][0]; missing != (pair[0][0] != pair[0][0]) || !missing &&
					!near(pair[0], pair[1], 1e-6) {
					rt.Errorf("the %s of sample %d is %v, want %v", name, i, pair[0], pair[1])
				}
			}
		}
	})
}
