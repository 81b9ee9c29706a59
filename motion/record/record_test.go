package record_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestRoundedTimesAreEven(t *testing.T) {
	for _, rate := range []float64{25, 59.94, 119.88012, 400, 1000} {
		times := make([]float64, 5000)
		for i := range times {
			times[i] = math.Round(1000*float64(i)/rate) / 1000
		}
		times[17] = math.NaN()
		rec := &record.Recording{}
		if got := record.Uneven(times, rec); got != nil || len(rec.Warnings) > 0 {
			t.Errorf("at %v Hz: %v", rate, rec.Warnings)
		}
	}
}

func TestUnevenTimesAreKeptAndFilled(t *testing.T) {
	rec := &record.Recording{Frames: 5, Rate: 10}
	rec.Times = record.Uneven([]float64{0, 0.1, math.NaN(), 0.3, 2}, rec)
	if want := []float64{0, 0.1, 1, 0.3, 2}; !slices.Equal(rec.Times, want) || !rec.Warnings.Has(quality.TimesUneven) {
		t.Errorf("%v, want %v; warnings %v", rec.Times, want, rec.Warnings)
	}
	if rec.Time(4) != 2 || rec.Time(0) != 0 {
		t.Errorf("times %v, %v", rec.Time(0), rec.Time(4))
	}
}

func TestTimesThatDoNotGoForwardsAreKeptWhereThereIsNoRate(t *testing.T) {
	for _, times := range [][]float64{{5, 4, 3}, {0, 0, 0}, {5, 4, 3, 6, 1}} {
		rec := &record.Recording{Frames: len(times)}
		if rec.Times = record.Uneven(times, rec); !slices.Equal(rec.Times, times) ||
			!rec.Warnings.Has(quality.TimesUneven) {
			t.Errorf("%v became %v; warnings %v", times, rec.Times, rec.Warnings)
		}
		if want := slices.Max(times) - slices.Min(times); rec.Duration() != want {
			t.Errorf("%v take %v s, want %v", times, rec.Duration(), want)
		}
	}
	rec := &record.Recording{Frames: 3, Rate: 100}
	if got := record.Uneven([]float64{0, 0, 0}, rec); got != nil {
		t.Errorf("with a rate of 100 Hz the frames are at %v", got)
	}
}

func TestAMeasuredRateHasAsManyDigitsAsItsLastFrameNeeds(t *testing.T) {
	for _, c := range []struct {
		paces   int
		seconds float64
		want    float64
	}{
		{10, 0.1, 100},
		{999, 9.99, 100},
		{4999, 83.4, 59.94},   // rounded to a millisecond
		{999, 8.333, 119.885}, // which 119.88 Hz are, rounded so
		{1, 0.0333, 30.03},
		{2148, 2148 / 2148.148, 2148},
		{60 * 2148, 60 * 2148 / 2148.148, 2148.15},
		{3600 * 2148, 3600 * 2148 / 2148.148, 2148.148},
		{1, 1000, 0.001},
		{1, 700.3, 0.00142796},
		{1000, 700_300, 0.001427959446}, // eight days, so that every digit counts
		{1, 1e-6, 1e6},
		{0, 0, 0}, {0, 1, 0}, {-1, -1, 0}, {5, 0, 0}, {5, -1, 0}, {1, 1000.2, 0}, {1, 9e-7, 0},
	} {
		got := record.RateOf(c.paces, c.seconds)
		if got != c.want {
			t.Errorf("%d paces in %v s are %v Hz, want %v", c.paces, c.seconds, got, c.want)
		}
		if got > 0 && !record.Holds(got, c.paces, c.seconds) {
			t.Errorf("%d paces in %v s do not hold %v Hz", c.paces, c.seconds, got)
		}
	}
}

func TestTimeAndDuration(t *testing.T) {
	rec := &record.Recording{Frames: 50, Rate: 100, Start: 2}
	if rec.Time(50) != 2.5 || rec.Duration() != 0.5 {
		t.Errorf("%v s and %v s", rec.Time(50), rec.Duration())
	}
	if (&record.Recording{}).Duration() != 0 || (&record.Recording{Frames: 3, Start: 1}).Time(2) != 1 {
		t.Error("without a rate there is no other time than the first")
	}
	for _, rate := range []float64{0, 100} {
		rec = &record.Recording{Frames: 2, Rate: rate, Times: []float64{1, 4}}
		if rec.Duration() != 3 {
			t.Errorf("with a stated rate of %v Hz they take %v s", rate, rec.Duration())
		}
	}
}

func TestAPointIsMissingAsAWhole(t *testing.T) {
	infinite := float32(math.Inf(-1))
	p := record.Point{Name: "A", X: []float32{1, 2, 3, 3e38}, Y: []float32{1, record.NaN32, infinite, 3e38},
		Z: []float32{1, 2, 3, 3e38}}
	if p.Infinite(1) || !p.Infinite(2) || p.Infinite(3) {
		t.Errorf("which of them is infinite: %+v", p)
	}
	p.Settle()
	if p.Missing(0) || !p.Missing(1) || !p.Missing(2) || p.Z[1] == p.Z[1] || p.Y[2] == p.Y[2] || p.Missing(3) ||
		p.Label() != "A" {
		t.Errorf("%+v", p)
	}
}

func TestWhatHappenedNearerThanHalfAPaceIsWithinTheRecording(t *testing.T) {
	times := []float64{2, 3, 3.5, 6, 5} // a mean pace of 1 s
	for at, want := range map[float64]int{2: 0, 1.5: 0, 3.3: 2, 6.5: 3, 5.4: 4, 1.49: -1, 6.51: -1, math.NaN(): -1} {
		frame, ok := record.Within(times, at)
		if ok != (want >= 0) || ok && frame != want {
			t.Errorf("%v s is in frame %d, %v; want %d", at, frame, ok, want)
		}
	}
	if _, ok := record.Within(nil, 0); ok {
		t.Error("there is no time, and 0 s is within")
	}
}

// A time that was missing is filled, and then is one of the times: they stay uneven.
func TestUnevenTimesStayUnevenOnceTheyAreFilled(t *testing.T) {
	for first := range 30 {
		for second := first + 1; second < first+40; second++ {
			for third := second + 1; third < second+40; third++ {
				times := []float64{float64(first) / 1000, float64(second) / 1000, float64(third) / 1000, math.NaN()}
				filled := record.Uneven(times, &record.Recording{Rate: 60})
				if filled == nil {
					continue
				}
				if again := record.Uneven(filled, &record.Recording{Rate: 60}); !slices.Equal(again, filled) {
					t.Fatalf("%v became %v and then %v", times, filled, again)
				}
			}
		}
	}
}

func TestFramesThatScatterAboutOnePaceHaveItsRateAndThoseBesideAGapHaveNone(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		rate, n := []float64{25, 50, 59.94, 60, 100}[random.IntN(5)], 20+random.IntN(1000)
		scatter, start := 0.3*random.Float64()/rate, 1000*random.Float64()
		times := make([]float64, n)
		for i := range times {
			times[i] = start + float64(i)/rate + scatter*(2*random.Float64()-1)
		}
		got := record.Nominal(times)
		if last := float64(n-1) * math.Abs(1/got-1/rate); !(got > 0) || last > 2.5*scatter+1e-9 {
			t.Fatalf("%d frames at %v Hz, scattered by %v s, have the rate %v", n, rate, scatter, got)
		}
	}
	for n := 20; n < 300; n++ {
		for gap := 1; gap < n; gap++ {
			times := make([]float64, n)
			for i := range times {
				if times[i] = float64(i) / 50; i >= gap {
					times[i] += 1.0 / 50
				}
			}
			if got := record.Nominal(times); got != 0 {
				t.Fatalf("%d frames, one of which is left out before frame %d, have the rate %v", n, gap, got)
			}
		}
	}
	if got := record.Nominal([]float64{0, 0.011, 0.02, 0.029}); got != 0 {
		t.Errorf("four frames have the rate %v", got)
	}
}
