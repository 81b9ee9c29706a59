package frames

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

// clock knows the time of every row.
type clock struct {
	start, rate float64
	uneven      []float64 // nil when the rows are evenly spaced; else of all of them
	frames      int
	last        float64 // time of the last row
}

// newClock takes the times of a recording: whole has those of all frames where
// they are not evenly spaced.
func newClock(whole *motion.Recording, frames int) *clock {
	c := &clock{start: whole.Start, rate: whole.Rate, uneven: whole.Times, frames: frames, last: whole.Start}
	if frames > 0 {
		c.last = c.at(frames - 1)
	}
	return c
}

// at is the time of a row in seconds, NaN where the file does not tell.
func (c *clock) at(row int) float64 {
	switch {
	case row < len(c.uneven):
		return c.uneven[row]
	case c.rate > 0:
		return c.start + float64(row)/c.rate
	case row == 0:
		return c.start
	}
	return math.NaN()
}

// within is the time of a sample, the one of that place among per samples during a
// row. In uneven rows the samples lie evenly up to the next one, those of the last by
// the rate that the file states.
func (c *clock) within(row, place, per int) float64 {
	at := c.at(row)
	part := float64(place) / float64(per)
	switch {
	case place == 0:
		return at
	case row+1 < len(c.uneven):
		return at + part*(c.uneven[row+1]-at)
	case c.uneven != nil && c.rate > 0:
		return at + part/c.rate
	case c.rate > 0:
		return c.start + (float64(row)+part)/c.rate
	}
	return math.NaN()
}

// span is the time from the first row to the last, of rows in disorder from the
// earliest to the latest; NaN where the file does not tell.
func (c *clock) span() float64 {
	if len(c.uneven) > 0 {
		return slices.Max(c.uneven) - slices.Min(c.uneven)
	}
	return c.last - c.start
}

// row is the row nearest to a time; nil when it lies outside the recording.
func (c *clock) row(t float64) *int {
	if c.frames == 0 || math.IsNaN(t) {
		return nil
	}
	var row int
	switch {
	case c.uneven != nil:
		within := false
		if row, within = record.Within(c.uneven, t); !within {
			return nil
		}
	case c.rate > 0:
		place := math.Round((t - c.start) * c.rate)
		if place < 0 || place >= float64(c.frames) {
			return nil
		}
		row = int(place)
	default:
		return nil
	}
	return &row
}
