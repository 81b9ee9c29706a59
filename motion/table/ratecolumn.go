package table

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// A column may state the rate of the rows: in each of them, or in the first alone, as the
// training sessions of Polar do. It is a setting, and no measurement.

// rateColumn finds such a column, and takes its number for a setting. One that the times do
// not bear is a column like any other.
func (p *plain) rateColumn() {
	p.rated = -1
	if p.export || p.part || p.several != nil || p.known.long {
		return
	}
	first, last := record.Known(p.times)
	for k, i := range p.data {
		v, ok := constant(p.columns.Column(k))
		if !ok || !isSampling(p.names[i]) {
			continue
		}
		n, ok := rateNameOf(p.names[i])
		if !ok {
			continue
		}
		number := strconv.FormatFloat(float64(v), 'f', -1, 32)
		candidates := n.ratesOf(number+" "+p.units[i], "")
		if p.units[i] == "" && !n.period { // it may as well be the time from one to the next
			candidates = append(candidates, rate{hz: 1 / float64(v), of: n.of, unsure: true})
		}
		for _, one := range candidates {
			if record.Usable(one.hz) && (first < 0 || first == last) && !one.unsure || first >= 0 && first < last &&
				p.bears(one.hz, last-first, p.times[last]-p.times[first]) {
				one.unsure = false
				p.layout.settings.rates.add(one)
				p.rated = k
				return
			}
		}
	}
}

// bears says whether times bear a rate, in seconds or in what parts of one they may count.
func (p *plain) bears(hz float64, paces int, seconds float64) bool {
	parts := []float64{1}
	if p.clock == nil && p.timeIn == "" && p.perSecond == 1 {
		parts = []float64{1, 1e3, 1e6, 1e9}
	}
	return slices.ContainsFunc(parts, func(part float64) bool { return record.Holds(hz, paces, seconds/part) })
}

// isSampling says whether a name speaks of samples or frames, and not of any rate.
func isSampling(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return slices.Contains([]string{"sample", "sampling", "samplerate", "samplingrate", "frame", "framerate", "fps",
			"acquisition", "capture", "output", "outputrate", "odr", "abtastrate", "bildrate",
			"muestreo", "campionamento"}, w)
	})
}

// constant gives the number that all values are which are there.
func constant(values []float32) (v float32, ok bool) {
	for _, x := range values {
		switch {
		case x != x:
		case !ok:
			v, ok = x, true
		case x != v:
			return 0, false
		}
	}
	return v, ok && v > 0
}

// areRates says whether a line below the names has the rates of the columns: 2000 Hz, 200 Hz.
func areRates(h *headLine) bool {
	for c, k := range h.shape.kinds {
		if k != empty && hertz(label.Clean(h.cells[c])) == 0 {
			return false
		}
	}
	return len(h.shape.kinds) > 1
}

// hertz reads a rate with its unit, 0 where a text is none.
func hertz(text string) float64 {
	if kindOf([]byte(text)) == numeral {
		return 0
	}
	if all := (rateName{of: ofRows, bare: true}).ratesOf(text, ""); len(all) == 1 {
		return all[0].hz
	}
	return 0
}

// columnRates takes a line of rates into account. Columns of different ones have times of
// their own, or nothing tells which of their numbers belong together.
func (p *plain) columnRates() error {
	var own []float64
	for c, text := range p.layout.rates {
		if hz := hertz(text); hz > 0 && (slices.Contains(p.data, c) || c == p.time) && !slices.Contains(own, hz) {
			own = append(own, hz)
		}
	}
	if len(own) > 1 && len(p.clocks) < 2 {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The columns are of different rates, %g Hz and %g Hz, and have no times of their "+
				"own, so it cannot be told which numbers belong together", own[0], own[1]),
			Line: p.layout.line, Hint: "Export them with times, or those of one rate alone.",
		}
	}
	if len(own) == 1 {
		p.layout.settings.rates.add(rate{hz: own[0], of: ofRows})
	}
	return nil
}
