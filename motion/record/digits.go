package record

import "math"

// RateOfTimes measures the rate of frames that follow one another at one pace: that of RateOf
// where the times are so far apart exactly, or where they are not written in fractions of ten.
// Written times are rounded, and a few of them bear many rates. So it is otherwise the rate of
// the fewest digits, or a rate of video, by which no time is off its place by more than what the
// rounding to their last digit takes. A time that is NaN is that of no frame. 0 when it can be
// no rate of a recording.
func RateOfTimes(times []float64) float64 {
	first, last := Known(times)
	if first < 0 {
		return 0
	}
	times = times[first : last+1]
	rate := RateOf(last-first, times[last-first]-times[0])
	grain := grainOf(times)
	if rate == 0 || grain == 0 || len(times) < 3 {
		return rate
	}
	// Two times that 64 bits cannot tell apart are the same.
	bits := 2 * ulp(max(math.Abs(times[0]), math.Abs(times[len(times)-1])))
	if exact := float64(len(times)-1) / (times[len(times)-1] - times[0]); spread(times, exact) <= 1e-3*grain+bits {
		return rateOfSteps(rate, exact, grain)
	}
	bears := func(rate float64) bool {
		off := spread(times, rate)
		return off < grain-bits || len(times) >= wellOff && off <= grain*(1+1e-6)+bits
	}
	measured := slope(times)
	for digits := 1; digits <= 8; digits++ {
		if digits == 4 {
			if video := videoRate(measured); bears(video) {
				return video
			}
		}
		if plain := short(measured, digits); plain > 0 && bears(plain) {
			return plain
		}
	}
	return rate
}

// rateOfSteps is the rate of times that are exactly even: the one that was measured, if the time from
// one frame to the next, written in as many digits as the times, is that of the rate. A whole number is not,
// where the times have the digits to say another one.
func rateOfSteps(measured, exact, grain float64) float64 {
	for digits := 6; math.Abs(1/measured-1/exact) > 0.5*grain*(1+1e-6); digits++ {
		if digits == 17 {
			return exact
		}
		measured = short(exact, digits)
	}
	return measured
}

// slope is the rate of the straight line through times, which rounding moves less than it moves the
// first and the last of them.
func slope(times []float64) float64 {
	n, at, time := 0.0, 0.0, 0.0
	for i, t := range times {
		if t == t {
			n, at, time = n+1, at+float64(i), time+t-times[0]
		}
	}
	var along, across float64
	for i, t := range times {
		if t == t {
			x := float64(i) - at/n
			along, across = along+x*x, across+x*(t-times[0]-time/n)
		}
	}
	return along / across
}

// wellOff is from how many frames on a time may be off by all that rounding takes, as half
// a step is where it is rounded to the even digit.
const wellOff = 6

// finest is in how many digits behind the point times may be written of which it counts that they
// are rounded.
const finest = 8

// grainOf is the step in which all times are written, a whole fraction of ten; 0 where there is
// none down to the finest.
func grainOf(times []float64) float64 {
	digits, scale := 0, 1.0
	for _, t := range times {
		slack := max(1e-9, 2*ulp(math.Abs(t)))
		for digits <= finest && math.Abs(t-math.Round(t*scale)/scale) > slack {
			digits++
			scale *= 10
		}
		if digits > finest {
			return 0
		}
	}
	if slack := 2 * ulp(math.Abs(times[len(times)-1])); 1/scale < 8*slack { // nothing tells digits from bits
		return 0
	}
	return 1 / scale
}

// spread is how far the frames are off their places by a rate, from the one that is the most
// behind to the one that is the most ahead.
func spread(times []float64, rate float64) float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for i, t := range times {
		if t == t {
			off := t - times[0] - float64(i)/rate
			least, most = min(least, off), max(most, off)
		}
	}
	return most - least
}

// videoRate is the rate of video nearest to another: 23.976, 29.97 and such.
func videoRate(rate float64) float64 {
	nearest := 0.0
	for _, whole := range []float64{24, 30, 48, 60, 120, 240} {
		if video := short(whole/1.001, 5); math.Abs(video-rate) < math.Abs(nearest-rate) {
			nearest = video
		}
	}
	return nearest
}

// RateOfPace is the rate of frames of which the time from one to the next is stated in seconds,
// rounded to a digit that is worth so much: the rate that makes exactly that time, or else the one
// of the fewest digits, or of video, that is written so. Where the digit is worth more than a
// hundredth of the time, it is what the time makes of it, and least and most are the rates between
// which nothing tells; else these are 0.
func RateOfPace(seconds, last float64) (rate, least, most float64) {
	measured := 1 / seconds
	if rate = RoundRate(measured); rate == math.Round(rate) {
		return rate, 0, 0
	}
	if near := short(measured, 4); math.Abs(1/near-seconds) <= 1e-9*seconds {
		return rate, 0, 0
	}
	if last > 0.01*seconds {
		return rate, 1 / (seconds + last/2), 1 / (seconds - last/2)
	}
	for _, one := range []float64{short(measured, 1), short(measured, 2), short(measured, 3), videoRate(measured)} {
		if math.Abs(1/one-seconds) <= 0.5*last*(1+1e-6) {
			return one, 0, 0
		}
	}
	return rate, 0, 0
}

// ulp is how far the next number of 64 bits is from another.
func ulp(f float64) float64 { return math.Nextafter(f, math.Inf(1)) - f }
