package record

import (
	"math"
	"testing"
)

// A rate that is known, written as programs write times: however many frames and digits there
// are, and whether they are rounded or cut, the rate is the one that was.
func TestRoundedTimesHaveTheRateThatTheyWereWrittenAt(t *testing.T) {
	for _, rate := range []float64{25, 29.97, 30, 50, 59.94, 60, 100, 119.88, 120, 150, 200, 240, 250, 300, 400, 500,
		148.148, 1259.26, 1925.93} {
		for _, digits := range []int{3, 4, 5, 6, 8, 9} {
			for _, n := range []int{12, 24, 60, 300, 1001} {
				for _, start := range []float64{0, 0.5, 12.25, 1300} {
					for _, cut := range []bool{false, true} {
						scale := math.Pow(10, float64(digits))
						if 1/rate < 2/scale { // several frames bear one time
							continue
						}
						times := make([]float64, n)
						for i := range times {
							whole := (start + float64(i)/rate) * scale
							if times[i] = math.Round(whole) / scale; cut {
								times[i] = math.Floor(whole+1e-6) / scale
							}
						}
						got := RateOfTimes(times)
						// A rate is known to what moves the last frame by a step of its times.
						unknown := rate * rate / float64(n-1) * 1.5 / scale
						if digits > finest { // a whole number as near as RoundRate takes one
							unknown = 1e-4 * rate
						}
						if plain := math.Abs(rate-math.Round(rate)) < 1e-9; plain && n >= 24 && got != rate ||
							math.Abs(got-rate) > max(unknown, 1e-9) {
							t.Errorf("%d frames at %g Hz from %g s with %d digits, cut %v: %g Hz", n, rate, start,
								digits, cut, got)
						}
					}
				}
			}
		}
	}
}

// Times that are so far apart exactly keep their rate, however many digits it has.
func TestTimesThatAreNotRoundedHaveTheirOwnRate(t *testing.T) {
	for _, pace := range []float64{0.04, 0.005, 0.0667, 0.0123, 0.333, 0.011, 0.000889} {
		for _, n := range []int{2, 3, 5, 30, 200} {
			times := make([]float64, n)
			for i := range times {
				times[i] = math.Round(float64(i)*pace*1e7) / 1e7
			}
			if got, want := RateOfTimes(times), RateOf(n-1, times[n-1]); got != want {
				t.Errorf("%d frames %g s apart: %g Hz and not %g", n, pace, got, want)
			}
		}
	}
}

func TestFramesWithoutTimesHaveNoRate(t *testing.T) {
	for _, times := range [][]float64{nil, {math.NaN()}, {1}, {1, 1, 1}, {3, 2, 1}, {math.NaN(), 0, math.NaN()}} {
		if got := RateOfTimes(times); got != 0 {
			t.Errorf("%v: %g Hz", times, got)
		}
	}
}

// However many digits the time from one frame to the next has, the rate is the one that it was made
// of, or it is told that nobody knows.
func TestARoundedPaceHasItsRateOrIsTold(t *testing.T) {
	for _, rate := range []float64{23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60, 62.5, 72, 75, 90, 100, 119.88, 120,
		125, 144, 200, 240, 250, 500} {
		for digits := 2; digits <= 9; digits++ {
			scale := math.Pow10(digits)
			pace := math.Round(scale/rate) / scale
			if pace*scale < 7 {
				continue
			}
			got, least, most := RateOfPace(pace, 1/scale)
			exact := math.Abs(1/pace-got) <= 1e-4*got // the very rate that it says
			if least > 0 && (least > rate*1.0001 || most < rate*0.9999) ||
				least == 0 && !exact && math.Abs(got-rate) > 0.005*rate ||
				digits >= 6 && math.Abs(got-rate) > 1e-3*rate ||
				digits >= 5 && rate == math.Round(rate) && rate <= 100 &&
					got != rate {
				t.Errorf("%g Hz with %d digits, %g s: %g Hz, told %g to %g", rate, digits, pace, got, least, most)
			}
		}
	}
}

// Times of many digits that are exactly even say a rate beside a whole one, and those of a whole one whose pace is
// rounded say that.
func TestExactTimesOfManyDigitsHaveTheRateThatTheySay(t *testing.T) {
	for _, whole := range []float64{25, 30, 60, 100, 120, 250, 300} {
		for _, off := range []float64{0, 1e-5, 3e-5, 5e-5, 9e-5, -2e-5, -8e-5} {
			for _, digits := range []int{6, 7, 8} {
				for _, n := range []int{5, 40, 2000} {
					want := whole * (1 + off)
					scale := math.Pow(10, float64(digits))
					pace := math.Round(scale/want) / scale
					times := make([]float64, n)
					for i := range times {
						times[i] = math.Round(float64(i)*pace*scale) / scale
					}
					got := RateOfTimes(times)
					if math.Round(pace*scale/10)*10 == math.Round(pace*scale) {
						continue // it has a digit less
					}
					if math.Abs(1/got-pace) > 0.51/scale {
						t.Errorf("%d frames %.*f s apart: %v Hz", n, digits, pace, got)
					}
					if off == 0 && math.Abs(whole*pace-1) < 0.99e-4 && got != whole {
						t.Errorf("%d frames at %g Hz with a pace of %d digits: %v Hz", n, whole, digits, got)
					}
				}
			}
		}
	}
}
