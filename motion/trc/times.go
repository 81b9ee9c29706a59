package trc

import (
	"cmp"
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// settleTimes finds rate and start, and the times of rows that are not even. The
// header's rate is held against the times by the numbers of the frames, and believed,
// since times are often rounded to a millisecond, unless they disagree grossly. But every row is a frame: where the
// file leaves frames out, the rate is that of the rows.
func (h *Header) settleTimes(r rows) error {
	scaled := h.countTimes(&r)
	h.FirstTime = r.times[0]
	first, last := record.Known(r.times)
	paces, seconds := last-first, 0.0
	if first >= 0 {
		seconds = r.times[last] - r.times[first]
	}
	numbered := (r.to - r.from) / h.rate // seconds, by the numbers of the frames
	measured := record.RateOfTimes(r.times)
	if h.Rate = h.rate; h.rate == 0 {
		h.Rate = measured
	}
	rec := &record.Recording{Rate: h.Rate}
	h.times = record.Uneven(r.times, rec)
	h.Warnings = append(h.Warnings, rec.Warnings...)
	if err := r.order.Restarted(h.times); err != nil {
		return err
	}
	if h.times != nil {
		measured = record.Nominal(h.times)
		h.Rate = cmp.Or(h.rate, measured)
	}
	grossly := first >= 0 && far(seconds, numbered, r.times[last]) && !scaled
	if h.times != nil { // every row is a frame, whatever its number
		end := h.times[len(h.times)-1]
		grossly = far(end-h.times[0], float64(len(h.times)-1)/h.rate, end)
	}
	switch {
	case h.rate == 0 && h.Rate == 0:
		h.Warnings.Add(quality.RateMissing,
			"The header has no usable DataRate, and the times of the rows do not tell it.")
	case h.rate == 0:
		h.Warnings.Add(quality.RateMissing, "The header has no usable DataRate; by the times of the rows it is %g Hz.",
			h.Rate)
	case h.times == nil && r.jumps > 0 && measured > 0 && !record.Holds(h.rate, paces, seconds):
		h.Rate = measured
		h.Warnings.Add(quality.RateDisagrees,
			"DataRate is %g Hz, but frames are left out and by the times of the rows there are %g to a second, which "+
				"was used.", h.rate, measured)
	case grossly && measured > 0:
		h.Rate = measured
		h.Warnings.Add(quality.RateDisagrees,
			"DataRate is %g Hz, but by the times of the rows it is %g Hz, which was used.", h.rate, measured)
	case grossly && h.times != nil && paceIsNot(h.times, h.rate):
		h.Rate = 0
		h.Warnings.Add(quality.RateDisagrees,
			"DataRate is %g Hz, which the times of the rows do not bear, and these have no pace that could be used "+
				"instead.", h.rate)
	case paces > 0 && seconds == 0 && h.times == nil:
		h.Warnings.Add(quality.RateDisagrees,
			"All rows have the time %g s; they were taken for one after another by DataRate, %g Hz.", r.times[first],
			h.rate)
	case !scaled && numbered > 0 && seconds > 0 && math.Abs(seconds-numbered) > max(0.0015, disagree*numbered):
		h.Warnings.Add(quality.RateDisagrees,
			"DataRate is %g Hz, but by the times of the rows it is %g Hz; DataRate was used.", h.rate,
			record.RoundRate((r.to-r.from)/seconds))
	}
	switch {
	case h.times != nil:
		h.begins = h.times[0]
	case first >= 0:
		if h.begins = r.times[first]; first > 0 && h.Rate > 0 { // the rows before have no time of their own
			h.begins -= float64(first) / h.Rate
		}
	case h.Rate > 0:
		h.begins = float64(max(0, h.FirstFrame-1)) / h.Rate
	}
	return nil
}

// far says whether seconds up to a time are off those that are stated by more than times
// are rounded to, in text or in memory.
func far(seconds, stated, end float64) bool {
	const digits = 1.0 / (1 << 50) // of a number of 64 bits, but for its last
	return math.Abs(seconds-stated) > max(0.002, record.Gross*stated, digits*math.Abs(end))
}

// paceIsNot says whether most rows follow one another at one pace, as they do on both
// sides of a gap, and that is not the pace of a rate, by more than times are rounded to.
func paceIsNot(times []float64, rate float64) bool {
	steps := record.Steps(times)
	if len(steps) == 0 {
		return false
	}
	pace, alike := steps[len(steps)/2], 0
	apart := max(0.002, record.Gross*pace)
	for _, step := range steps {
		if math.Abs(step-pace) <= apart {
			alike++
		}
	}
	return 2*alike > len(steps) && math.Abs(pace-1/rate) > max(0.002, record.Gross/rate)
}

// disagree is by which part of the time a rate may be off before it is told: DataRate
// often has few digits.
const disagree = 1e-4

// countTimes makes seconds of the times of the rows, and says whether by DataRate they
// were none before. Times of which nobody can tell what they count become a column.
func (h *Header) countTimes(r *rows) (scaled bool) {
	count := record.Count{PerSecond: 1}
	if perSecond, known := units.PerSecond(h.timeIn); known {
		count.PerSecond = perSecond
	} else {
		count = h.count(r)
	}
	count.Tell(&h.Warnings, "DataRate", uncounted)
	if count.Told == record.Untold {
		h.uncounted = r.times
		r.times = slices.Repeat([]float64{math.NaN()}, len(r.times))
	}
	count.Scale(r.times)
	return count.Told == record.ByRate && count.PerSecond != 1
}

// count finds out what the times count by DataRate, where there is one: by the numbers of
// the frames, some of which may have been left out, or as if every row followed the one
// before it, or as those numbers themselves.
func (h *Header) count(r *rows) record.Count {
	first, last := record.Known(r.times)
	if h.rate == 0 || first == last {
		return record.CountOf(r.times)
	}
	if seconds := r.times[last] - r.times[first]; h.rate > 1+record.Gross && seconds > 0 && seconds == r.to-r.from &&
		math.Abs(r.times[first]-r.from) <= 1 && record.Whole(r.times) {
		return record.Count{PerSecond: h.rate, Told: record.ByRate, Rate: h.rate}
	}
	rates := []float64{h.rate}
	if apart := (r.to - r.from) / float64(last-first); apart > 1 {
		rates = []float64{h.rate / apart, h.rate}
	}
	count := record.CountOf(r.times, rates...)
	if count.Told == record.ByRate {
		count.Rate = h.rate
	}
	return count
}
