package table

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// below is what stands among the rows of a table and below them, and is no row.
type below struct {
	parted  bool       // a blank line stands above
	over    bool       // another table or another text has begun
	titled  bool       // with names of its own
	from    int        // the line where it begins
	left    int        // lines of it
	numbers bool       // it has rows of numbers
	skipped garbled    // lines among the rows
	waiting []*waiting // rows that are sums if no other row follows

	timeless garbled // rows without a time behind all others, which were taken for frames
}

// waiting is a row that may be no frame.
type waiting struct {
	cells  [][]byte
	line   int
	likely bool // it is a frame unless its numbers are sums
}

// waitingMost bounds the rows that may be sums: nobody adds up more.
const waitingMost = 64

// sort says whether a line is a row of the table. A row whose time is a word is a sum
// if no other row follows, and a frame whose time is spoilt if one does.
func (p *plain) sort(cells [][]byte) (bool, error) {
	if p.over {
		if !p.resumes(cells) {
			p.left++
			p.numbers = p.numbers || shapeOf(cells).full()
			return false, nil
		}
		p.over, p.skipped.count = false, p.skipped.count+p.left
		p.left = 0
	}
	key := p.time
	if key < 0 {
		key = p.frame
	}
	first := cell(cells, max(key, 0))
	if !p.parted && len(first) > 0 && (first[0] >= '0' && first[0] <= '9' || first[0] == '-') {
		return true, p.settleWaiting(true) // as nearly all rows begin
	}
	s := shapeOf(cells)
	switch {
	case p.export:
		return true, nil
	case s.count[numeral]+s.count[clocked] == 0 && s.count[word] > 0:
		if p.timeWords(s) {
			return true, nil
		}
		p.text(s)
		return false, nil
	case s.count[word] > 0 && sums(cells, s):
		p.skipped.note(p.number)
		return false, nil
	case key < 0:
		return true, nil
	case kindOf(first) == word && (p.timed || p.time < 0), len(first) == 0 && p.parted && p.rows > 0:
		return false, p.wait(cells, false)
	case len(first) == 0 && (p.time >= 0 && p.timed || p.time < 0 && p.rows > 0):
		return false, p.wait(cells, true)
	}
	return true, p.settleWaiting(true)
}

// timeWords says whether a line without numbers may be a frame of which nothing was
// measured, and whose time cannot be read.
func (p *plain) timeWords(s shape) bool {
	return p.time >= 0 && !p.timed && p.time < len(s.kinds) && s.kinds[p.time] == word && s.count[word] == 1 &&
		s.count[missing] > 0
}

// text takes a line of words among the rows into account: names of another table end
// this one, and so does whatever stands behind a blank line.
func (p *plain) text(s shape) {
	titles := s.count[word] >= 2 && 2*s.count[word] >= s.filled()
	if p.rows > 0 && (p.parted || titles) {
		p.over, p.titled, p.from, p.left = true, titles, p.number, 1
		return
	}
	p.skipped.note(p.number)
}

// resumes says whether a row goes on with the table behind a line of text.
func (p *plain) resumes(cells [][]byte) bool {
	if p.titled || p.time < 0 || p.rows < 2 || len(cells) != len(p.names) || p.clock != nil {
		return false
	}
	t, ok := p.numerals.number(cell(cells, p.time), -1)
	t /= p.perSecond
	before, pace := p.times[p.rows-1], p.times[p.rows-1]-p.times[p.rows-2]
	return ok && shapeOf(cells).full() && t > before && t-before < 3.5*pace
}

// sums says whether a row has sums or the like, by the words in it.
func sums(cells [][]byte, s shape) bool {
	for i, k := range s.kinds {
		if k != word {
			continue
		}
		name, _, _ := strings.Cut(strings.ToLower(string(bytes.Trim(cells[i], " .:="))), " ")
		if slices.Contains([]string{"mean", "sd", "std", "stdev", "std.", "st.dev", "min", "max", "minimum", "maximum",
			"sum", "total", "totals", "average", "avg", "median", "count", "rms", "summary", "var",
			"variance", "range", "peak", "cv", "sem", "n", "mittelwert", "summe", "gesamt", "standardabweichung",
			"anzahl", "moyenne", "somme", "media", "mode", "skewness", "kurtosis"}, name) {
			return true
		}
	}
	return false
}

// countsSamples says whether the first row has the number of the other rows in every column but
// that of the times, as AcqKnowledge writes it below the names.
func (p *plain) countsSamples() bool {
	counts, untimed := 0, p.time >= 0 && math.IsNaN(p.times[0])
	for k := range p.data {
		switch v := p.columns.Column(k)[0]; {
		case v == float32(p.rows-1):
			counts++
		case v == v:
			return false
		default: // of times whose name is not known
			untimed = true
		}
	}
	return counts > 0 && untimed && p.rows > 2
}

// wait keeps a row back until it is known whether another follows.
func (p *plain) wait(cells [][]byte, likely bool) error {
	if len(p.waiting) == waitingMost {
		if err := p.settleWaiting(true); err != nil {
			return err
		}
		return p.add(cells)
	}
	w := &waiting{line: p.number, likely: likely}
	for _, cell := range cells {
		w.cells = append(w.cells, bytes.Clone(cell))
	}
	p.waiting = append(p.waiting, w)
	return nil
}

// settleWaiting takes the rows that wait for frames, or counts them as none.
func (p *plain) settleWaiting(frames bool) error {
	if len(p.waiting) == 0 {
		return nil
	}
	all, number := p.waiting, p.number
	p.waiting = nil
	for _, w := range all {
		p.number, p.numerals.line = w.line, w.line
		if !frames {
			p.skipped.note(w.line)
		} else if err := p.add(w.cells); err != nil {
			return err
		}
	}
	p.number, p.numerals.line = number, number
	return nil
}

// settleLast decides on the rows behind the last one that has a time: those that only
// lack it are frames, unless all of their numbers are the sums of the columns, or all the means
// and so on, and their frame number, if there is one, does not follow the row before.
func (p *plain) settleLast() error {
	for len(p.waiting) > 0 {
		w := p.waiting[0]
		rest := p.waiting[1:]
		p.waiting = p.waiting[:1]
		follows := p.follows(w.cells)
		frame := w.likely && (follows || !p.addsUp(w.cells))
		if frame && !follows {
			p.timeless.note(w.line)
		}
		if err := p.settleWaiting(frame); err != nil {
			return err
		}
		p.waiting = rest
	}
	return nil
}

// follows says whether a row has the frame number that follows the row before.
func (p *plain) follows(cells [][]byte) bool {
	n, ok := p.numerals.number(cell(cells, p.frame), -1)
	return ok && p.rows > 0 && n == p.last+1
}

// tellAbove warns of rows with numbers before the first one that has a time: they may be sums.
func (p *plain) tellAbove() {
	first, _ := record.Known(p.times)
	if p.time < 0 || p.export || p.part {
		return
	}
	rows := 0
	all := p.numbersOf()
	for i := range max(0, first) {
		if slices.ContainsFunc(all, func(values []float32) bool { return i < len(values) && values[i] == values[i] }) {
			rows++
		}
	}
	if rows > 0 {
		p.rec.Warnings.Add(quality.TimesMissing,
			"%s rows above the first that has a time have numbers; they were taken for earlier frames.",
			quality.Thousands(int64(rows)))
	}
}

// numbersOf gives the numbers of all columns: those of a long table have the names of its things.
func (p *plain) numbersOf() [][]float32 {
	var all [][]float32
	for _, c := range p.several {
		all = append(all, c.values)
	}
	for k := range p.data {
		if p.columns != nil {
			all = append(all, p.columns.Column(k))
		}
	}
	return all
}

// tellBelow warns of what was left out.
func (b *below) tellBelow(w *quality.Warnings) {
	if b.skipped.count > 0 {
		w.Add(quality.RowsSkipped,
			"%s lines among the rows or below them are no frames, such as sums and remarks, and were skipped; the "+
				"first is line %d.",
			quality.Thousands(int64(b.skipped.count)), b.skipped.at)
	}
	if b.timeless.count > 0 {
		w.Add(quality.TimesMissing,
			"%s rows at the end have no time or number; they were taken for frames. The first is line %d.",
			quality.Thousands(int64(b.timeless.count)), b.timeless.at)
	}
	switch {
	case b.left > 0 && (b.titled || b.numbers):
		w.Add(quality.SectionsSkipped, "Another table begins below the rows in line %d; its %s lines were not read.",
			b.from, quality.Thousands(int64(b.left)))
	case b.left > 0:
		w.Add(quality.RowsSkipped, "%s lines of text below the rows, from line %d on, were skipped.",
			quality.Thousands(int64(b.left)), b.from)
	}
}
