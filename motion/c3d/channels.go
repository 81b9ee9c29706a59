package c3d

import (
	"math"
	"slices"

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

// count is how many analog samples a frame has, and how many of them are of each
// channel.
type count struct{ samples, per int }

// samples lists the counts that the parameters allow beside the header's own: so many
// channels as ANALOG:USED says, or as the header does where it counts channels instead
// of samples, each as often as the header or the two rates have it.
func (h *Header) samples() []count {
	var all []count
	add := func(channels int64, per int) {
		c := count{int(channels) * per, per}
		if channels <= 1<<16 && per <= 1<<16 && c.samples != int(h.raw.analog) &&
			!slices.ContainsFunc(all, func(a count) bool { return a.samples == c.samples }) {
			all = append(all, c)
		}
	}
	used, ok := h.Parameter("ANALOG", "USED").Count()
	if !ok {
		used = int64(h.raw.analog)
	}
	for _, per := range []int{h.perByRates(), int(h.raw.perFrame)} {
		if per > 0 {
			add(used, per)
		}
	}
	return all
}

// perByRates is how many samples of each channel a frame has by ANALOG:RATE and
// POINT:RATE, or the header's; 0 when they do not tell.
func (h *Header) perByRates() int {
	frames := h.raw.rate
	if rate, ok := h.real("POINT", "RATE"); ok && record.Usable(rate) {
		frames = rate
	}
	rate, ok := h.real("ANALOG", "RATE")
	if !ok || !record.Usable(rate) || !record.Usable(frames) {
		return 0
	}
	per := math.Round(rate / frames)
	if per < 1 || per > 1<<16 || math.Abs(per*frames-rate) > 1e-3*rate {
		return 0
	}
	return int(per)
}

// byGroups says whether the parameters, of which the rates and the names count too,
// agree about the channels of so many samples where the header does not.
func (h *Header) byGroups(used int64, samples int) bool {
	if used <= 0 || used > int64(samples) || int64(samples)%used != 0 {
		return false
	}
	per := h.perByRates()
	return per == samples/int(used) || per == 0 && len(h.texts("ANALOG", "LABELS")) == int(used)
}

// readAnalogs settles the number of channels and their rate, and names them.
func (h *Header) readAnalogs(l layout) {
	samples, per, channels := l.analog, l.per, 0
	used, stated := h.Parameter("ANALOG", "USED").Count()
	switch {
	case samples == 0:
	case stated && h.byGroups(used, samples):
		channels = int(used)
		if per != samples/channels {
			h.Warnings.Add(quality.AnalogDisagrees,
				"The header counts %d samples of each analog channel in a frame; by the %d samples of the %d "+
					"channels of ANALOG:USED there are %d, which was used.",
				per, samples, channels, samples/channels)
		}
		per = samples / channels
	case per > 0 && samples%per == 0:
		channels = samples / per
	case stated && used > 0 && used <= int64(samples) && int64(samples)%used == 0:
		channels = int(used)
		h.Warnings.Add(quality.AnalogDisagrees,
			"The header counts %d analog samples a frame, %d of each channel, which does not divide; ANALOG:USED %d "+
				"channels was used.", samples, per, used)
		per = samples / channels
	default:
		channels = samples
		h.Warnings.Add(quality.AnalogDisagrees,
			"The header counts %d analog samples a frame, %d of each channel, which does not divide; each was taken "+
				"for a channel.", samples, per)
		per = 1
	}
	if stated && used != int64(channels) {
		h.Warnings.Add(quality.AnalogDisagrees, "The frames hold %d analog channels, ANALOG:USED says %d.", channels,
			used)
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
			h.Warnings.Add(quality.AnalogRate,
				"ANALOG:RATE is %g Hz, but %d samples in each frame make %g Hz, which was used.", rate,
				per, h.AnalogRate)
		}
	}
}

// distinct gives every one of n things a name of its own and notes what was odd.
func (h *Header) distinct(what string, names []string, n int) []string {
	distinct, unnamed, repeated := label.Distinct(names, n)
	if unnamed > 0 {
		h.Warnings.Add(quality.LabelsMissing,
			"%d of the %d %ss have no name; they are called unnamed_ and their number.", unnamed, n, what)
	}
	if repeated > 0 {
		h.Warnings.Add(quality.LabelsRepeated,
			"%d of the %d %ss have a name that another has already; they are told apart by _2, _3 and so on.", repeated,
			n, what)
	}
	extra := 0
	for _, name := range names[min(n, len(names)):] {
		if name != "" {
			extra++
		}
	}
	if extra > 0 {
		h.Warnings.Add(quality.LabelsExtra, "The file has %d %ss and names %d more, which were left out.", n, what,
			extra)
	}
	return distinct
}
