package c3d

import (
	"math"

	"github.com/kinebase/kinebase/motion/quality"
)

// firstFrame is the header's number of the first frame, unless its 16 bits cannot
// hold what TRIAL:ACTUAL_START_FIELD says.
func (h *Header) firstFrame() int {
	first := int64(h.raw.first)
	start, ok := h.Parameter("TRIAL", "ACTUAL_START_FIELD").LongCount()
	switch {
	case !ok || start == first:
	case start > 1<<16-1 && start < 1<<31 && (start&(1<<16-1) == first || first == 1<<16-1):
		first = start
	default:
		h.Warnings.Add(quality.FirstDisagrees, "The header numbers the first frame %s, TRIAL:ACTUAL_START_FIELD %s; the header's number was used.",
			quality.Thousands(first), quality.Thousands(start))
	}
	return int(first)
}

// readScaleAndRate settles scale factor and frame rate.
func (h *Header) readScaleAndRate() {
	h.Scale = math.Abs(decimal(h.raw.scale))
	stated, has := h.real("POINT", "SCALE")
	switch stated = math.Abs(stated); {
	case !has:
	case !(h.Scale > 0) || math.IsInf(h.Scale, 0):
		h.Scale = stated
		h.Warnings.Add(quality.ScaleDisagrees, "The header has no usable scale factor; POINT:SCALE %g was used.", stated)
	case differ(h.Scale, stated):
		h.Warnings.Add(quality.ScaleDisagrees, "The header's scale factor is %g, POINT:SCALE is %g; the header's was used.", h.Scale, stated)
	}
	if !(h.Scale > 0) || math.IsInf(h.Scale, 0) {
		h.Scale = 0
	}
	stated, has = h.real("POINT", "RATE")
	has = has && usable(stated)
	if usable(h.raw.rate) {
		h.Rate = decimal(h.raw.rate)
		if has && differ(h.Rate, stated) {
			h.Warnings.Add(quality.RateDisagrees, "The header's frame rate is %g Hz, POINT:RATE is %g Hz; the header's was used.", h.Rate, stated)
		}
		return
	}
	if has {
		h.Rate = stated
		h.Warnings.Add(quality.RateDisagrees, "The header has no usable frame rate; POINT:RATE %g Hz was used.", stated)
		return
	}
	h.Warnings.Add(quality.RateMissing, "The file does not state its frame rate.")
}

// usable says whether a number can be a frame rate in Hz.
func usable(rate float64) bool { return rate > 1e-3 && rate < 1e6 }

// differ says whether two numbers are not the same but for rounding to 32 bits.
func differ(a, b float64) bool { return math.Abs(a-b) > 1e-5*max(math.Abs(a), math.Abs(b)) }

// real gives the first value of a parameter of real numbers, as the shortest
// decimal; files that state it as an integer are taken at their word.
func (h *Header) real(group, name string) (float64, bool) {
	p := h.Parameter(group, name)
	if p == nil || p.Type == Text || p.Len() == 0 {
		return 0, false
	}
	f := decimal(p.number(0))
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}
