package table

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// The lines above the names may state several rates, of which each is that of one stream:
// of the cameras, of the analog channels, of the rows of this very file. Only what is
// said of the rows can be contradicted by their times.

// stream is what a stated rate is the rate of, that of the rows first.
type stream byte

const (
	ofExport  stream = iota // the rows of this file, by the word export or output
	ofRows                  // whatever the rows are: Rate, Sample rate, Frequency
	ofFrames                // cameras and their markers
	ofSamples               // analog channels, force plates, EMG
	ofVideo                 // a video beside the recording
)

// rate is one that the file states.
type rate struct {
	hz     float64
	of     stream
	unsure bool // it may be meant otherwise, and counts only where the times bear it
	coarse bool // it is of a time of so few digits that the times of rows tell it better
}

// rates are those that the file states, that of the export first, then by stream.
type rates []rate

// note takes a setting into account, if it is a rate.
func (r *rates) note(name, value, next string) {
	if n, ok := rateNameOf(name); ok {
		r.add(n.ratesOf(value, next)...)
	}
}

func (r *rates) add(all ...rate) {
	for _, one := range all {
		if !slices.Contains(*r, one) {
			*r = append(*r, one)
		}
	}
	slices.SortStableFunc(*r, func(a, b rate) int { return cmp.Compare(a.of, b.of) })
}

// A statement is a name and a number within one cell. A sign or a unit tells that they
// belong together.
var statement = regexp.MustCompile(
	`(\pL[\pL _./()\[\]'-]*?)\s*(?:([:=@])|\b(?:of|at|is)\b)?\s*([0-9][0-9.,/' ]*[0-9]|[0-9])\s*((?:[kK]?[hH][zZ]|fps|FPS|[mµu]s)\b)?([^:=,;|\t]*)([:=]?)`)

// another is the beginning of a second number: 20-450 Hz, 100 Hz / 1000 Hz.
var another = regexp.MustCompile(`^(?:[-–/&+]|and|or|to)\s*[0-9]`)

// stated takes into account what stands within the cells of a line: Rate: 100, Filter:
// none; recorded at 100 Hz; and 100 Hz alone.
func (r *rates) stated(cells []string) {
	filled := slices.DeleteFunc(slices.Clone(cells), func(cell string) bool { return cell == "" })
	if len(filled) == 1 {
		r.alone(filled[0])
	}
	for _, cell := range cells {
		if !strings.ContainsAny(cell, "0123456789") {
			continue // there is no number, and looking for a statement is slow
		}
		r.sentence(cell)
		for _, found := range statement.FindAllStringSubmatch(cell, -1) {
			name, sign, number, unit, behind := lastWords(found[1]), found[2], found[3], found[4],
				strings.TrimSpace(found[5])
			n, ok := rateNameOf(name)
			if !ok && unit != "" && isRecording(name) {
				n, ok = rateName{of: streamOf(wordsOf(name))}, true
			}
			if !ok || sign == "" && (unit == "" || isUnitAlone(name)) || another.MatchString(behind) {
				continue
			}
			if unit == "" && found[6] == "" { // what is behind it is no name of another setting
				unit = behind
			}
			r.add(n.ratesOf(number+" "+unit, "")...)
		}
	}
}

// inSentence is a rate that a preposition brings in, wherever it stands in a sentence.
var inSentence = regexp.MustCompile(`(?:\bat|@)\s*([0-9]+(?:\.[0-9]+)?\s*(?:[kK]?[hH][zZ]|fps|FPS)\b)`)

// someRate is any number with the unit of a rate.
var someRate = regexp.MustCompile(`[0-9]\s*(?:[kK]?[hH][zZ]|fps|FPS)\b`)

// sentence takes the only rate of a sentence about data or a file into account: Data File
// Created By a device at 30 Hz. One that speaks of a filter or the like before it is another.
func (r *rates) sentence(cell string) {
	found := inSentence.FindStringSubmatchIndex(cell)
	if found == nil || len(someRate.FindAllString(cell, 2)) > 1 {
		return
	}
	before := strings.ToLower(cell[:found[0]])
	words := wordsOf(before)
	in := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	if !in("data", "file", "recorded", "sampled", "captured", "acquired", "measured", "exported", "logged", "created",
		"collected", "streamed") || in(noRates...) ||
		in("smoothed", "vibrating", "stimulated", "notched", "flickering", "walking", "running") ||
		slices.ContainsFunc(noRateParts, func(part string) bool { return strings.Contains(before, part) }) {
		return
	}
	r.add(rateName{of: streamOf(words)}.ratesOf(cell[found[2]:found[3]], "")...)
}

// below takes a line of numbers into account that stands right below a line of names:
// Video rate (Hz), Analog rate (Hz).
func (r *rates) below(above []headLine, h *headLine) {
	if len(above) == 0 || !h.shape.full() || len(h.cells) < 2 {
		return
	}
	names := above[len(above)-1]
	if len(names.shape.kinds) != len(h.shape.kinds) || names.shape.filled() != names.shape.count[word] {
		return
	}
	for c := range h.shape.kinds {
		r.note(label.Clean(names.cells[c]), label.Clean(h.cells[c]), "")
	}
}

// alone takes a line into account that has nothing but a rate: 100 Hz.
func (r *rates) alone(cell string) {
	found := firstNumber(cell)
	if found == nil {
		return
	}
	unit := strings.ToLower(strings.TrimSpace(found[3]))
	if perSecondUnits[unit] > 0 {
		r.add(rateName{of: ofRows}.ratesOf(cell, "")...)
		return
	}
	for _, of := range []string{"/sample", "/samples", " per sample", "/scan", "/frame"} { // 0.5 msec/sample
		if time, ok := strings.CutSuffix(unit, of); ok && found[2] == "" {
			r.add(rateName{of: ofRows, period: true}.ratesOf(found[1]+" "+time, "")...)
			return
		}
	}
}

// isUnitAlone says whether a name is no more than Hz.
func isUnitAlone(name string) bool {
	words := wordsOf(name)
	return len(words) == 1 && perSecondUnits[words[0]] > 0
}

// isRecording says whether a text ends with a word for recording: sampled at 100 Hz.
func isRecording(text string) bool {
	words := wordsOf(text)
	return len(words) > 0 &&
		slices.Contains([]string{"recorded", "sampled", "captured", "acquired", "measured", "exported", "resampled"},
			words[len(words)-1])
}

// lastWords are the last words of a text, as many as the name of a rate has.
func lastWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[max(0, len(words)-4):], " ")
}

// only gives the rates of some streams that are sure.
func (r rates) only(of ...stream) rates {
	return slices.DeleteFunc(slices.Clone(r), func(one rate) bool { return one.unsure || !slices.Contains(of, one.of) })
}

// agreed is the one rate that all state; 0 where they differ or there is none.
func (r rates) agreed() float64 {
	if len(r) == 0 || slices.ContainsFunc(r, func(one rate) bool { return one.hz != r[0].hz }) {
		return 0
	}
	return r[0].hz
}

// counting are the rates that may tell what times count: those of the rows, or of
// analog channels where no others are stated.
func (r rates) counting() []float64 {
	own := r.only(ofExport, ofRows, ofFrames)
	if len(own) == 0 {
		own = r.only(ofSamples, ofVideo)
	}
	var all []float64
	for _, one := range own {
		all = append(all, one.hz)
	}
	return all
}

// stated takes the rate that the lines above the names state: where times tell, that of
// several which they bear, and else the one that is that of the rows.
func (p *plain) stated(paces int, seconds float64) {
	all := p.layout.settings.rates
	if p.rate > 0 || len(all) == 0 {
		return
	}
	if paces > 0 {
		p.rate = p.borne(all, paces, seconds)
		return
	}
	if p.rate = p.ofRows(p.ofSubFrames(all)); p.rate > 0 {
		return
	}
	if sure := all.only(ofExport, ofRows, ofFrames, ofSamples, ofVideo); len(sure) > 1 {
		p.rec.Warnings.Add(quality.RateDisagrees,
			"The lines above the names state %d rates, from %g Hz on, and no time tells which is that of the rows; "+
				"none was used.", len(sure), sure[0].hz)
	}
}

// borne gives the rate that the times bear. That of the export comes first, whether they
// do or not, for it is said of these very rows.
func (p *plain) borne(all rates, paces int, seconds float64) float64 {
	holds := func(one rate) bool { return record.Holds(one.hz, paces, seconds) }
	own := all.only(ofExport)
	if len(own) == 0 {
		own = all.only(ofRows)
	}
	at := slices.IndexFunc(all, holds)
	switch {
	case len(own) > 0 && own[0].of == ofExport && !slices.ContainsFunc(own, holds):
		return own[0].hz
	case at >= 0:
		p.contradicted(own, all[at], holds)
		if measured := record.RateOfTimes(p.times); all[at].coarse && measured > 0 {
			return measured
		}
		return all[at].hz
	}
	if own = slices.DeleteFunc(slices.Clone(all), func(one rate) bool { return one.unsure }); len(own) == 0 {
		return 0
	}
	measured := float64(paces) / seconds
	return slices.MinFunc(own, func(a, b rate) int {
		return cmp.Compare(math.Abs(math.Log(a.hz/measured)), math.Abs(math.Log(b.hz/measured)))
	}).hz
}

// contradicted warns of a rate that is said of the rows and that the times do not bear,
// where another stated rate fits them. Beside the rate of the cameras a sample rate is
// that of analog channels.
func (p *plain) contradicted(own rates, fits rate, holds func(rate) bool) {
	if fits.of == ofFrames {
		return
	}
	if at := slices.IndexFunc(own, func(one rate) bool { return !holds(one) }); at >= 0 {
		p.rec.Warnings.Add(quality.RateDisagrees,
			"The lines above the names state %g Hz and %g Hz; by the times of the rows it is %g Hz, which was used.",
			own[at].hz, fits.hz, fits.hz)
	}
}

// bearable is the stated rate of rows that are not evenly spaced in time. One that neither
// most of their steps nor all of them together bear is that of something else, and is none.
func (p *plain) bearable(paces int, seconds float64) float64 {
	if p.rate == 0 || p.export || paces < 2 || !(seconds > 0) {
		return p.rate
	}
	steps := record.Steps(p.times)
	near := func(pace float64) bool { return math.Abs(p.rate*pace-1) <= record.Gross }
	if near(seconds/float64(paces)) || near(steps[(len(steps)-1)/2]) {
		return p.rate
	}
	p.rec.Warnings.Add(quality.RateDisagrees,
		"The file says %g Hz, but the times of the rows, which are not even, are about %.6g s apart; the rate was "+
			"not used.", p.rate, seconds/float64(paces))
	return 0
}

// ofRows gives the rate of rows that have no times, 0 where the file does not say which
// of several it is. Analog channels and a video may have rates of their own beside those
// of positions.
func (p *plain) ofRows(all rates) float64 {
	if own := all.only(ofExport); len(own) > 0 {
		return own.agreed()
	}
	rows, frames, samples := all.only(ofRows), all.only(ofFrames), all.only(ofSamples)
	switch {
	case p.hasPositions():
		if own := append(rows, frames...); len(own) > 0 {
			return own.agreed()
		}
		return all.only(ofVideo).agreed()
	case len(rows) > 0:
		return append(rows, frames...).agreed()
	case len(frames) > 0:
		return append(frames, samples...).agreed()
	}
	if len(all.only(ofVideo)) > 0 {
		return 0
	}
	return samples.agreed()
}

// hasPositions says whether the table has columns in threes that are positions.
func (p *plain) hasPositions() bool {
	all := p.several // those of a long table have the names of its things
	if all == nil {
		all = p.bare()
	}
	for i := range all {
		if name, ok := three(all, i); ok && !all[i].vector &&
			(all[i].unit == "" && meaning(name) == record.Position || quantityOf(all[i].unit) == record.Position &&
				all[i].unit != "") {
			return true
		}
	}
	return false
}
