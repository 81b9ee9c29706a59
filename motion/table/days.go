package table

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// Spreadsheets keep moments as days since 1900, and times of day as parts of a day; both are
// written as plain numbers where a cell is not formatted as a time.

// since1970 are the days of a spreadsheet before 1970.
const since1970 = 25569

// fastest is how many rows a second no table of numbers without a unit of time has, so that its
// times may be parts of a day.
const fastest = 20_000

// days makes seconds of times that a spreadsheet keeps as days, where that is certain. Parts of a
// day may be very short parts of a second too: then their column is kept as it is, and is no time.
func (p *plain) days() {
	first, last := record.Known(p.times)
	if p.clock != nil || p.timeIn != "" || p.perSecond != 1 || p.export || p.part || first == last || first < 0 {
		return
	}
	from, to := p.times[first], p.times[last]
	rate := float64(last-first) / (to - from)
	if !(to > from) || !record.Usable(rate/day) {
		return
	}
	switch {
	case from >= 20000 && to <= 80000 && !record.Usable(rate):
		for i, t := range p.times {
			p.times[i] = (t - since1970) * day
		}
	case from >= 0 && to <= 1 && rate > fastest && record.Steps(p.times)[0] >= 0 && len(p.clocks) == 0:
		stated := func(rate float64) bool {
			return slices.ContainsFunc(p.layout.settings.rates.counting(), func(hz float64) bool {
				return math.Abs(rate/hz-1) <= record.Gross
			})
		}
		if stated(rate) {
			return
		}
		if stated(rate / day) {
			for i := range p.times {
				p.times[i] *= day
			}
			return
		}
		p.rec.Warnings.Add(quality.TimeUnitUnknown,
			"The times are without a unit, less than 1 and about %.3g apart, so they may be parts of a day or of a "+
				"second; they were kept as the column %q, and give no rate.", (to-from)/float64(last-first),
			p.names[p.time])
		p.keepTimes()
	}
}

// keepTimes makes a column of times of which nobody can tell what they count.
func (p *plain) keepTimes() {
	c := record.Column(p.names[p.time], p.times, 0)
	p.uncertain = []series{{name: c.Name, values: c.Values, wide: c.Wide}}
	p.times = slices.Repeat([]float64{math.NaN()}, len(p.times))
}
