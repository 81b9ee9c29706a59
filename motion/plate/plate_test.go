package plate_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/record"
	"pgregory.net/rapid"
)

type vector = plate.Vector

func cross(a, b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func add(vectors ...vector) (sum vector) {
	for _, v := range vectors {
		for i := range sum {
			sum[i] += v[i]
		}
	}
	return sum
}

func times(k float64, v vector) vector { return vector{k * v[0], k * v[1], k * v[2]} }

// floor is a platform somewhere on the floor of a laboratory: where its middle is, its
// axes, and its sides in m.
type floor struct {
	centre      vector
	x, y, z     vector
	long, short float64
}

// place draws one, turned about the vertical, its z pointing down.
func place(t *rapid.T) floor {
	angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
	f := floor{
		centre: vector{rapid.Float64Range(-5, 5).Draw(t, "x"), rapid.Float64Range(-5, 5).Draw(t, "y"), rapid.Float64Range(-1, 1).Draw(t, "z")},
		x:      vector{math.Cos(angle), math.Sin(angle), 0}, z: vector{0, 0, -1},
		long: rapid.Float64Range(0.3, 1.2).Draw(t, "long"), short: rapid.Float64Range(0.3, 1.2).Draw(t, "short"),
	}
	f.y = cross(f.z, f.x)
	return f
}

// corners are those of the platform in the order of its quadrants, in mm.
func (f floor) corners() (c [4][3]float64) {
	for i, sign := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		c[i] = times(1000, add(f.centre, times(sign[0]*f.long/2, f.x), times(sign[1]*f.short/2, f.y)))
	}
	return c
}

// lab takes a vector of the platform to the laboratory.
func (f floor) lab(v vector) vector { return add(times(v[0], f.x), times(v[1], f.y), times(v[2], f.z)) }

// channels gives what the channels of a platform of a type and origin (in mm) have when a
// force acts at a place of its surface with a free moment, all along its own axes, in N,
// mm and N·mm.
func channels(p record.Plate, force, cop vector, free float64) []float64 {
	m := add(cross(cop, force), vector{0, 0, free})
	o := vector(p.Origin)
	if o[2] > 0 {
		o = times(-1, o)
	}
	six := func(m vector) []float64 { return append(append([]float64{}, force[:]...), m[:]...) }
	switch p.Type {
	case 1:
		return []float64{force[0], force[1], force[2], cop[0], cop[1], free}
	case 2:
		return six(add(m, times(-1, cross(force, o))))
	case 3:
		m = add(m, times(-1, cross(force, vector{0, 0, o[2]})))
		a, b, x, y, z := o[0], o[1], force[0], force[1], force[2]
		return []float64{
			x / 2, x / 2, (y + m[2]/a) / 2, (y - m[2]/a) / 2,
			(z + m[0]/b - m[1]/a) / 4, (z + m[0]/b + m[1]/a) / 4, (z - m[0]/b + m[1]/a) / 4, (z - m[0]/b - m[1]/a) / 4,
		}
	}
	return solve(p.Matrix, six(add(m, times(-1, cross(force, o)))))
}

// solve gives the numbers of which a calibration makes these.
func solve(matrix, right []float64) []float64 {
	m := make([][]float64, 6)
	for i := range m {
		for j := range 6 {
			m[i] = append(m[i], matrix[i+6*j])
		}
		m[i] = append(m[i], right[i])
	}
	for i := range m {
		for j := range m {
			if factor := m[j][i] / m[i][i]; j != i {
				for k := range m[j] {
					m[j][k] -= factor * m[i][k]
				}
			}
		}
	}
	out := make([]float64, 6)
	for i := range out {
		out[i] = m[i][6] / m[i][i]
	}
	return out
}

// describe draws what a file says of the platform.
func describe(t *rapid.T, f floor) (record.Plate, []string) {
	mm := rapid.Float64Range(-50, 50)
	p := record.Plate{Type: rapid.IntRange(1, 4).Draw(t, "type"), Corners: f.corners()}
	p.Origin = [3]float64{mm.Draw(t, "ox"), mm.Draw(t, "oy"), mm.Draw(t, "oz")}
	units := []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"}
	switch p.Type {
	case 1:
		units = []string{"N", "", "newton", "mm", "mm", "Nmm"}
	case 3:
		p.Origin = [3]float64{rapid.Float64Range(-300, -100).Draw(t, "a"), rapid.Float64Range(-300, -100).Draw(t, "b"), mm.Draw(t, "depth")}
		if p.Origin[2] > 0 {
			p.Origin[0], p.Origin[1] = -p.Origin[0], -p.Origin[1]
		}
		units = strings.Split("N N N N N N N N", " ")
	case 4:
		for i := range 36 {
			off := rapid.Float64Range(-0.05, 0.05).Draw(t, "off the diagonal")
			if i%7 == 0 {
				off += rapid.Float64Range(1, 2).Draw(t, "gain")
			}
			p.Matrix = append(p.Matrix, off)
		}
		units = []string{"V", "V", "V", "V", "V", "V"}
	}
	return p, units
}

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
		f := place(t)
		p, units := describe(t, f)
		platform, err := plate.New(p, 0.001, units)
		if err != nil {
			t.Fatal(err)
		}
		force := vector{rapid.Float64Range(-300, 300).Draw(t, "fx"), rapid.Float64Range(-300, 300).Draw(t, "fy"), rapid.Float64Range(-3000, -25).Draw(t, "fz")}
		cop := vector{rapid.Float64Range(-500, 500).Draw(t, "px") * f.long, rapid.Float64Range(-500, 500).Draw(t, "py") * f.short, 0}
		free := rapid.Float64Range(-5e4, 5e4).Draw(t, "free")
		w := platform.Wrench(channels(p, force, cop, free))
		if want := f.lab(force); !near(w.Force, want, 1e-6) {
			t.Errorf("the force is %v, want %v", w.Force, want)
		}
		if want := add(f.centre, f.lab(times(0.001, cop))); !near(w.COP, want, 1e-8) {
			t.Errorf("the centre of pressure is %v, want %v", w.COP, want)
		}
		if want := f.lab(vector{0, 0, free / 1000}); !near(w.Free, want, 1e-8) {
			t.Errorf("the free moment is %v, want %v", w.Free, want)
		}
		if want := add(cross(add(w.COP, times(-1, f.centre)), w.Force), w.Free); !near(w.Moment, want, 1e-8) {
			t.Errorf("the moment is %v, and force and free moment make %v", w.Moment, want)
		}
	})
}

func TestAPlatformBelowTwentyNewtonsHasNoCentreOfPressure(t *testing.T) {
	platform, err := plate.New(record.Plate{Type: 2, Corners: square(0.5)}, 1, []string{"N", "N", "N", "Nm", "Nm", "Nm"})
	if err != nil {
		t.Fatal(err)
	}
	if w := platform.Wrench([]float64{0, 0, -19.9, 1, 1, 1}); w.Force != (vector{0, 0, 19.9}) || w.COP[0] == w.COP[0] || w.Free[2] == w.Free[2] {
		t.Errorf("%+v", w)
	}
	if w := platform.Wrench([]float64{0, 0, -20, 1, 1, 1}); w.COP[0] != w.COP[0] {
		t.Errorf("%+v", w)
	}
}

func TestAPlatformWhoseSensorsAreNowhereHasForcesAlone(t *testing.T) {
	platform, err := plate.New(record.Plate{Type: 3, Corners: square(0.5)}, 1, strings.Split("N N N N N N N N", " "))
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
	six := []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"}
	for name, c := range map[string]struct {
		p      record.Plate
		metres float64
		units  []string
		want   string
	}{
		"of a type that is not known":      {record.Plate{Type: 5, Corners: square(0.5)}, 1, six, "its type is 5"},
		"without a channel":                {record.Plate{Type: 2, Corners: square(0.5)}, 1, six[:5], "it has 5 channels"},
		"without a unit of length":         {record.Plate{Type: 2, Corners: square(0.5)}, 0, six, "the unit of its corners"},
		"of type 4 without a matrix":       {record.Plate{Type: 4, Corners: square(0.5)}, 1, six, "calibration matrix has 0 numbers"},
		"with corners nobody can stand on": {record.Plate{Type: 2, Corners: square(5.9e10)}, 1, six, "is 5.9e+10 m long"},
		"with corners in one place":        {record.Plate{Type: 2}, 1, six, "is 0 m long"},
		"whose corners are no rectangle":   {record.Plate{Type: 2, Corners: [4][3]float64{{1, 0, 0}, {0, 0, 0}, {0.3, 1, 0}, {1.3, 1, 0}}}, 1, six, "no rectangle"},
		"whose channels are volts":         {record.Plate{Type: 2, Corners: square(0.5)}, 1, []string{"N", "N", "V", "Nmm", "Nmm", "Nmm"}, "its channel 3 is V"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plate.New(c.p, c.metres, c.units)
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
	platform, err := plate.New(record.Plate{Type: 2, Corners: square(0.5)}, 1, []string{"N", "N", "N", "Nm", "Nm", "Nm"})
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
	return platform.Course(channels, 1000)
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

func TestASaturatedPlatformIsRefusedAndAShortPeakIsNot(t *testing.T) {
	f := sway(500)
	for i := 100; i < 160; i++ {
		f[i] = 2880
	}
	if _, err := standing(t, f); err == nil || !strings.Contains(err.Error(), "saturated") || !strings.Contains(err.Error(), "0.100 s") {
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

func TestTheZeroOfAFileIsTakenOffOnlyWhereNobodyStood(t *testing.T) {
	f := sway(500)
	for i := range 100 {
		f[i] = 12 + math.Sin(float64(i))
	}
	empty, err := standing(t, f)
	if err != nil {
		t.Fatal(err)
	}
	occupied, err := standing(t, sway(500))
	if err != nil {
		t.Fatal(err)
	}
	before, weight := empty.Vertical(300), occupied.Vertical(300)
	if err := plate.Zero([]*plate.Course{empty, occupied}, 0, 100); err == nil || !strings.Contains(err.Error(), "platform 2") {
		t.Errorf("zeroed with a person on one of them: %v", err)
	}
	if empty.Vertical(300) != before || occupied.Vertical(300) != weight {
		t.Error("a zero that was refused has changed forces")
	}
	if err := plate.Zero([]*plate.Course{empty}, 0, 100); err != nil {
		t.Fatal(err)
	}
	if got := before - empty.Vertical(300); math.Abs(got-12) > 0.1 {
		t.Errorf("the zero took %v N off, want 12", got)
	}
}
