package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/quality"
)

// The things of a long table may be numbered instead of named: frame, person, landmark, x,
// y. A column of that kind is told by its name and by whole numbers.

// things are the words by which the name of a column says that it numbers things.
var things = []string{"landmark", "keypoint", "joint", "marker", "person", "people", "track", "tracker", "object",
	"body", "bodypart", "part", "point", "player",
	"subject", "segment", "bone", "id", "idx", "index", "instance", "individual", "sensor", "device", "hand", "node",
	"athlete"}

// isThing says whether a column of this name, in small letters, may number things.
func isThing(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	in := func(list []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
	}
	return in(things) && !in([]string{"sample", "packet", "frame", "row", "scan", "count", "sub", "line"})
}

// numbersThings finds the columns of a table that may number things.
func (p *plain) numbersThings(rows []headLine) []int {
	var ids []int
	for _, i := range p.data {
		if name := strings.ToLower(p.names[i]); !isThing(name) || i < len(p.layout.words) && p.layout.words[i] ||
			p.units[i] != "" {
			continue
		}
		whole := true
		for _, h := range rows {
			n, ok := p.numerals.number(cell(h.cells, i), -1)
			whole = whole && ok && n == math.Trunc(n) && math.Abs(n) < 1e6
		}
		if whole && len(rows) > 1 && !p.countsOn(rows, i) {
			ids = append(ids, i)
		}
	}
	return ids
}

// moment is the column that tells which frame a row is of, -1 where there is none.
func (p *plain) moment() int {
	if p.frame >= 0 {
		return p.frame
	}
	return p.time
}

// countsOn says whether the numbers of a column go up from one frame to the next, and so
// count the rows.
func (p *plain) countsOn(rows []headLine, i int) bool {
	at, changes := p.moment(), false
	for k := range rows[1:] {
		before, _ := p.numerals.number(cell(rows[k].cells, i), -1)
		now, _ := p.numerals.number(cell(rows[k+1].cells, i), -1)
		if now <= before {
			return false
		}
		changes = changes || at >= 0 && !bytes.Equal(cell(rows[k].cells, at), cell(rows[k+1].cells, at))
	}
	return changes
}

// sameFrame says whether a row is of the same frame as the one before, and of no later time.
func (p *plain) sameFrame(number, seconds float64) bool {
	if p.rows == 0 || p.export || p.frame < 0 || number != p.last {
		return false
	}
	before := p.times[p.rows-1]
	return !(seconds > before)
}

// countFrame takes the number of a row's frame into account. True says that the table
// has a row for each thing of a frame.
func (p *plain) countFrame(cells [][]byte, seconds float64) bool {
	n, ok := p.numerals.number(cell(cells, p.frame), -1)
	if !ok || math.Abs(n) >= 1<<31 {
		return false
	}
	p.keepNumber(n)
	same := p.sameFrame(n, seconds)
	switch {
	case p.rows == 0:
		p.first = int(n)
	case n != p.last+1:
		p.jumps++
		if p.time < 0 && n < p.last && n <= float64(p.first) && !isFull(p.last) && p.restarted == 0 {
			p.restarted = p.number
		}
	}
	if p.last = n; same {
		p.same++
		p.within++
	} else {
		p.within = 1
	}
	p.most = max(p.most, p.within)
	return same && !p.known.long && len(p.layout.ids) > 0
}

// keepNumber keeps the number of a row's frame where the table has no times. A counter that is full
// and begins again at 0 goes on.
func (p *plain) keepNumber(n float64) {
	if p.time >= 0 {
		return
	}
	if n < p.last && len(p.counted) > 0 && isFull(p.last) {
		p.full += p.last + 1
	}
	p.counted = append(p.counted, n+p.full)
}

// isFull says whether a counter of bits is full at a number, and goes on at 0.
func isFull(n float64) bool {
	full := uint64(n) + 1
	return full >= 1<<8 && full&(full-1) == 0
}

// crowded says why a table cannot be read in which most frames have several rows, and
// nothing tells which of them is what.
func (p *plain) crowded() error {
	if 3*p.same <= p.rows ||
		slices.ContainsFunc(p.names, func(name string) bool { return strings.Contains(strings.ToLower(name), "sub") }) {
		return nil
	}
	return &quality.Unreadable{
		Reason: fmt.Sprintf("%s of the %s rows have the number of the frame before, and no column tells what "+
			"each is of", quality.Thousands(int64(p.same)), quality.Thousands(int64(p.rows))),
		Line: p.layout.line, Hint: "Give the rows a column such as person or marker that tells them apart.",
	}
}

// numbered is the name of a thing that has a number: landmark 12.
func numbered(column, number string) string {
	for _, end := range []string{"_id", " id", "_index", " index", "_idx", " idx", "_number", " number"} {
		if rest := strings.TrimSuffix(strings.ToLower(column), end); len(rest) < len(column) && rest != "" {
			column = column[:len(rest)]
			break
		}
	}
	return column + " " + number
}
