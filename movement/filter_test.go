package movement

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTheLowPassHasItsPublishedCoefficientsAndNumbers(t *testing.T) {
	f := twoPasses(6, 250)
	for name, c := range map[string][2]float64{"b0": {f.b0, 0.00776389}, "a1": {f.a1, -1.73573532},
		"a2": {f.a2, 0.7667909}} {
		if math.Abs(c[0]-c[1]) > 5e-9 {
			t.Errorf("%s is %.9f, want %.9f", name, c[0], c[1])
		}
	}
	x := make([]float64, 200)
	for i := range x {
		s := float64(i) / 250
		x[i] = math.Sin(2*math.Pi*2*s) + 0.2*math.Sin(2*math.Pi*40*s)
	}
	y := smoothed(x, 6, 250)
	for i, want := range map[int]float64{0: -0.00599487, 1: 0.04520653, 50: 0.58480871, 100: -0.94625048,
		199: -0.73447479} {
		if math.Abs(y[i]-want) > 1e-8 {
			t.Errorf("sample %d is %.8f, want %.8f", i, y[i], want)
		}
	}
}

func TestTheLowPassHalvesThePowerAtItsCutOffAndMovesNothingInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(50, 1000).Draw(t, "rate")
		cutoff := rapid.Float64Range(rate/100, rate/5).Draw(t, "cut-off")
		n := int(40 * rate / cutoff)
		x := make([]float64, n)
		level := rapid.Float64Range(-5, 5).Draw(t, "level")
		for i := range x {
			x[i] = level + math.Sin(2*math.Pi*cutoff*float64(i-n/2)/rate)
		}
		y := smoothed(x, cutoff, rate)
		var in, out float64 // the part that keeps step, and what is at a right angle to it
		for i := n / 4; i < 3*n/4; i++ {
			p := 2 * math.Pi * cutoff * float64(i-n/2) / rate
			in, out = in+(y[i]-level)*math.Sin(p), out+(y[i]-level)*math.Cos(p)
		}
		in, out = in/float64(n/4), out/float64(n/4)
		if math.Abs(in-math.Sqrt(0.5)) > 0.02 || math.Abs(out) > 0.02 {
			t.Errorf("at the cut-off %.3f is left, and %.3f out of step", in, out)
		}
	})
}

func TestAGapChangesNothingBeyondIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(80, 300).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(t, "x")
		from := rapid.IntRange(1, n-40).Draw(t, "from")
		to := from + rapid.IntRange(1, 30).Draw(t, "length")
		gap := append([]float64{}, x...)
		for i := from; i < to; i++ {
			gap[i] = math.NaN()
		}
		got, before, after := smoothed(gap, 6, 100), smoothed(x[:from], 6, 100), smoothed(x[to:], 6, 100)
		for i := range got {
			switch {
			case i < from && got[i] != before[i], i >= to && got[i] != after[i-to], i >= from && i < to &&
				got[i] == got[i]:
				t.Fatalf("sample %d beside the gap from %d to %d is %v", i, from, to, got[i])
			}
		}
	})
}

func TestAShortGapIsBridgedByACubicAndALongOneIsNot(t *testing.T) {
	cubic := func(i int) float64 { s := float64(i) / 50; return 1 + 2*s - 3*s*s + s*s*s }
	x := make([]float64, 100)
	for i := range x {
		x[i] = cubic(i)
	}
	for i := 40; i < 48; i++ {
		x[i] = math.NaN()
	}
	for i, v := range bridged(x, 8) {
		if math.Abs(v-cubic(i)) > 2e-3 {
			t.Errorf("sample %d is %v, want %v", i, v, cubic(i))
		}
	}
	for i, v := range bridged(x, 7) {
		if (v != v) != (i >= 40 && i < 48) {
			t.Errorf("sample %d of a gap that is too long is %v", i, v)
		}
	}
	if known(x, 39) || known(x, 48) || !known(x, 38) || !known(x, 49) || !known(x, 0) || !known(x, 99) {
		t.Error("a number beside a gap counts as known, or one farther away does not")
	}
}

func TestAnAngleIsUnwrappedOverWhatIsMissing(t *testing.T) {
	missing := math.NaN()
	got := unwrapped([]float64{170, missing, -170, -20, 160, missing, missing, -160})
	for i, want := range []float64{170, missing, 190, 340, 520, missing, missing, 560} {
		if got[i] != want && (got[i] == got[i] || want == want) {
			t.Errorf("number %d is %v, want %v", i, got[i], want)
		}
	}
}

func TestThePlaceOfANumberIsThatOfTheSortedNumbers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-20, 20), func(n int) float64 { return float64(n) / 4 }),
			1, 60).Draw(rt, "values")
		place := rapid.IntRange(0, len(values)-1).Draw(rt, "place")
		if got, want := nth(slices.Clone(values), place), slices.Sorted(slices.Values(values))[place]; got != want {
			rt.Errorf("number %d of %v is %v, want %v", place, values, got, want)
		}
	})
}
