package movement_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// smoothly is a force through a low-pass, as programs export one beside that which was measured.
func smoothly(force []float64) []float64 {
	out, last := make([]float64, len(force)), force[0]
	for i, f := range force {
		last += 0.3 * (f - last)
		out[i] = last
	}
	return out
}

func TestAForceAndWhatWasMadeOfItAreNotAddedUp(t *testing.T) {
	whole, left, right := halves()
	words := []string{"raw", "Raw", "filt", "filtered", "smooth", "smoothed", "lowpass", "40Hz", "40 Hz", "corrected",
		"unfiltered", "original"}
	rapid.Check(t, func(rt *rapid.T) {
		stem := rapid.SampledFrom([]string{"Fz", "FZ", "Fz1", "Force.Fz1", "vGRF", "GRF_z", "Left Fz"}).Draw(rt, "stem")
		between := rapid.SampledFrom([]string{" ", "_", ".", " ("}).Draw(rt, "between")
		with := func(which string) string {
			word := rapid.SampledFrom(words).Draw(rt, which)
			if between == " (" {
				word += ")"
			}
			return stem + between + word
		}
		first, second := stem, with("second")
		if rapid.Bool().Draw(rt, "both") {
			first = with("first")
		}
		if strings.EqualFold(first, second) {
			rt.Skip("a name twice is another matter")
		}
		r := recording{rate: 1000, names: []string{first, second}, units: []string{"N", "N"},
			force: [][]float64{whole, smoothly(whole)}}
		if rapid.Bool().Draw(rt, "smoothed first") {
			slices.Reverse(r.force)
		}
		if code, message := why(r.measure(t, "countermovement"), "body_weight"); code != movement.SideUnknown ||
			!strings.Contains(message, first) {
			rt.Errorf("%q and %q are withheld for %q: %s", first, second, code, message)
		}
	})
	for _, names := range [][]string{{"Fz1 raw", "Fz2 raw"}, {"left Fz filtered", "right Fz filtered"}, {"Fz1", "Fz2"},
		{"LP Fz", "RP Fz"}, {"Force.Fz1_40Hz", "Force.Fz2_40Hz"}, {"Plate A Fz", "Plate B Fz"}} {
		wantWeight(t, names, left, right)
	}
}

// wantWeight wants the channels of these names to bear somebody of 700 N together.
func wantWeight(t *testing.T, names []string, force ...[]float64) {
	t.Helper()
	r := recording{rate: 1000, names: names, units: slices.Repeat([]string{"N"}, len(names)), force: force}
	got := r.measure(t, "countermovement")
	if v := number(got, "body_weight"); !(math.Abs(v-700) < 1) {
		code, message := why(got, "body_weight")
		t.Errorf("%q: the weight is %v N (%s %s)", names, v, code, message)
	}
}

// halves are a jump of somebody of 700 N, and what each of two platforms has of it.
func halves() (whole, left, right []float64) {
	whole, _, _ = leap{weight: 700, standing: 1.2, rate: 1000}.force()
	return whole, changed(whole, func(_ int, v float64) float64 { return 0.45 * v }),
		changed(whole, func(_ int, v float64) float64 { return 0.55 * v })
}

func TestAForceOfABareNameAndAnotherOneOfItsCourseAreNotAddedUp(t *testing.T) {
	whole, left, right := halves()
	net := changed(whole, func(_ int, v float64) float64 { return v - 700 })
	for _, c := range []struct {
		names []string
		force [][]float64
	}{
		{[]string{"Fz", "Fz_sm"}, [][]float64{whole, smoothly(whole)}},
		{[]string{"Fz_kalman", "FZ"}, [][]float64{smoothly(whole), whole}},
		{[]string{"Fz", "vGRF"}, [][]float64{whole, smoothly(whole)}},
		{[]string{"Fz", "Fz_net"}, [][]float64{whole, net}},
		{[]string{"Fz_avg", "Fz", "Fz_kalman"}, [][]float64{smoothly(whole), whole, smoothly(smoothly(whole))}},
	} {
		units := slices.Repeat([]string{"N"}, len(c.names))
		got := recording{rate: 1000, names: c.names, units: units, force: c.force}.measure(t, "countermovement")
		if code, message := why(got, "body_weight"); code != movement.SideUnknown || len(got.Metrics) > 0 {
			t.Errorf("%q are withheld for %q: %s; %v", c.names, code, message, got.Metrics)
		}
	}
	for _, names := range [][]string{{"Fz_left_filt", "Fz_right_filt", "Fz"}, {"Plate A Fz", "Plate B Fz", "Fz"}} {
		wantWeight(t, names, smoothly(left), smoothly(right), whole)
	}
}

// A sum of platforms, or one that was worked on, is over those that it was made of.
func TestPlatformsThatLieOneOverTheOtherAreNotAddedUp(t *testing.T) {
	_, left, right := halves()
	rapid.Check(t, func(rt *rapid.T) {
		rec := borne(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 12)), 1000, left, right)
		which := rapid.IntRange(0, 1).Draw(rt, "which")
		again := rec.Plates[which]
		again.Channels = nil
		for _, at := range rec.Plates[which].Channels {
			again.Channels = append(again.Channels, len(rec.Analogs))
			c := rec.Analogs[at]
			c.Name, c.Values = c.Name+" smoothed", slices.Clone(c.Values)
			for i := 1; i < len(c.Values); i++ {
				c.Values[i] = c.Values[i-1] + 0.5*(c.Values[i]-c.Values[i-1])
			}
			rec.Analogs = append(rec.Analogs, c)
		}
		rec.Plates = append(rec.Plates, again)
		got := measureBoth(t, "jump", "countermovement", tables(t, motion.C3D, rec.Frames, forces{rec}))
		if code, message := why(got, "body_weight"); code != movement.PlateUnusable ||
			!strings.Contains(message, "one over the other") || len(got.Metrics) > 0 {
			rt.Errorf("withheld for %q: %s; %v", code, message, got.Metrics)
		}
	})
}

func TestAPlatformThatAFileHasTwiceIsNotCountedTwice(t *testing.T) {
	_, left, right := halves()
	rapid.Check(t, func(rt *rapid.T) {
		rec := borne(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 11)), 1000, left, right)
		for range rapid.IntRange(0, 2).Draw(rt, "platforms that nobody stands on") { // at one place
			none := rec.Plates[0]
			none.Channels = nil
			for k, at := range rec.Plates[0].Channels {
				c := rec.Analogs[at]
				c.Name, c.Values = fmt.Sprintf("none%d.%d", len(rec.Plates), k), make([]float32, len(c.Values))
				none.Channels = append(none.Channels, len(rec.Analogs))
				rec.Analogs = append(rec.Analogs, c)
			}
			rec.Plates = append(rec.Plates, none)
		}
		got := measureBoth(t, "jump", "countermovement", tables(t, motion.C3D, rec.Frames, forces{rec}))
		if v := number(got, "body_weight"); !(math.Abs(v-700) < 1) {
			rt.Fatalf("the weight is %v N, want 700", v)
		}
		which := rapid.IntRange(0, 1).Draw(rt, "which")
		again := rec.Plates[which]
		if rapid.Bool().Draw(rt, "channels of its own") {
			again.Channels = nil
			for _, at := range rec.Plates[which].Channels {
				again.Channels = append(again.Channels, len(rec.Analogs))
				c := rec.Analogs[at]
				c.Name += " again"
				rec.Analogs = append(rec.Analogs, c)
			}
		}
		if rec.Plates = append(rec.Plates, again); rapid.Bool().Draw(rt, "first") {
			slices.Reverse(rec.Plates)
		}
		got = measureBoth(t, "jump", "countermovement", tables(t, motion.C3D, rec.Frames, forces{rec}))
		if code, message := why(got, "body_weight"); code != movement.PlateUnusable ||
			!strings.Contains(message, "one and the same force") || len(got.Metrics) > 0 {
			rt.Errorf("withheld for %q: %s; %v", code, message, got.Metrics)
		}
	})
}

func TestASquatAlongAnotherAxisThanThePersonStandsIsWithheld(t *testing.T) {
	axes := []string{"+x", "+y", "+z", "-x", "-y", "-z"}
	rapid.Check(t, func(rt *rapid.T) {
		l := laboratory{yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw"), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: 0.001}
		s := squatting{rate: 100, leg: 0.9, depth: rapid.Float64Range(0.2, 0.6).Draw(rt, "depth")}
		rec := l.record(s.person())
		rec.Up = rapid.SampledFrom(axes).Draw(rt, "told")
		got := measurePoints(t, "squat", "bodyweight", rec)
		code, message := why(got, "squat_depth")
		if rec.Up == axes[l.up] && code != "" || rec.Up != axes[l.up] && (code != movement.VerticalUnknown ||
			len(got.Metrics) > 0) {
			rt.Errorf("a file that says %s where %s is up: %q %s, %v", rec.Up, axes[l.up], code, message, got.Metrics)
		}
	})
}

func TestNothingIsMeasuredByPointsWhoseUnitIsWrongByTenOrMore(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.4}
	rapid.Check(t, func(rt *rapid.T) {
		rec := laboratory{yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw"), up: 2, metres: 0.001,
			told: rapid.Bool().Draw(rt, "told")}.record(s.person())
		rec.Metres *= math.Pow(10, float64(rapid.SampledFrom([]int{-3, -2, -1, 1, 2, 3}).Draw(rt, "tens")))
		labels := rapid.SampledFrom([][2]string{{"squat", "bodyweight"}, {"squat", "overhead"}, {"lunge", "forward"},
			{"lunge", "side"}, {"jump", "broad"}, {"stability", "plank"}, {"stability", "y_balance_lower_quarter"},
			{"agility", "cutting"}}).Draw(rt, "labels")
		got := measurePoints(t, labels[0], labels[1], rec)
		code, message := got.Withheld[0].Code, got.Withheld[0].Message
		if len(got.Metrics)+len(got.Events) > 0 || code != movement.Implausible {
			rt.Errorf("with %v m as the unit of mm %v has %v, and is withheld for %q: %s", rec.Metres, labels,
				got.Metrics, code, message)
		}
	})
}

func TestAJumpThatDoesNotGoWhereTheFeetPointHasNoDistance(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := hopping{rate: 200, flight: 0.5, toes: 0.1, far: rapid.Float64Range(0.6, 2).Draw(rt, "far")}
		off := rapid.Float64Range(-180, 180).Draw(rt, "degrees from forwards")
		p := h.person()
		at := p.at
		start := at("Hip", 0)
		p.at = func(name string, i int) place { // the same way, in another direction of the body
			q, hip := at(name, i), at("Hip", i)
			way := hip[0] - start[0]
			sin, cos := math.Sincos(off * math.Pi / 180)
			q[0], q[1] = q[0]-way+way*cos, q[1]+way*sin
			return q
		}
		got := measurePoints(t, "jump", "broad", laboratory{metres: 1, up: 2, told: true,
			yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw")}.record(p))
		code, message := why(got, "jump_distance")
		if math.Abs(off) > 46 && code != movement.Implausible || math.Abs(off) < 30 && code != "" {
			rt.Errorf("%.0f° from forwards it is withheld for %q: %s, %v", off, code, message, got.Metrics)
		}
	})
}
