package record

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
)

// Count says what times without a unit count. Seconds are what most files mean, but
// some programs write milliseconds, microseconds or the numbers of frames, and nothing in
// the file says so.
type Count struct {
	PerSecond float64 // how many of them make a second
	Told      Told
	Rate      float64 // that tells it, in Hz
	Pace      float64 // from a time to the next, as most are
	Whole     bool    // all times are whole numbers
}

// Told is what tells what times count.
type Told int

// Sources of a rate. Times that are Doubtful are so far apart that they may be seconds
// or parts of one, and are taken for seconds; those that are Untold are further apart
// than frames of any recording, and cannot be taken for anything.
const (
	ByPace Told = iota
	ByRate
	ByClock
	Doubtful
	Untold
)

// Longest is from how many seconds on nothing is the time of a frame, where nobody says
// expressly that it counts seconds: no program that records movement takes 2 s from frame
// to frame, but in milliseconds it is a frame of 500 Hz.
const Longest = 2

// DoubtfulPace is from which pace on times without a unit are in doubt: in milliseconds it is
// a frame of 2,500 Hz.
const DoubtfulPace = 0.4

// CountOf finds out what times without a unit count: by a clock, for numbers of
// thousandths, millionths or billionths of a second since 1970 are no seconds of any
// recording; by the rates that the file states; else by their pace. Times that are
// missing are NaN.
func CountOf(times []float64, rates ...float64) Count {
	first, last := Known(times)
	c := Count{PerSecond: 1}
	if first < 0 {
		return c
	}
	for _, many := range parts[1:] {
		if since := times[first] / many; since >= 1e9 && since < 1e10 { // 2001 to 2286
			return Count{PerSecond: many, Told: ByClock}
		}
	}
	seconds := times[last] - times[first]
	if !(seconds > 0) {
		return c
	}
	steps := Steps(times)
	c.Pace = steps[(len(steps)-1)/2]
	c.Whole = Whole(times)
	mean := seconds / float64(last-first)
	for _, rate := range rates {
		for _, many := range parts {
			if near(rate*mean/many, 1) || near(rate*c.Pace/many, 1) {
				c.PerSecond, c.Told, c.Rate = many, ByRate, rate
				return c
			}
		}
		if rate > 1+Gross && c.Whole && steps[0] == 1 && steps[len(steps)-1] == 1 { // numbers of frames
			c.PerSecond, c.Told, c.Rate = rate, ByRate, rate
			return c
		}
	}
	switch {
	case c.Pace >= Longest:
		c.Told = Untold
	case last-first > 1 && (c.Whole && mean >= 1 || c.Pace >= DoubtfulPace): // of two rows a pace tells nothing
		c.Told = Doubtful
	}
	return c
}

// parts are how many of what times count make a second.
var parts = []float64{1, 1e3, 1e6, 1e9}

// Gross is by which part a rate may differ from that of times which bear it out: so much
// cannot be rounding.
const Gross = 0.1

func near(a, b float64) bool { return math.Abs(a-b) <= Gross*b }

// Whole says whether all times but those that are missing are whole numbers.
func Whole(times []float64) bool {
	return !slices.ContainsFunc(times, func(t float64) bool { return t == t && t != math.Trunc(t) })
}

// Steps are the steps from one known time to the next, a row each, sorted.
func Steps(times []float64) []float64 {
	var all []float64
	before := -1
	for i, t := range times {
		if math.IsNaN(t) {
			continue
		}
		if before >= 0 {
			all = append(all, (t-times[before])/float64(i-before))
		}
		before = i
	}
	slices.Sort(all)
	return all
}

// Scale makes seconds of the times.
func (c Count) Scale(times []float64) {
	if c.PerSecond == 1 {
		return
	}
	for i := range times {
		times[i] /= c.PerSecond
	}
}

// Tell warns of what was made of the times. Source is where the rate stands that tells
// what they count, column what becomes of times of which nobody can tell it.
func (c Count) Tell(w *quality.Warnings, source, column string) {
	whole := ""
	if c.Whole {
		whole = "whole numbers "
	}
	switch c.Told {
	case ByRate:
		if c.PerSecond != 1 {
			w.Add(quality.RateDisagrees,
				"By %s, %g Hz, the times of the rows are no seconds, but count %g a second, and were taken so.", source,
				c.Rate, c.PerSecond)
		}
	case ByClock:
		w.Add(quality.TimeUnitUnknown,
			"The times are without a unit; as a clock since 1970 they count %s a second, and were taken so.",
			quality.Thousands(int64(c.PerSecond)))
	case Doubtful:
		if c.Whole {
			w.Add(quality.TimeUnitUnknown, "The times are whole numbers without a unit; they were taken for seconds.")
			return
		}
		w.Add(quality.TimeUnitUnknown, "The times are without a unit, about %.6g apart; they were taken for seconds.",
			c.Pace)
	case Untold:
		w.Add(quality.TimeUnitUnknown,
			"The times are %swithout a unit, about %.6g apart, so it cannot be told what part of a second they "+
				"count; they were kept as the column %q, and give no rate.",
			whole, c.Pace, column)
	}
}

// Column makes a channel of times that are none, so that no number of the file is lost.
func Column(name string, times []float64, rate float64) Channel {
	c := Channel{Name: name, Rate: rate, PerFrame: 1, Wide: times}
	exact := true
	for _, t := range times {
		c.Values = append(c.Values, float32(t))
		exact = exact && (t != t || float64(float32(t)) == t)
	}
	if exact {
		c.Wide = nil
	}
	return c
}
