package movement_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
)

// borne is a recording of platforms that bear a vertical force each, or of which the file has no
// channels where that is nil.
func borne(chance *rand.Rand, rate float64, forces ...[]float64) *motion.Recording {
	rec := &motion.Recording{Rate: rate, Unit: "mm", Metres: 0.001}
	up := chance.IntN(3)
	for n, force := range forces {
		p, units := platetest.Nth(chance, up, n).Describe(chance, 1+chance.IntN(4))
		if rec.Plates = append(rec.Plates, p); force == nil {
			continue
		}
		rec.Frames = len(force)
		for k, unit := range units {
			rec.Plates[n].Channels = append(rec.Plates[n].Channels, len(rec.Analogs))
			c := record.Channel{Name: string(rune('A'+n)) + string(rune('a'+k)), Unit: unit, Rate: rate, PerFrame: 1}
			for i, f := range force {
				v := 0.0
				if f != 0 { // of a platform that measures nothing every channel is 0
					v = platetest.Channels(p, plate.Vector{0, 0, -f},
						plate.Vector{10 * math.Sin(float64(i)/50), 10 * math.Cos(float64(i)/50), 0}, 0)[k]
				}
				c.Values = append(c.Values, float32(v))
			}
			rec.Analogs = append(rec.Analogs, c)
		}
	}
	return rec
}

func TestAPlatformThatIsNotKnownIsToldInWordsAndItsForceIsNotTakenForNone(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 5))
	l := leap{weight: 700, standing: 1.2, rate: 1000}
	whole, height, _ := l.force()
	n := len(whole)
	nothing, still := make([]float64, n), make([]float64, 12*1000)
	left, right := changed(whole, func(_ int, v float64) float64 { return 0.45 * v }),
		changed(whole, func(_ int, v float64) float64 { return 0.55 * v })
	stuck := func(rec *motion.Recording) {
		for _, at := range rec.Plates[1].Channels {
			values := rec.Analogs[at].Values
			most := slices.MaxFunc(values, func(a, b float32) int { return cmp.Compare(a*a, b*b) })
			for i := range 200 {
				values[i] = 1.5 * most
			}
		}
	}
	nowhere := func(rec *motion.Recording) { rec.Plates[1].Corners = [4][3]float64{} }
	for i := range still {
		still[i] = 700 + 5*math.Sin(float64(i)/90)
	}
	for name, c := range map[string]struct {
		forces  [][]float64
		change  func(*motion.Recording)
		code    string // of the height of a jump; "" where it is given
		message string
		note    string
	}{
		"both feet": {[][]float64{left, right}, nil, "", "", ""},
		"one measured nothing": {[][]float64{whole, nothing}, nowhere, "", "",
			"Force platform 2 measured nothing and was left out."},
		"one lacks its channels": {[][]float64{left, nil}, nil, movement.PlateUnusable,
			"Force platform 2 cannot be computed with: the file has none of its channels", ""},
		"both lack them": {[][]float64{nil, nil, nothing}, nil, movement.PlateUnusable,
			"Force platform 2 cannot", ""},
		"one is stuck": {[][]float64{left, right}, stuck, movement.PlateUnusable,
			"Force platform 2 cannot be computed with: ", ""},
		"one lies nowhere": {[][]float64{left, right}, nowhere, movement.PlateUnusable,
			"Force platform 2 cannot be computed with: ", ""},
		"all measured nothing": {[][]float64{nothing, nothing},
			func(rec *motion.Recording) { nowhere(rec); rec.Plates = rec.Plates[1:] }, movement.NoForcePlate,
			"None of the 1 force platforms measured anything.", ""},
	} {
		rec := borne(chance, 1000, c.forces...)
		if c.change != nil {
			c.change(rec)
		}
		got := measureBoth(t, "jump", "countermovement", tables(t, motion.C3D, rec.Frames, forces{rec}))
		code, message := why(got, "jump_height_impulse")
		if v := number(got, "jump_height_impulse"); code != c.code || !strings.Contains(message, c.message) ||
			code == "" && !(math.Abs(v-height) < 0.003) {
			t.Errorf("%s: the height is %v m, want %.4f (%s %s)", name, v, height, code, message)
		}
		if c.note != "" && !slices.Contains(got.Used.Notes, c.note) {
			t.Errorf("%s: the notes are %q", name, got.Used.Notes)
		}
	}
	const note = "The file has none of the channels of force platform 2, and nothing is known of it."
	rec := borne(chance, 1000, still, nil)
	got := measureBoth(t, "stability", "single_leg_stance", tables(t, motion.C3D, rec.Frames, forces{rec}))
	if v := number(got, "sway_path_length"); v != v || !slices.Contains(got.Used.Notes, note) {
		code, message := why(got, "sway_path_length")
		t.Errorf("of a stance the path is %v (%s %s), the notes are %q", v, code, message, got.Used.Notes)
	}
	rec = borne(chance, 1000, make([]float64, 12000), nil)
	got = measureBoth(t, "stability", "single_leg_stance", tables(t, motion.C3D, rec.Frames, forces{rec}))
	if code, _ := why(got, "sway_path_length"); code != movement.NoForcePlate ||
		!slices.Contains(got.Used.Notes, note) {
		t.Errorf("where nobody is on the other one it is withheld as %q, the notes are %q", code, got.Used.Notes)
	}
}
