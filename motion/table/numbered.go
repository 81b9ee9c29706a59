package table

import (
	"slices"
	"strings"

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

// rowNumbers are names of columns that may count the rows, in small letters.
var rowNumbers = []string{"sample", "samples", "sample #", "sample#", "sample no", "sample no.", "sample number",
	"sample_number", "sample_no", "sample index", "sample_index", "samplenumber", "index", "row", "row number",
	"row_number", "counter", "packet", "packet number", "packet_number"}

// tellGaps warns of a column that may count the rows and leaves numbers out. Whether rows were
// lost there cannot be known, for such a column may be a measurement as well.
func (p *plain) tellGaps() {
	if p.rate == 0 || p.time >= 0 || p.frame >= 0 || p.export || p.part {
		return
	}
	for i := range p.rec.Analogs {
		if c := &p.rec.Analogs[i]; slices.Contains(rowNumbers, strings.ToLower(strings.TrimSpace(c.Name))) {
			if gaps := gapsOf(c.Values); gaps > 0 {
				p.rec.Warnings.Add(quality.TimesUneven,
					"The numbers in %q leave some out %s times. If they count the rows, rows are lost there, and "+
						"those behind are later than they were taken for: evenly spaced, at the stated rate of %g "+
						"Hz.", c.Name,
					quality.Thousands(int64(gaps)), p.rate)
			}
			return
		}
	}
}

// gapsOf counts the places where whole numbers that go up by one leave some out; 0 where they are
// no such numbers.
func gapsOf(values []float32) (gaps int) {
	ones := 0
	for i, v := range values[min(1, len(values)):] {
		switch step := v - values[i]; {
		case step == 1:
			ones++
		case step > 1 && step == float32(int64(step)):
			gaps++
		default:
			return 0
		}
	}
	if ones <= gaps { // they count something else
		return 0
	}
	return gaps
}

// saidOfRows says whether the stated rate is expressly that of the rows of this file.
func (p *plain) saidOfRows() bool {
	return slices.Contains(p.layout.settings.rates, rate{hz: p.rate, of: ofExport})
}

// ofSubFrames makes the rates of frames those of the rows, where a frame has several rows that a column of sub frames
// counts. A rate of which nobody says what it is of is taken for that of the rows, and told.
func (p *plain) ofSubFrames(all rates) rates {
	frames := p.rows - p.same
	if p.frame < 0 || p.same == 0 || !slices.ContainsFunc(p.names, isSubFrame) {
		return all
	}
	each := p.most
	lost := frames*each - p.rows // of the first and the last frame, which need not be whole
	even := lost == 0 || frames > 2 && lost < 2*each
	var own rates
	for _, one := range all {
		switch {
		case one.of == ofFrames && !even:
			p.rec.Warnings.Add(quality.RateDisagrees,
				"The file says %g Hz of its frames, which have different numbers of rows; the rate was not used.",
				one.hz)
			continue
		case one.of == ofFrames:
			one.hz *= float64(each)
		case one.of == ofRows && !one.unsure:
			p.rec.Warnings.Add(quality.RateDisagrees,
				"The file says %g Hz, and its frames have %d rows each; it was taken for the rate of the rows.",
				one.hz, each)
		}
		own = append(own, one)
	}
	return own
}

// isSubFrame says whether a column counts the rows within a frame.
func isSubFrame(name string) bool {
	switch strings.Join(wordsOf(name), "") {
	case "subframe", "subframes", "subsample", "subframeno", "subframenumber":
		return true
	}
	return false
}
