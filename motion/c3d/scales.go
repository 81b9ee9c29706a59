package c3d

import (
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
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
		h.Warnings.Add(quality.FirstDisagrees,
			"The header numbers the first frame %s, TRIAL:ACTUAL_START_FIELD %s; the header's number was used.",
			quality.Thousands(first), quality.Thousands(start))
	}
	return int(first)
}

// readScaleAndRate settles scale factor and frame rate.
func (h *Header) readScaleAndRate() {
	h.Scale = math.Abs(decimal(h.raw.scale))
	stated, has := h.real("POINT", "SCALE")
	stated = math.Abs(stated)
	switch usable := scales(h.Scale); {
	case usable && has && differ(h.Scale, stated):
		h.Warnings.Add(quality.ScaleDisagrees,
			"The header's scale factor is %g, POINT:SCALE is %g; the header's was used.", h.Scale, stated)
	case !usable && has && scales(stated):
		h.Warnings.Add(quality.ScaleDisagrees, "The header has no usable scale factor; POINT:SCALE %g was used.",
			stated)
		h.Scale = stated
	case !usable && !h.Real:
		h.Scale = 1
		h.Warnings.Add(quality.ScaleMissing,
			"No place states a usable scale factor; the integer coordinates were taken as they are.")
	case !usable:
		h.Scale = 0
	}
	stated, has = h.real("POINT", "RATE")
	has = has && record.Usable(stated)
	if record.Usable(h.raw.rate) {
		h.Rate = decimal(h.raw.rate)
		if has && differ(h.Rate, stated) {
			h.Warnings.Add(quality.RateDisagrees,
				"The header's frame rate is %g Hz, POINT:RATE is %g Hz; the header's was used.", h.Rate, stated)
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

// scales says whether a number can be the factor of coordinates and residuals:
// none of them may become infinite by it.
func scales(f float64) bool { return f > 0 && f < 1e30 }

// checkParameters notes which of the parameters are missing that every file with
// points should have.
func (h *Header) checkParameters() {
	if len(h.Points) == 0 || !h.has("POINT") {
		return
	}
	var missing []string
	// Of more frames than the header can count, other parameters tell.
	counted := int(h.raw.last)-int(h.raw.first)+1 == h.Frames
	for _, name := range []string{"USED", "SCALE", "RATE", "FRAMES"} {
		if h.Parameter("POINT", name) == nil && (counted || name != "FRAMES") {
			missing = append(missing, "POINT:"+name)
		}
	}
	if len(missing) > 0 {
		h.Warnings.Add(quality.ParameterMissing, "The parameters lack %s; what the header says was used instead.",
			strings.Join(missing, ", "))
	}
}

// has says whether there is a group of that name.
func (h *Header) has(group string) bool {
	return slices.ContainsFunc(h.Groups, func(g Group) bool { return g.Name == group })
}

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
