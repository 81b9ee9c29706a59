package movement_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// leap is a countermovement jump whose force is made of sines: how much a person weighs, in
// N, and how long they stand before it, in s.
type leap struct {
	weight, standing float64
	rate             float64
	drop             bool // out of a drop onto the platform instead of from standing
}

// force gives the vertical force of every sample, the height in m that it makes the body
// rise, and the sample of the take-off.
func (l leap) force() (force []float64, height float64, takeoff int) {
	add := func(seconds float64, f func(part float64) float64) {
		n := int(seconds*l.rate + 0.5)
		for i := range n {
			force = append(force, l.weight*f(float64(i)/float64(n)))
		}
	}
	still := func(float64) float64 { return 1 + 0.001*math.Sin(float64(len(force))) }
	const push = 0.45
	if l.drop {
		add(0.5, func(float64) float64 { return 0 })
		add(push/2, func(part float64) float64 { return 3 * math.Sin(math.Pi*part) })
	} else {
		add(l.standing, still)
		add(0.4, func(part float64) float64 { return 1 - 0.5*math.Sin(math.Pi*part) })
	}
	add(push, func(part float64) float64 { return 1 + 1.25*math.Sin(math.Pi*part) })
	add(0.04, func(part float64) float64 { return 1 - part })
	takeoff = len(force)
	for force[takeoff-1] < 20 {
		takeoff--
	}
	velocity := 0.0
	for i, f := range append(force[1:takeoff:takeoff], append(force, 0)[takeoff]) {
		velocity += ((force[i]+f)/2 - l.weight) / l.rate * 9.80665 / l.weight
	}
	if l.drop {
		velocity = 2.2
	}
	add(2*velocity/9.80665-float64(len(force)-takeoff)/l.rate, func(float64) float64 { return 0 })
	add(0.3, func(part float64) float64 { return 4 * math.Sin(math.Pi*(0.02+0.98*part)) })
	add(1, still)
	return force, velocity * velocity / (2 * 9.80665), takeoff
}

// recording is one of channels with names, units and one number a frame.
type recording struct {
	rate  float64
	times []float64
	names []string
	units []string
	force [][]float64
	start float64
}

func (r recording) Stretch(from, n int) (*motion.Recording, error) {
	rec := &record.Recording{Rate: r.rate, Frames: n, FirstFrame: 1, Start: r.start, Unit: "m", Metres: 1}
	if r.times != nil {
		rec.Times = r.times[from : from+n]
	}
	for i, name := range r.names {
		c := record.Channel{Name: name, Unit: r.units[i], Rate: r.rate, PerFrame: 1}
		for _, f := range r.force[i][from : from+n] {
			c.Values = append(c.Values, float32(f))
		}
		rec.Analogs = append(rec.Analogs, c)
	}
	return rec, nil
}

// measure gives what is found in it.
func (r recording) measure(t testing.TB, name string) *frames.Computed {
	t.Helper()
	return measureBoth(t, "jump", name, tables(t, motion.CSV, len(r.force[0]), r))
}

// alone is a recording of one channel.
func alone(rate float64, force []float64) recording {
	return recording{rate: rate, names: []string{"Fz"}, units: []string{"N"}, force: [][]float64{force}}
}

// number is a metric; NaN where it is withheld.
func number(c *frames.Computed, column string) float64 {
	for _, m := range c.Metrics {
		if m.Column == column && m.Value != nil {
			return *m.Value
		}
	}
	return math.NaN()
}

// moment is the time of an event; NaN where it is withheld.
func moment(c *frames.Computed, column string) float64 {
	for _, e := range c.Events {
		if e.Column == column {
			return e.Time
		}
	}
	return math.NaN()
}

// why is the reason for which a column is withheld; "" when it is not.
func why(c *frames.Computed, column string) (code, message string) {
	for _, w := range c.Withheld {
		if w.Column == column {
			return w.Code, w.Message
		}
	}
	return "", ""
}

// withheld wants columns to be withheld for a reason with a sentence, and another one, unless that
// is "", to be kept.
func withheld(t *testing.T, got *frames.Computed, columns []string, code, kept string) {
	t.Helper()
	for _, column := range columns {
		if c, message := why(got, column); c != code || !strings.HasSuffix(message, ".") {
			t.Errorf("%s is withheld for %q: %s, want %q (%v)", column, c, message, code, number(got, column))
		}
	}
	if kept != "" && math.IsNaN(number(got, kept)) {
		code, message := why(got, kept)
		t.Errorf("%s is withheld: %s %s", kept, code, message)
	}
}

func changed(values []float64, f func(i int, v float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = f(i, v)
	}
	return out
}

func TestAJumpIsTheSameWhoeverJumpsAndWhereverItsFileBegins(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := leap{
			weight:   rapid.Float64Range(300, 1500).Draw(rt, "weight"),
			standing: rapid.Float64Range(1.05, 2).Draw(rt, "standing"),
			rate:     rapid.SampledFrom([]float64{500, 1000, 1200, 2000}).Draw(rt, "rate"),
		}
		force, height, takeoff := l.force()
		r := alone(l.rate, force)
		plain := r.measure(t, "countermovement")
		if got := number(plain, "jump_height"); math.Abs(got-height) > 0.003 ||
			math.Abs(number(plain, "body_weight")-l.weight) > 0.001*l.weight {
			rt.Fatalf("the height is %.4f m and the weight %.2f N, want %.4f and %.2f: %+v", got,
				number(plain, "body_weight"), height, l.weight, plain.Withheld)
		}
		if got := moment(plain, "takeoff_frame"); math.Abs(got-float64(takeoff)/l.rate) > 1.5/l.rate {
			rt.Fatalf("the take-off is at %.4f s, want %.4f", got, float64(takeoff)/l.rate)
		}
		shift := rapid.Float64Range(-100, 100).Draw(rt, "shift")
		offset := rapid.Float64Range(-18, 18).Draw(rt, "offset")
		for name, c := range map[string]struct {
			recording
			shift float64
		}{
			"later":    {recording{rate: r.rate, names: r.names, units: r.units, force: r.force, start: shift}, shift},
			"reversed": {alone(l.rate, changed(force, func(_ int, v float64) float64 { return -v })), 0},
			"offset":   {alone(l.rate, changed(force, func(_ int, v float64) float64 { return v + offset })), 0},
			"kilo": {recording{rate: r.rate, names: []string{"vGRF"}, units: []string{"kN"},
				force: [][]float64{changed(force, func(_ int, v float64) float64 { return v / 1000 })}}, 0},
			"in halves": {recording{rate: r.rate, names: []string{"Force.Fz1", "Force.Fz2"}, units: []string{"N", "N"},
				force: [][]float64{changed(force, func(_ int, v float64) float64 { return v * 0.4 }),
					changed(force, func(_ int, v float64) float64 { return v * 0.6 })}}, 0},
			"with total": {recording{rate: r.rate, names: []string{"Fz total", "Fz left", "Fz right"},
				units: []string{"N", "N", "N"},
				force: [][]float64{force, changed(force, func(_ int, v float64) float64 { return v * 0.4 }),
					changed(force, func(_ int, v float64) float64 { return v * 0.6 })}}, 0},
		} {
			got := c.recording.measure(t, "countermovement")
			for _, m := range plain.Metrics {
				if m.Value == nil || strings.HasPrefix(m.Column, "plate_") {
					continue
				}
				tolerance := 2e-3*math.Abs(*m.Value) + 2e-4
				if g := number(got, m.Column); !(math.Abs(g-*m.Value) <= tolerance) {
					code, message := why(got, m.Column)
					rt.Errorf("%s: %s is %v, want %v (%s %s)", name, m.Column, g, *m.Value, code, message)
				}
			}
			if g := moment(got, "takeoff_frame") - c.shift; math.Abs(g-moment(plain, "takeoff_frame")) > 1.5/l.rate {
				rt.Errorf("%s: the take-off is at %v, want %v", name, g, moment(plain, "takeoff_frame"))
			}
		}
	})
}

func TestSwappedFeetSwapTheSignOfTheAsymmetry(t *testing.T) {
	l := leap{weight: 700, standing: 1.2, rate: 1000}
	force, _, _ := l.force()
	share := func(k float64) []float64 { return changed(force, func(_ int, v float64) float64 { return k * v }) }
	for _, names := range [][]string{{"Fz left", "Fz right"}, {"FzL", "FzR"}, {"Fz_l", "Fz_r"},
		{"Left.Fz", "Right.Fz"}} {
		r := recording{rate: 1000, names: names, units: []string{"N", "N"},
			force: [][]float64{share(0.45), share(0.55)}}
		want := 100 * (0.55 - 0.45) / 0.55
		if got := number(r.measure(t, "countermovement"), "propulsive_impulse_asymmetry"); math.Abs(got-want) > 0.01 {
			t.Errorf("%v: the asymmetry is %v, want %v", names, got, want)
		}
		r.names = []string{names[1], names[0]}
		if got := number(r.measure(t, "countermovement"), "propulsive_impulse_asymmetry"); math.Abs(got+want) > 0.01 {
			t.Errorf("%v: the asymmetry is %v, want %v", r.names, got, -want)
		}
	}
}

func TestWhatIsNotKnownWellEnoughIsWithheldWithItsReason(t *testing.T) {
	good := leap{weight: 700, standing: 1.2, rate: 1000}
	force, _, takeoff := good.force()
	short, _, _ := leap{weight: 700, standing: 0.05, rate: 1000}.force()
	drop, _, _ := leap{weight: 700, rate: 1000, drop: true}.force()
	slow, _, _ := leap{weight: 700, standing: 1.2, rate: 100}.force()
	half := changed(force, func(_ int, v float64) float64 { return v / 2 })
	uneven := changed(force, func(i int, _ float64) float64 { return float64(i)/1000 + 0.0003*float64(i%3) })
	restless := changed(force, func(i int, v float64) float64 {
		if i < takeoff-100 {
			v += 60 * math.Sin(float64(i)/30)
		}
		return v
	})
	noisy := changed(force, func(i int, v float64) float64 { return v + 6*math.Sin(float64(i)*1.7) })
	longer := make([]float64, 0, len(force)+60)
	longer = append(append(append(longer, force[:takeoff+50]...), make([]float64, 180)...), force[takeoff+50:]...)
	gap := changed(force, func(i int, v float64) float64 {
		if i == 700 {
			return math.NaN()
		}
		return v
	})
	impulse := []string{"jump_height_impulse", "takeoff_velocity", "body_weight", "jump_initiation_frame", "peak_power",
		"time_to_takeoff"}
	flight := []string{"jump_flight_time", "landing_frame", "jump_height_flight_time"}
	all := append(append([]string{"jump_height", "takeoff_frame"}, impulse...), flight...)
	for name, c := range map[string]struct {
		recording
		movement string
		columns  []string
		code     string
		kept     string // a column that has a value; "" for none
	}{
		"no force at all": {recording{rate: 1000, names: []string{"EMG"}, units: []string{"V"},
			force: [][]float64{force}}, "countermovement", all, movement.NoForcePlate, ""},
		"a force without a unit": {recording{rate: 1000, names: []string{"Fz"}, units: []string{""},
			force: [][]float64{force}}, "countermovement", all, movement.UnitUnknown, ""},
		"a force in volts": {recording{rate: 1000, names: []string{"Fz"}, units: []string{"V"},
			force: [][]float64{force}}, "countermovement", all, movement.UnitUnknown, ""},
		"two forces alike": {recording{rate: 1000, names: []string{"Fz1", "Fz2"}, units: []string{"N", "N"},
			force: [][]float64{half, half}}, "countermovement", all, movement.SideUnknown, ""},
		"uneven times": {recording{rate: 1000, times: uneven, names: []string{"Fz"},
			units: []string{"N"}, force: [][]float64{force}}, "countermovement", all, movement.UnevenFrames, ""},
		"100 samples a second":     {alone(100, slow), "countermovement", all, movement.RateTooLow, ""},
		"a sample that is missing": {alone(1000, gap), "countermovement", all, movement.GapAtEvent, ""},
		"nobody jumps":             {alone(1000, force[:1100]), "countermovement", all, movement.NoFlight, ""},
		"no landing": {alone(1000, force[:takeoff+300]), "countermovement", flight, movement.NoLanding,
			"jump_height_impulse"},
		"no standing": {alone(1000, short), "countermovement", impulse, movement.NoQuietStanding,
			"jump_flight_time"},
		"somebody who is never still": {alone(1000, restless), "countermovement", impulse, movement.NoQuietStanding,
			"jump_flight_time"},
		"a platform full of noise": {alone(1000, noisy), "countermovement", impulse, movement.PlateNoisy,
			"jump_flight_time"},
		"a flight too long": {alone(1000, longer), "countermovement", impulse, movement.MethodsDisagree,
			"jump_flight_time"},
		"feet that are not told": {alone(1000, force), "countermovement", []string{"propulsive_impulse_asymmetry"},
			movement.SideUnknown, "jump_height_impulse"},
		"a step off the platform": {alone(1000, restless[:takeoff+300]), "countermovement", all, movement.NoFlight,
			""},
		"out of a held squat": {alone(1000, slices.Concat(force[:1200], force[1600:takeoff+300])), "squat",
			[]string{"jump_height_standing"}, movement.NoQuietStanding, "jump_height_impulse"},
		"no drop": {alone(1000, force), "drop_vertical",
			[]string{"contact_time", "first_contact_frame"}, movement.EventMissing, "jump_flight_time"},
		"a drop": {alone(1000, drop), "drop_vertical", nil, "", "reactive_strength_index"},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.recording.measure(t, c.movement)
			withheld(t, got, c.columns, c.code, c.kept)
			complete(t, "jump", c.movement, got)
		})
	}
}

// complete checks that every column of the movement has a value or a reason, and no other has.
func complete(t *testing.T, activity, name string, c *frames.Computed) {
	t.Helper()
	seen := map[string]int{}
	for _, e := range c.Events {
		seen[e.Column]++
	}
	for _, m := range c.Metrics {
		seen[m.Column]++
		if m.Value != nil && (math.IsNaN(*m.Value) || math.IsInf(*m.Value, 0)) || (m.Value == nil) == (m.Text == nil) {
			t.Errorf("%+v is no value", m)
		}
	}
	for _, w := range c.Withheld {
		seen[w.Column]++
	}
	for _, column := range movement.Read().Find(activity, name).Columns {
		if seen[column.Name] != 1 {
			t.Errorf("%s is there %d times", column.Name, seen[column.Name])
		}
		delete(seen, column.Name)
	}
	if len(seen) > 0 {
		t.Errorf("the library does not have %v", fmt.Sprint(seen))
	}
}
