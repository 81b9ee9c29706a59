package record

import (
	"math"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/motion/quality"
)

// Uneven gives the times of the frames when they are not evenly spaced, with a warning and the recording's
// start at the first of them, and nil when they are. Those that are NaN get the time that they should have. A
// rounding to a millisecond, or to the hundredth of a second that all times are written in, is no unevenness,
// and neither is a rate other than the recording's: what counts is whether the frames follow one another at
// one pace.
func Uneven(times []float64, rec *Recording) []float64 {
	first, last := Known(times)
	if last <= first {
		return nil
	}
	pace := (times[last] - times[first]) / float64(last-first)
	at := func(i int) float64 { return times[first] + float64(i-first)*pace }
	// Times that stand still or go back are no pace, and a pace can be none of a
	// recording. Where no rate is known beside them, they are all that is.
	if rec.Rate == 0 && !Usable(1/pace) {
		if pace > 0 {
			rec.Warnings.Add(quality.TimesUneven,
				"The times of the frames are %.6g s apart, which is no pace of a recording; the time of each was kept.",
				pace)
		} else {
			rec.Warnings.Add(quality.TimesUneven,
				"The times of the frames do not go forwards, from %.6g s to %.6g s; the time of each was kept.",
				times[first], times[last])
		}
		return fill(times, at, rec)
	}
	tolerance := max(0.0015, min(hundredth(times), 0.25*math.Abs(pace)))
	// Where frames are less than a millisecond apart, times are not rounded to one.
	if pace > 0 && pace < 0.002 {
		tolerance = 0.5 * pace
	}
	// Times in thousandths are often just so far off: a billionth keeps them on one side,
	// however they are written. So does what 64 bits cannot tell apart.
	largest := max(math.Abs(times[first]), math.Abs(times[last]))
	tolerance += max(1e-9, 2*(math.Nextafter(largest, math.Inf(1))-largest))
	off, worst := 0, 0.0
	for i, t := range times {
		if d := math.Abs(t - at(i)); d > tolerance {
			off++
			worst = max(worst, d)
		}
	}
	if off == 0 {
		return nil
	}
	rec.Warnings.Add(quality.TimesUneven,
		"%s of the %s frames are not where an even pace would have them in time, by up to %.4g s; the time of each "+
			"was kept.",
		quality.Thousands(int64(off)), quality.Thousands(int64(len(times))), worst)
	return fill(times, at, rec)
}

// hundredth is a hundredth of a second where all times are written in such, else 0.
func hundredth(times []float64) float64 {
	if slices.ContainsFunc(times, func(t float64) bool { return math.Abs(t*100-math.Round(t*100)) > 1e-6 }) {
		return 0
	}
	return 0.01
}

// Nominal is the rate of frames that scatter about one pace, as those of a phone or a
// sensor do that is read when the system has time: that of the straight line through
// their times, in as few digits as the scatter bears. It is 0 where a frame is further
// off the line than 0.42 of the pace, as it is beside a frame that was left out,
// and of fewer than 20 frames, which do not tell a gap from scatter. The times are
// filled, as those of Uneven are.
func Nominal(times []float64) float64 {
	n := len(times)
	if n < fewest {
		return 0
	}
	middle, mean := float64(n-1)/2, 0.0
	for _, t := range times {
		mean += (t - times[0]) / float64(n)
	}
	var along, across float64
	for i, t := range times {
		x := float64(i) - middle
		along, across = along+x*(t-times[0]-mean), across+x*x
	}
	pace, worst := along/across, 0.0
	for i, t := range times {
		worst = max(worst, math.Abs(t-times[0]-mean-pace*(float64(i)-middle)))
	}
	if !(pace > 0) || !Usable(1/pace) || worst > 0.42*pace {
		return 0
	}
	for digits := 2; digits < 17; digits++ {
		if rate := short(1/pace, digits); math.Abs(1/rate-pace)*float64(n-1) <= worst {
			return rate
		}
	}
	return 1 / pace
}

// fewest is how many frames tell a rate by times that scatter.
const fewest = 20

// Known gives the places of the first and the last time that is not NaN, -1 and -1
// where there is none.
func Known(times []float64) (first, last int) {
	first, last = -1, -1
	for i, t := range times {
		if !math.IsNaN(t) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

// fill gives times of which none is missing, and has the recording begin at the first.
func fill(times []float64, at func(int) float64, rec *Recording) []float64 {
	filled := make([]float64, len(times))
	for i, t := range times {
		if filled[i] = t; math.IsNaN(t) {
			filled[i] = at(i)
		}
	}
	rec.Start = filled[0]
	return filled
}

// Nearest is the frame whose time is nearest to t, the first of those that are equally
// near; of no times it is 0.
func Nearest(times []float64, t float64) int {
	found, best := 0, math.Inf(1)
	for i, at := range times {
		if d := math.Abs(at - t); d < best {
			found, best = i, d
		}
	}
	return found
}

// Within is the frame whose time is nearest to t, and whether t lies within the
// recording: no further from its earliest and latest times than half of a mean pace.
func Within(times []float64, t float64) (frame int, ok bool) {
	if len(times) == 0 || math.IsNaN(t) {
		return 0, false
	}
	first, last := slices.Min(times), slices.Max(times)
	half := (last - first) / float64(max(1, len(times)-1)) / 2
	return Nearest(times, t), t >= first-half && t <= last+half
}

// Usable says whether a number can be the rate of a recording in Hz: 0.001 to
// 1,000,000. What is slower is no motion, and nothing records faster.
func Usable(rate float64) bool { return rate >= 1e-3 && rate <= 1e6 }

// RateOf measures the rate of frames of which the last is so many paces and seconds
// after the first: the whole number or the six digits that RoundRate makes of it where
// that holds, else as many digits as it takes. 0 when it can be no rate of a recording.
func RateOf(paces int, seconds float64) float64 {
	measured := float64(paces) / seconds
	if paces < 1 || !Usable(measured) {
		return 0
	}
	rate := RoundRate(measured)
	for digits := 6; !Holds(rate, paces, seconds); digits++ {
		if digits == 17 {
			return measured
		}
		rate = short(measured, digits)
	}
	return rate
}

// Holds says whether a rate is that of frames of which the last is so many paces and
// seconds after the first: by it the last frame stays where it is but for a rounding to a
// millisecond, and comes no nearer to the place of another.
func Holds(rate float64, paces int, seconds float64) bool {
	return math.Abs(float64(paces)/rate-seconds) <= min(0.0015, 0.5*seconds/float64(paces))
}

// RoundRate takes a measured rate to six digits, more than rounded times bear, and
// to a whole number when it is one but for that rounding.
func RoundRate(rate float64) float64 {
	if whole := math.Round(rate); whole > 0 && math.Abs(rate-whole) < 1e-4*whole {
		return whole
	}
	return short(rate, 6)
}

// short is the number nearest to another that has so many digits.
func short(f float64, digits int) float64 {
	s, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
	if err != nil {
		return f
	}
	return s
}
