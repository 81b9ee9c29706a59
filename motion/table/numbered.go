package table

import (
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
)

// Rows without times lie at those that their frame numbers and the stated rate give. Where the
// numbers leave frames out, the rows behind are later than as many rows would be; where they go up
// by ten from row to row, the rate may be that of the rows or that of the numbers.

// byNumbers gives rows without times, whose numbers leave frames out, the time of their number, by
// the rate that the file states, and takes back a rate of which nobody can tell whether it is that
// of the rows. What Kinebase wrote has times.
func (p *plain) byNumbers() {
	if p.rate == 0 || p.jumps == 0 || p.restarted > 0 || p.export || p.part || len(p.counted) != p.rows {
		return
	}
	steps := make([]float64, 0, len(p.counted))
	for i, n := range p.counted[1:] {
		steps = append(steps, n-p.counted[i])
	}
	slices.Sort(steps)
	// Numbers that repeat say nothing of time, and those that leave none out nothing new.
	if len(steps) == 0 || !(steps[0] > 0) || steps[0] == 1 && steps[len(steps)-1] == 1 {
		return
	}
	pace := steps[(len(steps)-1)/2]
	if pace == 1 {
		p.rec.Times = make([]float64, p.rows)
		for i, n := range p.counted {
			p.rec.Times[i] = p.rec.Start + (n-p.counted[0])/p.rate
		}
		p.rec.Warnings.Add(quality.TimesUneven,
			"The frame numbers leave frames out, so that the rows are not evenly spaced in time; each was given the "+
				"time of its number, by the stated rate of %g Hz.", p.rate)
		return
	}
	if p.saidOfRows() {
		return
	}
	p.rec.Warnings.Add(quality.RateDisagrees,
		"The file says %g Hz, but its frame numbers go up by %g from row to row, so it cannot be told whether there "+
			"are so many rows or so many frame numbers to a second; the rate was not used.", p.rate, pace)
	p.rate, p.rec.Rate = 0, 0
}

// saidOfRows says whether the stated rate is expressly that of the rows of this file.
func (p *plain) saidOfRows() bool {
	return slices.Contains(p.layout.settings.rates, rate{hz: p.rate, of: ofExport})
}
