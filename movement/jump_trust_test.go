package movement_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// leaps has a person fly, from a take-off in s on, as high as that in m.
func leaps(p person, height, takeoff float64) person {
	at, speed := p.at, math.Sqrt(2*9.80665*height)
	p.at = func(name string, i int) place {
		q, t := at(name, i), float64(i)/p.rate-takeoff
		q[2] += max(0, speed*t-9.80665*t*t/2) * one(t > 0)
		return q
	}
	return p
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// stood is somebody who stands, jumps as high as that in m at a time in s, and whose right foot is so far off the
// ground and so much farther to the right, in m.
type stood struct{ height, takeoff, lifted, aside float64 }

func (s stood) person(seconds float64) person {
	return leaps(person{rate: 100, frames: int(100 * seconds), names: halpe, at: func(name string, _ int) place {
		p, base, side := upright(name)
		p[1] = 0.15 * side
		if side < 0 && (base == "Heel" || base == "BigToe" || base == "SmallToe" || base == "Ankle") {
			p[1], p[2] = p[1]-s.aside, p[2]+s.lifted
		}
		return p
	}}, s.height, s.takeoff)
}

// onPlates is a recording of two platforms, under the left and the right foot of a person, that bear a force each, or
// measure nothing where that is nil. The file says that its rate is so many times the true one.
func onPlates(p person, rate float64, left, right []float64) *motion.Recording {
	rec := laboratory{up: 2, metres: 0.001, told: true}.record(p)
	for n, force := range [][]float64{left, right} {
		middle := 250 - 500*float64(n) // mm to the left
		plate := record.Plate{Type: 2, Corners: [4][3]float64{{400, middle + 200, 0}, {-400, middle + 200, 0},
			{-400, middle - 200, 0}, {400, middle - 200, 0}}}
		for k, unit := range []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"} {
			c := record.Channel{Name: string(rune('A'+n)) + string(rune('a'+k)), Unit: unit, Rate: 1000 * rate,
				PerFrame: 10, Values: make([]float32, 10*rec.Frames)}
			for i := range c.Values {
				if k == 2 && force != nil {
					c.Values[i] = -float32(force[min(i, len(force)-1)])
				}
			}
			plate.Channels = append(plate.Channels, len(rec.Analogs))
			rec.Analogs = append(rec.Analogs, c)
		}
		rec.Plates = append(rec.Plates, plate)
	}
	rec.Rate *= rate
	return rec
}

func jumped(t testing.TB, name string, rec *motion.Recording) *frames.Computed {
	t.Helper()
	return measureBoth(t, "jump", name, tables(t, motion.C3D, rec.Frames, points{rec}))
}

// nothingFor wants all columns to be withheld for one reason.
func nothingFor(t testing.TB, what string, got *frames.Computed, reason, says string) {
	t.Helper()
	if len(got.Events)+len(got.Metrics) > 0 {
		t.Errorf("%s: given are %v and %v", what, got.Events, got.Metrics)
	}
	for _, w := range got.Withheld {
		if w.Code != reason || !strings.Contains(w.Message, says) {
			t.Errorf("%s: %s is withheld for %s: %s", what, w.Column, w.Code, w.Message)
		}
	}
}

func TestAJumpWithAFootOnNoPlatformThatMeasuresIsWithheld(t *testing.T) {
	whole, left, right := halves()
	_, height, off := leap{weight: 700, standing: 1.2, rate: 1000}.force()
	at, seconds := float64(off)/1000, float64(len(whole))/1000
	const both, aside = 700.0, "foot stands on the ground more than 0.05 m beside all force platforms"
	for what, c := range map[string]struct {
		who         stood
		left, right []float64
		change      func(*motion.Recording)
		weight      float64 // 0 where all is withheld
	}{
		"both measure":                   {stood{height, at, 0, 0}, left, right, nil, both},
		"the right one measures nothing": {stood{height, at, 0, 0}, left, nil, nil, 0},
		"the left one measures nothing":  {stood{height, at, 0, 0}, nil, right, nil, 0},
		"the right one is not there": {stood{height, at, 0, 0}, left, nil,
			func(r *motion.Recording) { r.Plates = r.Plates[:1] }, 0},
		"a foot beside both": {stood{height, at, 0, 0.35}, left, nil, nil, 0},
		"a foot that reaches over the edge": {stood{height, at, 0, 0}, whole, nil,
			func(r *motion.Recording) { moved(r, 0, -160) }, both},
		"one leg":                        {stood{height, at, 0.04, 0}, whole, nil, nil, both},
		"one leg close above the ground": {stood{height, at, 0.02, 0}, whole, nil, nil, 0},
		"platforms that lie elsewhere": {stood{height, at, 0, 0}, left, right,
			func(r *motion.Recording) { moved(r, 1, 2000) }, both},
		"no points of the feet": {stood{height, at, 0, 0}, left, nil, func(r *motion.Recording) {
			r.Points = slices.DeleteFunc(r.Points,
				func(p record.Point) bool { return strings.HasSuffix(p.Name, "Heel") })
		}, 315},
	} {
		for _, name := range []string{"countermovement", "single_leg"} {
			rec := onPlates(c.who.person(seconds), 1, c.left, c.right)
			if c.change != nil {
				c.change(rec)
			}
			got := jumped(t, name, rec)
			if c.weight == 0 {
				nothingFor(t, what+", "+name, got, movement.PlateUnusable, aside)
			} else if w := number(got, "body_weight"); !(math.Abs(w-c.weight) < 1) {
				code, message := why(got, "body_weight")
				t.Errorf("%s, %s: the weight is %v N, want %v (%s %s)", what, name, w, c.weight, code, message)
			}
		}
	}
}

// moved shifts a platform to the left, in mm.
func moved(rec *motion.Recording, plate int, by float64) {
	for k := range rec.Plates[plate].Corners {
		rec.Plates[plate].Corners[k][1] += by
	}
}

// A rate that is half of the true one makes of a jump one that is four times as high, by force and by time alike.
func TestAJumpWhoseRateIsWrongIsWithheld(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := leap{weight: rapid.Float64Range(400, 1200).Draw(rt, "weight"), standing: 1.2, rate: 1000}
		whole, height, off := l.force()
		times := rapid.SampledFrom([]float64{0.4, 0.5, 1, 1.6, 2}).Draw(rt, "rate of the file over the true one")
		name := rapid.SampledFrom([]string{"countermovement", "squat", "single_leg", "drop_vertical"}).Draw(rt, "name")
		left, right := changed(whole, func(_ int, v float64) float64 { return 0.45 * v }),
			changed(whole, func(_ int, v float64) float64 { return 0.55 * v })
		p := stood{height: height, takeoff: float64(off) / 1000}.person(float64(len(whole)) / 1000)
		rec := onPlates(p, times, left, right)
		// The force of a drop alone tells of no rate, and neither does one of a jump that becomes lower.
		if times <= 1 && name != "squat" && name != "drop_vertical" && rapid.Bool().Draw(rt, "without points") {
			rec.Points = nil
		}
		got := jumped(t, name, rec)
		if v := number(got, "jump_flight_time"); times == 1 {
			if want := 2 * math.Sqrt(2*height/9.80665); !(math.Abs(v-want) < 0.02) {
				code, message := why(got, "jump_flight_time")
				rt.Errorf("by the true rate the flight lasts %v s, want %v (%s %s)", v, want, code, message)
			}
			return
		}
		if len(got.Metrics)+len(got.Events) > 0 {
			rt.Fatalf("a rate of %v times the true one gives %v", times, got.Metrics)
		}
		if code, message := why(got, "jump_height"); code != movement.NotInFreeFall && code != movement.Implausible &&
			code != movement.RateTooLow && code != movement.NoFlight {
			rt.Errorf("a rate of %v times the true one is withheld for %s: %s", times, code, message)
		}
	})
}

func TestADropWhoseFlightIsLongerThanAnybodysIsWithheld(t *testing.T) {
	force, _, _ := leap{weight: 700, rate: 1000, drop: true}.force()
	nothingFor(t, "by 0.4 times the true rate", alone(400, force).measure(t, "drop_vertical"), movement.Implausible,
		"nobody jumps higher than 1.2 m")
}

func TestACopyOfAPlatformInAnotherPlaceIsNotCountedTwice(t *testing.T) {
	_, left, right := halves()
	rapid.Check(t, func(rt *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 13))
		rec := borne(chance, 1000, left, right)
		which := rapid.IntRange(0, 1).Draw(rt, "which")
		again := rec.Plates[which]
		if rapid.Bool().Draw(rt, "channels of its own") {
			again.Channels = nil
			for _, at := range rec.Plates[which].Channels {
				again.Channels = append(again.Channels, len(rec.Analogs))
				c := rec.Analogs[at]
				c.Name, c.Values = c.Name+" again", slices.Clone(c.Values)
				for i := range c.Values { // as it is rounded in a file
					c.Values[i] += 0.0002 * c.Values[i] * float32(2*chance.Float64()-1)
				}
				rec.Analogs = append(rec.Analogs, c)
			}
		}
		for k := range again.Corners { // along both axes of the floor, for nobody knows here which they are
			for axis := range again.Corners[k] {
				again.Corners[k][axis] += 5000
			}
		}
		rec.Plates = append(rec.Plates, again)
		got := measureBoth(t, "jump", "countermovement", tables(t, motion.C3D, rec.Frames, forces{rec}))
		if code, message := why(got, "body_weight"); code != movement.PlateUnusable ||
			!strings.Contains(message, "one and the same force") || len(got.Metrics) > 0 {
			rt.Errorf("withheld for %q: %s; %v", code, message, got.Metrics)
		}
	})
}
