package plate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// obviouslyStuck says of a channel in which sample its greatest value begins to last longer than 50 ms at 1,000 Hz.
func obviouslyStuck(values []float64) (value float64, at int) {
	for _, v := range values {
		if math.Abs(v) > math.Abs(value) || math.Abs(v) == math.Abs(value) && v > value {
			value = v
		}
	}
	run, other := 0, false
	for _, v := range values {
		other = other || v == v && v != value
	}
	for i, v := range values {
		if run++; v != value {
			run = 0
		}
		if other && run > 50 {
			return value, i - run + 1
		}
	}
	return value, -1
}

func TestASaturatedChannelIsFoundWhereverItsGreatestValueLasts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 9))
		f := make([]float64, 900+chance.IntN(2000))
		for i := range f {
			f[i] = 700 + 20*chance.NormFloat64()
		}
		// Runs of one value, short and long, some of them across the border of two pieces.
		for range 1 + chance.IntN(4) {
			level, from := []float64{900, 1500, -1500, 1499}[chance.IntN(4)], chance.IntN(len(f))
			for i := from; i < min(len(f), from+40+chance.IntN(30)); i++ {
				if f[i] = level; chance.IntN(200) == 0 {
					f[i] = math.NaN()
				}
			}
		}
		_, err := standing(t, f)
		// The channel has the opposite sign of the force on the body.
		channel := make([]float64, len(f))
		for i, v := range f {
			channel[i] = -v
		}
		want := ""
		if value, at := obviouslyStuck(channel); at >= 0 {
			want = fmt.Sprintf("its channel 3 has its greatest value, %.5g, without a change for more than 50 ms from "+
				"%.3f s on: it was saturated", value, float64(at)/1000)
		}
		switch {
		case want != "" && (err == nil || err.Error() != want):
			rt.Errorf("%v, want %s", err, want)
		case want == "" && err != nil && len(err.Error()) > 11 && err.Error()[:11] == "its channel":
			rt.Errorf("%v, and no channel is saturated", err)
		}
	})
}
