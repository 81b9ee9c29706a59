package table

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// risingTime finds the column of times of a table in which none is called so, but one
// tells by its name that a clock counts in it, as boot_ms or Timestamp_Unix_CAL, and by
// its numbers that they never fall.
func (p *plain) risingTime() int {
	if p.export || p.part || p.time >= 0 ||
		slices.ContainsFunc(p.names, func(name string) bool { return isTime(strings.ToLower(name)) }) {
		return -1
	}
	for i, name := range p.names {
		if i < len(p.layout.rising) && p.layout.rising[i] && isClockName(name) {
			return i
		}
	}
	if i := p.pathTime(); i >= 0 {
		return i
	}
	return p.coarseTime()
}

// wordsOf takes a name apart: TimeUs, boot_ms, Time since start in ms.
func wordsOf(name string) []string {
	if whole := strings.ToLower(name); len(name) > 1 {
		if _, ok := units.PerSecond(whole); ok { // mSec
			return []string{whole}
		}
	}
	var spaced strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(rune(name[i-1])) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) })
}

// clockWords are the words that the name of a clock may have beside its unit.
var clockWords = []string{"time", "t", "elapsed", "boot", "uptime", "since", "start", "in", "from", "of", "the",
	"clock", "unix", "epoch", "system", "device", "phone", "host",
	"sensor", "abs", "absolute", "relative", "rel", "local", "utc", "recording", "session", "run", "trial", "latest",
	"ts"}

// isDuration says whether a name is that of a time that something took.
func isDuration(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return slices.Contains([]string{"contact", "flight", "reaction", "response", "hold", "stance", "swing", "step",
			"stride", "split", "lap", "hang", "movement", "braking", "contraction"}, w)
	})
}

// isClockName says whether a column of this name may count time. A time that something
// took, as reaction_time_ms, has another word.
func isClockName(name string) bool {
	words := wordsOf(name)
	if slices.Contains(words, "timestamp") || slices.Contains(words, "timestamps") {
		return true
	}
	return clockUnit(words) != "" &&
		!slices.ContainsFunc(words,
			func(w string) bool { return clockUnit([]string{w}) == "" && !slices.Contains(clockWords, w) })
}

// clockUnit is the unit among the words of the name of a clock, "" where there is none.
func clockUnit(words []string) string {
	for _, w := range slices.Backward(words) {
		if perSecond, ok := units.PerSecond(w); ok && perSecond >= 1 {
			return w
		}
	}
	return ""
}

// risingColumns says of which columns the numbers of the first rows never fall, and rise.
func risingColumns(rows []headLine, width int) []bool {
	rising := make([]bool, width)
	var n numerals
	for i := range rising {
		last, steps, falls := math.Inf(-1), 0, false
		for _, h := range rows {
			v, ok := n.number(cell(h.cells, i), -1)
			if falls = falls || !ok || v < last; v > last {
				steps++
			}
			last = v
		}
		rising[i] = steps > 2 && !falls
	}
	return rising
}

// wholeColumns says which columns have nothing but whole numbers in the first rows.
func wholeColumns(rows []headLine, width int) []bool {
	whole := make([]bool, width)
	var n numerals
	for i := range whole {
		whole[i] = !slices.ContainsFunc(rows, func(h headLine) bool {
			v, ok := n.number(cell(h.cells, i), -1)
			return ok && v != math.Trunc(v)
		})
	}
	return whole
}

// steady says of which columns most of the first rows repeat the cell of the row before, and
// in which every number is greater than the one before.
func steady(rows []headLine, width int) (repeats, climbs []bool) {
	repeats, climbs = make([]bool, width), make([]bool, width)
	rows = slices.DeleteFunc(slices.Clone(rows),
		func(h headLine) bool { return h.shape.count[word] > 0 && sums(h.cells, h.shape) })
	var n numerals
	for i := range width {
		same, climb, last := 0, len(rows) > 1, math.Inf(-1)
		for k, h := range rows {
			if k > 0 && len(cell(h.cells, i)) > 0 && bytes.Equal(cell(h.cells, i), cell(rows[k-1].cells, i)) {
				same++
			}
			v, ok := n.number(cell(h.cells, i), -1)
			climb = climb && ok && v > last
			last = v
		}
		repeats[i], climbs[i] = 2*same > len(rows), climb
	}
	return repeats, climbs
}

// fineTime reads the time of Xsens sensors, SampleTimeFine: a counter of 32 bits, which
// begins again at 0 after it is full.
func (p *plain) fineTime(n float64) float64 {
	if p.time < 0 || !strings.EqualFold(p.names[p.time], "sampletimefine") || n < 0 || n >= 1<<32 {
		return n
	}
	if p.rows > 0 && n+p.wrapped < p.fine-1<<31 {
		p.wrapped += 1 << 32
	}
	p.fine = n + p.wrapped
	return p.fine
}

// settleFine makes seconds of a SampleTimeFine that counts tenths of milliseconds, as that
// of sensors with a cable: as microseconds they would be faster than any such sensor.
func (p *plain) settleFine() {
	if p.time < 0 || !strings.EqualFold(p.names[p.time], "sampletimefine") || p.units[p.time] != "" {
		return
	}
	first, last := record.Known(p.times)
	if first < 0 || record.RateOf(last-first, p.times[last]-p.times[first]) <= 2500 {
		return
	}
	for i := range p.times {
		p.times[i] *= 100
	}
}

// settleCount decides what times without a unit, or in one that is not known, count. Where
// nobody can tell, their column is kept as it is, and is no time.
func (p *plain) settleCount() {
	_, known := units.PerSecond(p.timeIn)
	if p.time < 0 || p.clock != nil || known || p.perSecond != 1 || p.export || p.part || len(p.clocks) > 0 {
		return
	}
	name := p.names[p.time]
	count := record.CountOf(p.times, p.layout.settings.rates.counting()...)
	if p.timeIn != "" && (count.Told == record.Doubtful || count.Told == record.Untold) {
		p.rec.Warnings.Add(quality.TimeUnitUnknown,
			"The times are in %q, which is no unit of time that is known; they were kept as the column %q, and give "+
				"no rate.",
			p.timeIn, name)
		count.Told, p.timeIn = record.Untold, ""
	} else if count.Told != record.ByRate || count.PerSecond == count.Rate {
		count.Tell(&p.rec.Warnings, "the rate that the file states", name)
	}
	if count.Told != record.Untold {
		count.Scale(p.times)
		return
	}
	p.keepTimes()
}
