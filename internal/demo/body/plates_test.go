package body

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
)

// coursesOf are those of the plates of a recording, by what its file says of them.
func coursesOf(t *testing.T, rec *record.Recording) (all []*plate.Course) {
	t.Helper()
	for _, p := range rec.Plates {
		var units []string
		var channels [][]float64
		for _, at := range p.Channels {
			c := rec.Analogs[at]
			values := make([]float64, len(c.Values))
			for i, v := range c.Values {
				values[i] = float64(v)
			}
			units, channels = append(units, c.Unit), append(channels, values)
		}
		known, err := plate.New(p, rec.Metres, rec.Up, units)
		if err != nil {
			t.Fatal(err)
		}
		course, err := known.Course(plate.Lists(channels), plateRate)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, course)
	}
	return all
}

func TestThePlatesOfAJumpBearWhatTheFeetDo(t *testing.T) {
	for i, p := range people {
		p.Left = i%2 == 0
		for _, m := range []Movement{Countermovement, ArmSwing, SquatJump} {
			rec := recorded(t, p, m, uint64(i))
			does, err := p.perform(m, rand.New(rand.NewPCG(uint64(i), 0x626f6479)).Float64())
			if err != nil {
				t.Fatal(err)
			}
			courses := coursesOf(t, rec)
			if len(courses) != 2 || courses[0].Reversed || courses[1].Reversed {
				t.Fatalf("%s has %d plates", m, len(courses))
			}
			left, right := point(t, rec, "LTOE"), point(t, rec, "RTOE")
			for at := 50; at < courses[0].Len(); at += 37 {
				sum := 0.0
				for _, c := range courses {
					sum += c.Vertical(at)
				}
				if want := does.force(float64(at) / plateRate); math.Abs(sum-want) > 8 {
					t.Fatalf("%s: at %d ms the plates bear %.1f N, want %.1f", m, at, sum, want)
				}
				for n, c := range courses {
					foot := []*record.Point{left, right}[n] // the mirror image has its left foot there as well
					w := c.At(at)
					if c.Vertical(at) < 100 || foot.Missing(at/5) {
						continue
					}
					if across := 1000*w.COP[1] - float64(foot.Y[at/5]); math.Abs(across) > 60 ||
						math.Abs(w.COP[2]) > 1e-6 {
						t.Fatalf("%s: at %d ms the centre of pressure of plate %d is %.0f mm beside the toes", m, at,
							n+1, across)
					}
					if behind := float64(foot.X[at/5]) - 1000*w.COP[0]; behind < -110 || behind > 320 {
						t.Fatalf("%s: at %d ms the centre of pressure of plate %d is %.0f mm behind the toes", m, at,
							n+1, behind)
					}
				}
			}
		}
	}
}

// asymmetryOf is that of the push-off.
func asymmetryOf(c *frames.Computed) float64 {
	for _, m := range c.Metrics {
		if m.Column == "propulsive_impulse_asymmetry" {
			return *m.Value
		}
	}
	return math.NaN()
}

func TestTheFeetTellWhichPlateIsOnWhichSideInEveryLaboratory(t *testing.T) {
	for seed := range seedsOf(40) {
		chance := rand.New(rand.NewPCG(uint64(seed), 0x73696465))
		stature := 1.5 + 0.55*chance.Float64()
		p := Person{Stature: stature, Mass: 23 * stature * stature, Left: chance.IntN(2) == 0}
		rec := recorded(t, p, Countermovement, uint64(seed))
		variation := rand.New(rand.NewPCG(uint64(seed), 0x626f6479)).Float64()
		turned(rec, 2*math.Pi*chance.Float64(), chance.IntN(3), []float64{1, 0.001}[chance.IntN(2)])
		stronger := 0.005 + 0.02*variation
		want := 100 * 2 * stronger / (0.5 + stronger)
		if p.Left {
			want = -want
		}
		got := laboratory{rec}.measured(t, "jump", "countermovement")
		if g := asymmetryOf(got); math.Abs(g-want) > 0.5 {
			t.Errorf("seed %d, left %v: the asymmetry is %.2f %%, want %.2f; withheld %v", seed, p.Left, g, want,
				got.Withheld)
		}
	}
}

func TestAsymmetryIsWithheldWhereTheFeetDoNotTell(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*record.Recording)
		code   string
	}{
		"both feet on one plate": {func(r *record.Recording) {
			for k := range r.Plates[0].Corners {
				for n, by := range []float64{-200, -900} {
					r.Plates[n].Corners[k][1] += by
				}
			}
		}, movement.SideUnknown},
		"feet beside the plates": {func(r *record.Recording) {
			for n := range r.Plates {
				for k := range r.Plates[n].Corners {
					r.Plates[n].Corners[k][0] += 2000
				}
			}
		}, movement.SideUnknown},
		"left and right exchanged": {func(r *record.Recording) {
			for i := range r.Points {
				switch name := r.Points[i].Name; name[:1] {
				case "L":
					r.Points[i].Name = "R" + name[1:]
				case "R":
					r.Points[i].Name = "L" + name[1:]
				}
			}
		}, movement.SidesSwapped},
		"a third plate bears a part": {func(r *record.Recording) {
			third := r.Plates[1]
			third.Channels = nil
			for k := range third.Corners {
				third.Corners[k][0] += 3000
			}
			for _, at := range r.Plates[1].Channels {
				c := r.Analogs[at]
				c.Name, c.Values = c.Name+" third", slices.Clone(c.Values)
				for i := range c.Values {
					c.Values[i] *= 0.1
				}
				third.Channels = append(third.Channels, len(r.Analogs))
				r.Analogs = append(r.Analogs, c)
			}
			r.Plates = append(r.Plates, third)
		}, movement.SideUnknown},
		"no feet": {func(r *record.Recording) { r.Points = nil }, movement.LandmarkMissing},
	} {
		rec := recorded(t, people[1], Countermovement, 3)
		c.change(rec)
		got := laboratory{rec}.measured(t, "jump", "countermovement")
		code, height := "", false
		for _, w := range got.Withheld {
			if w.Column == "propulsive_impulse_asymmetry" {
				code = w.Code
			}
		}
		for _, m := range got.Metrics {
			height = height || m.Column == "jump_height"
		}
		if code != c.code || !height {
			t.Errorf("%s: the asymmetry is withheld for %q, want %q; a height: %v", name, code, c.code, height)
		}
	}
}

func TestAJumpOfTheDemoIsReadFromItsFileWithItsPlates(t *testing.T) {
	rec := recorded(t, people[1], Countermovement, 1)
	var b bytes.Buffer
	if err := c3d.Write(&b, rec); err != nil {
		t.Fatal(err)
	}
	got, err := motion.Read("a.c3d", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(got.Warnings) > 0 || len(got.Plates) != 2 {
		t.Fatalf("%d plates, %v, %v", len(got.Plates), got.Warnings, err)
	}
	for n, c := range coursesOf(t, got) {
		for at, want := range coursesOf(t, rec)[n].Verticals() {
			if math.Abs(c.Vertical(at)-want) > 1e-6 {
				t.Fatalf("plate %d, sample %d: %v N, want %v", n+1, at, c.Vertical(at), want)
			}
		}
	}
}
