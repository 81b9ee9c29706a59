package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// layout is what the first lines of a plain table say of its columns.
type layout struct {
	first        int      // place in head of the first row
	line         int      // of the names
	names        []string // of all columns, units in brackets included
	units        []string // from a line of their own; "" where there is none
	words        []bool   // columns that hold words in all rows that were looked at
	rising       []bool   // columns whose numbers never fall
	whole        []bool   // columns of whole numbers
	repeats      []bool   // columns whose cells are mostly those of the row before
	climbs       []bool   // columns whose numbers rise in every row
	ids          []int    // columns that may number the things of a long table
	index        bool     // the first column only counts the rows
	width        int      // cells of the widest of the first rows
	long         bool     // a row is one thing of a frame
	settings     settings
	zeros        bool   // a point at 0, 0, 0 was not seen
	marks        []mark // events among the settings
	firstSample  int    // of an export of samples of Qualisys; 0 where none is stated
	top          int    // place in head of the highest line of names
	sums         garbled
	rates        []string // of the columns, from a line of their own
	clock        int      // the first column that has times of day, -1 where there is none
	clocked      []bool   // columns that hold times of day in all rows that were looked at
	dated        []bool   // columns that hold dates in all rows that were looked at
	above        int      // rows of numbers above the names
	aboveAt      int      // the line of the first of them
	vectors      []bool   // columns that are no positions
	dropped      []bool   // columns that are not kept
	files        int      // whose columns stand side by side
	eventColumns int      // that were dropped
	runs         int      // recordings side by side, each with times of its own
	more         int      // cells that the rows have beyond the names
	shifted      int      // lines of names that do not stand above the first of their columns
}

// layout finds rows, names and settings.
func (s *source) layout() (*layout, error) {
	if l := s.wristband(); l != nil {
		return l, nil
	}
	moment, beats := s.beats()
	at := s.body()
	if at < 0 {
		return nil, &quality.Unreadable{Reason: "The table has words and no row of numbers", Line: s.number,
			Hint: "Check what kind of file it is, or export it again."}
	}
	l := &layout{first: at, clock: -1, settings: s.settings(at)}
	l.marks = s.marks(l)
	if beats {
		l.settings.recorded.begin(moment)
	}
	for _, h := range s.rows(at) {
		l.width = max(l.width, len(h.shape.kinds))
	}
	if err := s.header(l); err != nil {
		return nil, err
	}
	for i := range s.head[:l.top] {
		if h := &s.head[i]; h.shape.full() && len(h.shape.kinds) > 1 && !h.remark {
			if l.above++; l.above == 1 {
				l.aboveAt = h.number
			}
		}
	}
	l.uncommented()
	if err := s.widen(l); err != nil {
		return nil, err
	}
	if err := s.byAccident(l); err != nil {
		return nil, err
	}
	if err := s.labVIEW(l); err != nil {
		return nil, err
	}
	l.words, l.clocked, l.dated = make([]bool, len(l.names)), make([]bool, len(l.names)), make([]bool, len(l.names))
	rows := s.rows(at)
	for i := range l.words {
		words, others, clocks, dated := 0, 0, 0, 0
		for _, h := range rows {
			if c := cell(h.cells, i); len(c) >= 6 && len(c) <= 24 && len(readingsOf(label.Clean(c))) > 0 {
				dated++
			}
			switch {
			case i >= len(h.shape.kinds), h.shape.kinds[i] == empty, h.shape.kinds[i] == missing:
			case h.shape.kinds[i] == word && isMinutes(h.cells[i]):
				others++ // no name of a thing
			case h.shape.kinds[i] == word:
				words++
			case h.shape.kinds[i] == clocked:
				clocks++
				others++
			default:
				others++
			}
		}
		l.words[i] = words > 0 && others == 0
		l.dated[i] = dated > 0 && dated == words+others
		l.clocked[i] = clocks > 0 && clocks == others && words == 0
		if l.clock < 0 && l.clocked[i] {
			l.clock = i
		}
	}
	s.percents(l, rows)
	l.index = len(l.names) > 1 && l.names[0] == "" && counts(rows)
	l.rising, l.whole = risingColumns(rows, len(l.names)), wholeColumns(rows, len(l.names))
	l.repeats, l.climbs = steady(rows, len(l.names))
	l.ids = s.plain(l).numbersThings(rows)
	l.long = s.isLong(l, rows)
	return l, nil
}

// percents finds the columns in which a sign of per cent stands behind every number, as
// spreadsheets write them. The numbers stay per cent.
func (s *source) percents(l *layout, rows []headLine) {
	for i, words := range l.words {
		numbers, others := 0, 0
		for _, h := range rows {
			c := cell(h.cells, i)
			switch {
			case len(c) == 0 || isMissing(c):
			case c[len(c)-1] == '%' && kindOf(c[:len(c)-1]) == numeral:
				numbers++
			default:
				others++
			}
		}
		if !words || numbers == 0 || others > 0 {
			continue
		}
		if s.numerals.percents == nil {
			s.numerals.percents = map[int]bool{}
		}
		s.numerals.percents[i], l.words[i], l.units[i] = true, false, "%"
	}
}

// rows gives the first rows of the table, which begin at a place in head.
func (s *source) rows(at int) []headLine {
	var rows []headLine
	for _, h := range s.head[at:] {
		if len(h.shape.kinds) > 0 && len(rows) < headRows && h.shape.like(s.head[at].shape) {
			rows = append(rows, h)
		}
	}
	return rows
}

// counts says whether the first cells of rows are whole numbers that go up by one.
func counts(rows []headLine) bool {
	var n numerals
	last := 0.0
	for i, h := range rows {
		if len(h.cells) == 0 {
			return false
		}
		v, ok := n.number(h.cells[0], -1)
		if !ok || i > 0 && v != last+1 || i == 0 && v != 0 && v != 1 {
			return false
		}
		last = v
	}
	return true
}

// header reads the lines of names above the first row, from the one nearest to it
// upwards.
func (s *source) header(l *layout) error {
	if names, ok := s.qualisys(l); ok {
		l.names, l.line = names, s.head[l.first].number
		l.units = make([]string, len(names))
		return nil
	}
	if s.visual3D(l) || s.labChart(l) {
		return nil
	}
	i, index := s.nearest(l)
	above := func(i int) int { // past a line of rates
		up := s.above(i)
		if up >= 0 && len(l.rates) == 0 && areRates(&s.head[up]) {
			l.rates = s.texts(up)
			up = s.above(up)
		}
		return up
	}
	unitless := &quality.Unreadable{Reason: "The first line has numbers where the names of the columns should stand",
		Line: s.head[l.first].number, Hint: "Add a line of names above the numbers."}
	if i < 0 {
		return unitless
	}
	row := &s.head[l.first]
	var unit []string
	if up := above(i); up >= 0 && !isSetting(&s.head[up]) && isUnits(&s.head[i]) && isNames(&s.head[up], row) &&
		len(s.head[up].shape.kinds)+4 >= len(s.head[i].shape.kinds) {
		unit, i = s.texts(i), up
	}
	if !isNames(&s.head[i], row) || leadsTo(&s.head[i], row) {
		unitless.Line = s.head[i].number
		if i < l.first-1 || len(s.head[i].shape.kinds) < l.width {
			unitless.Reason = "The rows of numbers have no line of names above them"
		}
		return unitless
	}
	lines := [][]string{unnumbered(s.texts(i))}
	l.line = s.head[i].number
	for needsMore(lines) && len(lines) < 8 {
		up := i - 1
		if unit == nil && s.unitsAbove(up, lines) {
			unit, i = s.texts(up), up
			continue
		}
		if up < 0 || len(s.head[up].shape.kinds) == 0 || !isHigher(&s.head[up], lines) {
			break
		}
		lines, i = append([][]string{s.texts(up)}, lines...), up
	}
	if unit == nil {
		unit, i = s.unitsFrom(i, lines)
	}
	unit = untitled(unit)
	l.top = i
	if l.names, unit, l.shifted = compose(lines, unit); l.names == nil {
		return besideColumns(l.line)
	}
	copy(l.names, index)
	unit = s.placed(l.names, unit)
	l.units = make([]string, max(len(l.names), len(unit)))
	for c, u := range unit {
		if u = unwrapped(u); u != "-" {
			l.units[c] = u
		}
	}
	for len(l.names) < len(l.units) {
		l.names = append(l.names, "")
	}
	return nil
}

// uncommented takes a last name off that is that of remarks, where no row has a cell for it.
func (l *layout) uncommented() {
	if n := len(l.names); n > 2 && l.width == n-1 &&
		slices.Contains([]string{"comment", "comments", "remark", "remarks", "note", "notes", "annotation",
			"annotations"}, strings.ToLower(l.names[n-1])) {
		l.names, l.units = l.names[:n-1], l.units[:n-1]
	}
}

// unnumbered takes the numbers off axes that are counted through, X1, Y1, Z1, X2, as they
// stand below the names of markers in tables that were made of TRC files.
func unnumbered(names []string) []string {
	bare, axes := slices.Clone(names), 0
	for c, name := range names {
		if name == "" {
			continue
		}
		axis := "XYZ"[axes%3]
		if isLeadName(name) && axes == 0 {
			continue
		}
		if name != fmt.Sprintf("%c%d", axis, axes/3+1) {
			return names
		}
		bare[c] = string(axis)
		axes++
	}
	if axes < 3 || axes%3 != 0 || names[0] != "" {
		return names
	}
	return bare
}

// nearest gives the place of the line of names or units that is nearest to the rows, -1
// where there is none. Sums that stand above the rows are passed over, and so is a line
// that only has the names of the first columns, as pandas writes those of its index.
func (s *source) nearest(l *layout) (i int, index []string) {
	i = s.above(l.first)
	for i >= 0 {
		h := &s.head[i]
		switch {
		case h.shape.count[numeral] > 0 && sums(h.cells, h.shape):
			l.sums.note(h.number)
		case len(l.rates) == 0 && areRates(h):
			l.rates = s.texts(i)
		case l.width > 1 && len(index) == 0 && len(h.cells) >= l.width && len(h.shape.kinds) < l.width &&
			!slices.ContainsFunc(s.texts(i), func(name string) bool { return !isLeadName(name) }):
			index = s.texts(i)
		default:
			return i, index
		}
		i = s.above(i)
	}
	return i, index
}

// above gives the place of the nearest line above one that has anything on it, past
// rows of gaps, -1 where there is none.
func (s *source) above(i int) int {
	for i--; i >= 0; i-- {
		if len(s.head[i].shape.kinds) > 0 {
			return i
		}
	}
	return -1
}

// texts gives the cells of a line as names.
func (s *source) texts(i int) []string {
	h := &s.head[i]
	names := make([]string, len(h.shape.kinds))
	for c := range names {
		names[c] = strings.TrimSpace(strings.TrimLeft(label.Clean(h.cells[c]), "#%"))
	}
	return names
}

// isAxis says whether a name is that of one of the numbers of a thing.
func isAxis(name string) bool {
	return slices.Contains([]string{"x", "y", "z", "w", "likelihood", "score", "confidence", "visibility", "conf",
		"prob",
		"rx", "ry", "rz", "tx", "ty", "tz", "q0", "q1", "q2", "q3", "qw", "qx", "qy", "qz", "roll", "pitch", "yaw",
		"residual"}, strings.ToLower(name))
}

// needsMore says whether the line of names nearest to the rows only tells which number
// of a thing a column is: then the things stand above.
func needsMore(lines [][]string) bool {
	leaf := lines[len(lines)-1]
	axes, others := 0, 0
	seen, repeated := map[string]bool{}, false
	for _, name := range leaf {
		bare, _ := unitOf(name)
		switch {
		case bare == "", isTime(strings.ToLower(bare)), isFrame(strings.ToLower(bare)),
			strings.EqualFold(bare, "coords"):
		case isAxis(bare):
			axes++
			repeated = repeated || seen[strings.ToLower(bare)]
			seen[strings.ToLower(bare)] = true
		default:
			others++
			repeated = repeated || seen[strings.ToLower(bare)]
			seen[strings.ToLower(bare)] = true
		}
	}
	return axes >= others && axes > 0 || repeated && len(leaf) > 3
}

// isHigher says whether a line can stand above a line of names and say of which things
// they are: words, that reach nearly as far to the right.
func isHigher(h *headLine, lines [][]string) bool {
	below, depth := lines[0], len(lines)
	if h.shape.count[word] == 0 {
		return h.shape.count[numeral]+h.shape.count[missing] > 0 && depth > 1 && len(h.shape.kinds) >= len(below)-1
	}
	filled, far := h.shape.filled(), len(h.shape.kinds)
	if filled == 1 && h.shape.kinds[0] != empty {
		return false // a title
	}
	if far > len(below)+8 || !leads(h, below, lines[depth-1]) {
		return false
	}
	if !isMerged(h) {
		return far >= len(below)-1
	}
	return far >= len(below)-max(8, len(below)/2) && !isSetting(h)
}

// isMerged says whether a line names things that have several columns: in merged cells,
// of which only the first has the name, or with the name above each of them.
func isMerged(h *headLine) bool {
	for c := range h.shape.kinds {
		if h.shape.kinds[c] == empty || c > 0 && bytes.Equal(h.cells[c], h.cells[c-1]) {
			return true
		}
	}
	return false
}

// leads says whether the first cell of a line can stand above that of the line nearest to
// the rows: where that is a time or a number of frames, it is empty, such a name itself, or what
// the line is called. Above the only thing of a table nothing stands but its name.
func leads(h *headLine, below, leaf []string) bool {
	first, under := strings.ToLower(strings.Trim(label.Clean(h.cells[0]), "# :")), ""
	if len(leaf) > 0 {
		under = strings.ToLower(leaf[0])
	}
	if first == "" || isLeadName(first) || slices.Contains(titled, first) {
		return true
	}
	if isLeadName(under) || under == "coords" {
		return false
	}
	seen := map[string]bool{}
	for _, name := range below {
		if name = strings.ToLower(name); name != "" && seen[name] {
			return true
		}
		seen[name] = true
	}
	return isMerged(h)
}

// isSetting says whether a line is the name of a setting and its value.
func isSetting(h *headLine) bool {
	name := label.Clean(h.cells[0])
	return h.shape.kinds[0] == word && len(h.shape.kinds) <= 3 &&
		(strings.HasSuffix(name, ":") || h.shape.count[numeral]+h.shape.count[clocked] > 0)
}
