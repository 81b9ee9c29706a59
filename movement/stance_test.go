package movement_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// swaying is somebody whose centre of pressure goes round an ellipse, of half axes a and b in m,
// once in two seconds.
type swaying struct{ rate, seconds, weight, a, b float64 }

func (s swaying) at(i int) (x, y, force float64) {
	p := math.Pi * float64(i) / s.rate
	return s.a * math.Cos(p), s.b * math.Sin(p), s.weight * (1 + 0.01*math.Sin(3*p))
}

// channels are those of a platform without a description.
func (s swaying) channels() recording {
	r := recording{rate: s.rate, names: []string{"Fz", "Mx", "My"}, units: []string{"N", "Nm", "Nmm"},
		force: make([][]float64, 3)}
	for i := range int(s.rate * s.seconds) {
		x, y, force := s.at(i)
		for c, v := range []float64{force, y * force, -1000 * x * force} {
			r.force[c] = append(r.force[c], v)
		}
	}
	return r
}

// stance measures one.
func (r recording) stance(t testing.TB) *frames.Computed {
	t.Helper()
	return measureBoth(t, "stability", "single_leg_stance", tables(t, motion.CSV, len(r.force[0]), r))
}

// onPlates has the person stand on the first of two platforms, wherever they lie.
func (s swaying) onPlates(chance *rand.Rand, both bool) *motion.Recording {
	rec := &motion.Recording{Frames: int(s.rate * s.seconds), Rate: s.rate, Unit: "mm", Metres: 0.001}
	up := chance.IntN(3)
	for n := range 2 {
		floor := platetest.Nth(chance, up, n)
		p, units := floor.Describe(chance, 1+chance.IntN(4))
		first := len(rec.Analogs)
		for k, unit := range units {
			p.Channels = append(p.Channels, first+k)
			rec.Analogs = append(rec.Analogs, record.Channel{Name: string(rune('A'+n)) + string(rune('a'+k)),
				Unit: unit, Rate: s.rate, PerFrame: 1})
		}
		for i := range rec.Frames {
			x, y, force := s.at(i)
			if n == 1 && !both {
				force = 0.5 + 0.1*math.Sin(float64(i)) // noise of an empty platform
			}
			for k, v := range platetest.Channels(p, plate.Vector{0, 0, -force}, plate.Vector{1000 * x, 1000 * y, 0},
				0) {
				rec.Analogs[first+k].Values = append(rec.Analogs[first+k].Values, float32(v))
			}
		}
		rec.Plates = append(rec.Plates, p)
	}
	return rec
}

// forces is a recording of analog channels alone, as a source of stretches.
type forces struct{ *motion.Recording }

func (f forces) Stretch(from, n int) (*motion.Recording, error) {
	rec := *f.Recording
	rec.Frames, rec.Analogs = n, slices.Clone(f.Analogs)
	for i := range rec.Analogs {
		rec.Analogs[i].Values = rec.Analogs[i].Values[from : from+n]
	}
	return &rec, nil
}

func TestAStanceIsTheSameOnEveryPlatform(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := swaying{
			rate: rapid.SampledFrom([]float64{50, 100}).Draw(rt, "rate"), seconds: 12,
			weight: rapid.Float64Range(300, 1500).Draw(rt, "weight"),
			a:      rapid.Float64Range(0.003, 0.02).Draw(rt, "a"), b: rapid.Float64Range(0.003, 0.02).Draw(rt, "b"),
		}
		rec := s.onPlates(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 3)), false)
		n := s.rate * s.seconds
		path := 0.0 // of the polygon
		for i := 1; i < int(n); i++ {
			x, y, _ := s.at(i)
			u, v, _ := s.at(i - 1)
			path += math.Hypot(x-u, y-v)
		}
		// Of whole turns the covariance is a²/2 and b²/2; of very many samples the quantile is -2 ln 0.05 / 2.
		area := math.Pi * s.a * s.b / 2 * -2 * math.Log(0.05)
		for name, got := range map[string]*frames.Computed{
			"platform": measureBoth(t, "stability", "single_leg_stance",
				tables(t, motion.C3D, rec.Frames, forces{rec})), "channels": s.channels().stance(t),
		} {
			for column, want := range map[string]float64{
				"sway_path_length_unfiltered": path, "sway_path_length": path,
				"sway_mean_velocity": path / (n - 1) * s.rate, "sway_ellipse_area": area,
			} {
				if g := number(got, column); !(math.Abs(g-want) < 0.012*want) {
					code, message := why(got, column)
					rt.Errorf("%s: %s is %v, want %v (%s %s)", name, column, g, want, code, message)
				}
			}
			x, y := number(got, "sway_rms_x"), number(got, "sway_rms_y")
			if total := math.Hypot(x, y); math.Abs(total-math.Hypot(s.a, s.b)/math.Sqrt2) > 1e-5 {
				rt.Errorf("%s: the sway is %v and %v", name, x, y)
			}
			complete(t, "stability", "single_leg_stance", got)
		}
	})
}

func TestAStanceThatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	s := swaying{rate: 100, seconds: 12, weight: 700, a: 0.01, b: 0.005}
	changedBy := func(change func(r *recording)) recording {
		r := s.channels()
		change(&r)
		return r
	}
	volts, hidden, off, hop := s.channels(), s.channels(), s.channels(), s.channels()
	volts.units[1] = "V"
	hidden.force[1][500] = math.NaN()
	for i := 300; i < 340; i++ {
		for c := range off.force {
			off.force[c][i] *= 0.5
			hop.force[c][i] *= 1.3
		}
	}
	short, slow, light := s, s, s
	short.seconds, slow.rate, light.weight = 9.9, 40, 15
	for name, c := range map[string]struct {
		recording
		code string
	}{
		"whole": {s.channels(), ""},
		"reversed": {
			changedBy(func(r *recording) {
				plate.Negate(r.force[0])
				plate.Negate(r.force[1])
				plate.Negate(r.force[2])
			}), ""},
		"moments in volts":           {volts, movement.UnitUnknown},
		"a force without a unit":     {changedBy(func(r *recording) { r.units[0] = "" }), movement.UnitUnknown},
		"no moments":                 {alone(100, s.channels().force[0]), movement.NoForcePlate},
		"a moment that is missing":   {hidden, movement.GapAtEvent},
		"somebody who steps off":     {off, movement.NoQuietStanding},
		"somebody who hops":          {hop, movement.NoQuietStanding},
		"less than ten seconds":      {short.channels(), movement.TooShort},
		"40 samples a second":        {slow.channels(), movement.RateTooLow},
		"nobody":                     {light.channels(), movement.NoQuietStanding},
		"a person who does not move": {swaying{rate: 100, seconds: 12, weight: 700}.channels(), movement.Implausible},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.recording.stance(t)
			if code, message := why(got, "sway_path_length"); code != c.code || code != "" &&
				!strings.HasSuffix(message, ".") {
				t.Errorf("it is withheld for %q: %s, want %q", code, message, c.code)
			}
			complete(t, "stability", "single_leg_stance", got)
		})
	}
	t.Run("two platforms", func(t *testing.T) {
		rec := s.onPlates(rand.New(rand.NewPCG(1, 4)), true)
		got := measureBoth(t, "stability", "single_leg_stance", tables(t, motion.C3D, rec.Frames, forces{rec}))
		if code, _ := why(got, "sway_path_length"); code != movement.SideUnknown {
			t.Errorf("it is withheld for %q", code)
		}
	})
}
