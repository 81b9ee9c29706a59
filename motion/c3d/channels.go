package c3d

import (
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// readPoints names the points and their unit.
func (h *Header) readPoints(n int) {
	names := h.texts("POINT", "LABELS")
	h.Points = h.distinct("point", names, n)
	h.Prefixes = label.Prefixes(h.Points)
	if units := h.Parameter("POINT", "UNITS").Strings(); len(units) > 0 {
		h.Unit = units[0]
	}
}

// readAnalogs settles the number of channels and their rate, and names them.
// samples is the number in a frame, of all channels together.
func (h *Header) readAnalogs(samples int) {
	per, channels := int(h.raw.perFrame), 0
	used, stated := h.Parameter("ANALOG", "USED").Count()
	switch {
	case samples == 0:
	case per > 0 && samples%per == 0:
		channels = samples / per
	case stated && used > 0 && used <= int64(samples) && int64(samples)%used == 0:
		channels = int(used)
		h.Warnings.Add(quality.AnalogDisagrees, "The header counts %d analog samples a frame, %d of each channel, which does not divide; ANALOG:USED %d channels was used.", samples, per, used)
		per = samples / channels
	default:
		channels = samples
		h.Warnings.Add(quality.AnalogDisagrees, "The header counts %d analog samples a frame, %d of each channel, which does not divide; each was taken for a channel.", samples, per)
		per = 1
	}
	if stated && used != int64(channels) {
		h.Warnings.Add(quality.AnalogDisagrees, "The frames hold %d analog channels, ANALOG:USED says %d.", channels, used)
	}
	h.AnalogPerFrame = per
	h.Analogs = h.distinct("channel", h.texts("ANALOG", "LABELS"), channels)
	if channels == 0 {
		return
	}
	h.AnalogRate = h.Rate * float64(per)
	if rate, ok := h.real("ANALOG", "RATE"); ok && record.Usable(rate) {
		if h.AnalogRate == 0 {
			h.AnalogRate = rate
		} else if differ(h.AnalogRate, rate) {
			h.Warnings.Add(quality.AnalogRate, "ANALOG:RATE is %g Hz, but %d samples in each frame make %g Hz, which was used.", rate, per, h.AnalogRate)
		}
	}
}

// distinct gives every one of n things a name of its own and notes what was odd.
func (h *Header) distinct(what string, names []string, n int) []string {
	distinct, unnamed, repeated := label.Distinct(names, n)
	if unnamed > 0 {
		h.Warnings.Add(quality.LabelsMissing, "%d of the %d %ss have no name; they are called unnamed_ and their number.", unnamed, n, what)
	}
	if repeated > 0 {
		h.Warnings.Add(quality.LabelsRepeated, "%d of the %d %ss have a name that another has already; they are told apart by _2, _3 and so on.", repeated, n, what)
	}
	extra := 0
	for _, name := range names[min(n, len(names)):] {
		if name != "" {
			extra++
		}
	}
	if extra > 0 {
		h.Warnings.Add(quality.LabelsExtra, "The file has %d %ss and names %d more, which were left out.", n, what, extra)
	}
	return distinct
}
