package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// headLine is one of the first lines of a file.
type headLine struct {
	text   []byte
	number int
	cells  [][]byte
	shape  shape
	remark bool // it began with # or the like, which is not in text
}

// The part of a file that is read as a whole before its rows: the settings of
// every known system above the names, and enough rows to tell what sets cells apart.
const (
	headLines = 400
	headFew   = 12 // lines, however long
	headBytes = 192 << 10
	headRows  = 60 // rows of them that are looked at
)

// look reads the first lines and finds what sets their cells apart.
func (s *source) look() error {
	read := 0
	for len(s.head) < headFew || len(s.head) < headLines && read < headBytes {
		line, number, err := s.readLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		read += len(line) + 1
		if sep, ok := separatorLine(line); ok && len(s.head) == 0 {
			s.sep = sep
			continue
		}
		s.head = append(s.head, headLine{text: bytes.Clone(line), number: number})
	}
	s.number = s.lines.Number()
	if s.sep == 0 {
		s.sep = s.labVIEWSeparator()
	}
	if s.sep == 0 {
		s.sep = s.separator()
	}
	s.findTail()
	s.numerals.spaced, s.numerals.semicolons = s.sep == ',' || s.alone, s.sep == ';'
	for i := range s.head {
		l := &s.head[i]
		if rest, ok := remark(l.text); ok {
			l.text, l.remark = rest, true
		}
		l.cells = slices.Clone(s.split(l.text))
		l.shape = shapeOf(l.cells)
	}
	if !slices.ContainsFunc(s.head, func(l headLine) bool { return !blank(l.text) }) {
		return &quality.Unreadable{Reason: "The file ends before the names of its columns", Line: s.number,
			Hint: quality.CopyAgain}
	}
	return nil
}

// findTail finds the semicolons that a spreadsheet leaves at the ends of lines whose cells commas
// set apart, and takes them off.
func (s *source) findTail() {
	tails, lines := 0, 0
	for _, l := range s.head {
		if blank(l.text) {
			continue
		}
		if lines++; len(tailed(l.text)) < len(l.text) && bytes.IndexByte(tailed(l.text), ';') < 0 {
			tails++
		}
	}
	if s.tail = s.sep == ',' && 2*tails > lines; !s.tail {
		return
	}
	for i := range s.head {
		s.head[i].text = tailed(s.head[i].text)
	}
}

// tailed is a line without the semicolons at its end.
func tailed(line []byte) []byte { return bytes.TrimRight(line, "; ") }

// separatorLine reads the line that spreadsheets write first, such as sep=;
func separatorLine(line []byte) (byte, bool) {
	line = bytes.Trim(line, `"`)
	if len(line) < 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || len(bytes.TrimRight(line[5:], ",;\" ")) > 0 {
		return 0, false
	}
	return line[4], strings.IndexByte(",;\t| :", line[4]) >= 0
}

// remark takes the sign of a remark off a line, for what is behind it may be names.
func remark(line []byte) ([]byte, bool) {
	for _, sign := range []string{"#", "//", "%"} {
		if rest, ok := bytes.CutPrefix(line, []byte(sign)); ok {
			// #N/A and its kin are cells, and #1 is a name.
			if len(rest) > 0 && strings.IndexByte("NDRVWn0123456789", rest[0]) >= 0 &&
				kindOf(bytes.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' || r == '\t' })[0]) ==
					failed {
				return line, false
			}
			return bytes.TrimLeft(rest, "#%/ "), true
		}
	}
	return line, false
}

// separator finds what sets cells apart: that by which most of the cells are numbers.
func (s *source) separator() byte {
	if s.isOneColumn() {
		s.alone = true
		return ';'
	}
	best, most := byte(0), 0.0
	sample := s.sample()
	for _, sep := range []byte(",;\t|") {
		s.sep = sep
		// No other sign than the comma stands within numbers, so it gives way where both fit alike.
		if score := s.score(sample); score > most || score == most && score > 0 && best == ',' && sep != '|' {
			best, most = sep, score
		}
	}
	if best == 0 {
		s.sep = ' '
		if s.score(sample) > 1 {
			return s.sep
		}
		for _, l := range s.head {
			if !blank(l.text) && separator(l.text) != 0 {
				return separator(l.text)
			}
		}
		return ','
	}
	if s.sep = ' '; best == ',' && s.score(sample) > most { // numbers with decimal commas between blanks
		return s.sep
	}
	return best
}

// isOneColumn says whether a table is one column of numbers with decimal commas: no line
// has another separator, and the nearest line of words above the numbers has no comma.
func (s *source) isOneColumn() bool {
	name, numbers, commas := "", 0, 0
	for _, l := range s.head {
		line := bytes.TrimSpace(l.text)
		switch {
		case len(line) == 0:
		case bytes.ContainsAny(line, ";\t|\"") || bytes.Count(line, []byte{','}) > 1:
			return false
		case line[0] >= '0' && line[0] <= '9' || line[0] == '-' || line[0] == '+':
			if kindOf(line) != numeral {
				return false
			}
			numbers++
			commas += bytes.Count(line, []byte{','})
		case numbers > 0:
			return false
		default:
			name = string(line)
		}
	}
	return name != "" && !strings.Contains(name, ",") && numbers > 0 && commas > 0
}

// sample is some of the first lines, and some further down.
func (s *source) sample() []headLine {
	sample := s.head[:min(len(s.head), headRows)]
	if from := len(s.head) - headRows; from > headRows {
		sample = append(slices.Clip(sample), s.head[from:]...)
	}
	return sample
}

// score is how far lines are rows of numbers by the separator.
func (s *source) score(lines []headLine) float64 {
	sum := 0.0
	for _, l := range lines {
		cells := s.split(l.text)
		if len(cells) < 2 {
			continue
		}
		numbers, filled := 0.0, 0.0
		for _, cell := range cells {
			switch kindOf(cell) {
			case empty:
			case word:
				if filled++; len(cell) <= 12 && len(readingsOf(string(cell))) > 0 { // a date
					numbers++
				}
			default:
				filled++
				numbers++
			}
		}
		if filled > 0 {
			sum += numbers * numbers / filled
		}
	}
	return sum
}

// run is lines of the head that are rows of one table.
type run struct {
	from  int // its place in head
	rows  int
	names int  // place of the line of names above, -1 where there is none
	timed bool // the names have a time or a number of frames
}

// body finds where the rows of numbers begin, -1 where there are none. Rows without
// words count before those with words, and those below a line of names before others.
func (s *source) body() int {
	for _, mixed := range []bool{false, true} {
		for _, width := range []int{2, 1} {
			if at := best(s.runs(mixed, width)); at >= 0 {
				return s.upwards(at)
			}
			if mixed {
				break
			}
		}
	}
	return -1
}

// best is where the run begins that most likely is the table: the first below names
// with a time or a number of frames, else the first of several rows below names, else
// the longest.
func best(runs []run) int {
	for _, r := range runs {
		if r.timed && r.rows >= 2 {
			return r.from
		}
	}
	at, most := -1, 0
	for _, r := range runs {
		if r.names >= 0 && r.rows >= 3 {
			return r.from
		}
		weight := r.rows
		if r.names >= 0 {
			weight += 1000
		}
		if weight > most {
			at, most = r.from, weight
		}
	}
	return at
}

// runs finds all runs of rows that have so many cells at least.
func (s *source) runs(mixed bool, width int) []run {
	var runs []run
	var now *run
	short := 0 // rows before the next run of which the end is missing
	for i := range s.head {
		l := &s.head[i]
		if len(l.shape.kinds) == 0 {
			continue // a blank line ends nothing
		}
		if !isRow(l, mixed, width) {
			if now != nil && !l.shape.gap() && !l.shape.full() { // both are rows of which the end is missing
				now = nil
			}
			if short = short + 1; !l.shape.full() {
				short = 0
			}
			continue
		}
		if now != nil && !l.shape.like(s.head[now.from].shape) {
			now = nil
		}
		if now == nil {
			names := s.namesAbove(i)
			timed := s.timedNames(names)
			runs = append(runs, run{from: i, rows: short, names: names, timed: timed})
			now = &runs[len(runs)-1]
		}
		now.rows++
		short = 0
	}
	return runs
}

// timedNames says whether a time or a number of frames stands in a line of names, or in
// those right above it.
func (s *source) timedNames(names int) bool {
	for i := names; i >= 0 && i > names-8 && len(s.head[i].shape.kinds) > 0; i-- {
		if slices.ContainsFunc(s.head[i].cells, func(cell []byte) bool { return isLeadName(label.Clean(cell)) }) {
			return true
		}
	}
	return false
}

func isRow(l *headLine, mixed bool, width int) bool {
	switch {
	case l.remark, len(l.shape.kinds) < width:
		return false
	case mixed:
		return l.shape.count[numeral]+l.shape.count[clocked] > 0
	}
	return l.shape.full()
}

// namesAbove finds the line of names above a row: the nearest that is not blank and
// no gap, if it has words, and no fewer than numbers.
func (s *source) namesAbove(row int) int { return s.namesAboveOf(row, len(s.head[row].shape.kinds)) }

// namesAboveOf finds the line of names above a row of a table of so many columns.
func (s *source) namesAboveOf(row, width int) int {
	for i := row - 1; i >= 0; i-- {
		l := &s.head[i]
		switch {
		case len(l.shape.kinds) == 0, l.shape.gap() && len(l.shape.kinds) > 1, l.shape.full() &&
			len(l.shape.kinds) < width,
			l.shape.count[numeral] > 0 && sums(l.cells, l.shape), leadsTo(l, &s.head[row]):
			continue
		case isNames(l, &s.head[row]):
			return i
		}
		return -1
	}
	return -1
}

// isNames says whether a line can have the names of the columns of a row. Behind an equals
// sign in its first cell stand the values of a setting.
func isNames(l, row *headLine) bool {
	words := l.shape.count[word]
	if len(l.cells) > 1 && bytes.HasSuffix(bytes.TrimSpace(l.cells[0]), []byte("=")) {
		return false
	}
	// Of two columns the second one may be called by a number where the first is a time: sensor 1. Behind
	// another word a number is the value of a setting.
	if len(l.shape.kinds) == 2 && words == 1 && l.shape.count[numeral] == 1 && !isLeadName(label.Clean(l.cells[0])) {
		return false
	}
	return words > 0 && (words >= l.shape.count[numeral] || numbersColumns(l)) &&
		(len(l.shape.kinds) > 1 || len(row.shape.kinds) == 1)
}

// numbersColumns says whether a line has the name of a time or a number of frames, and counts
// the columns behind it from 0 or 1, as those of the sensors of a sole are.
func numbersColumns(l *headLine) bool {
	if len(l.cells) < 3 || l.shape.count[numeral] != len(l.shape.kinds)-1 || !isLeadName(label.Clean(l.cells[0])) {
		return false
	}
	from := string(l.cells[1])
	for c := range l.shape.kinds[1:] {
		if n := strconv.Itoa(c); from == "0" && string(l.cells[c+1]) != n || from != "0" &&
			string(l.cells[c+1]) != strconv.Itoa(c+1) {
			return false
		}
	}
	return true
}

// namesItself says whether a line is a row that begins with a word, as that of its trial or
// its day, where the rows below it have an empty cell.
func (s *source) namesItself(l, below *headLine) bool {
	if l.remark || len(l.shape.kinds) != len(below.shape.kinds) || len(l.shape.kinds) < 3 || l.shape.kinds[0] != word ||
		below.shape.kinds[0] != empty || sums(l.cells, l.shape) {
		return false
	}
	rest := shapeOf(l.cells[1:])
	return rest.full() && rest.like(shapeOf(below.cells[1:]))
}

// upwards goes from the first row that has numbers to the first row of the table:
// rows in which nothing was measured, and those in which a cell is spoilt.
func (s *source) upwards(at int) int {
	first, width := at, len(s.head[at].shape.kinds)
	for i := at - 1; i >= 0; i-- {
		l := &s.head[i]
		switch {
		case len(l.shape.kinds) == 0 && (len(l.cells) < 2 || len(l.cells) < width):
			continue
		case len(l.shape.kinds) == 0: // nothing but separators
		case l.remark:
			return first
		case l.shape.gap() && len(l.shape.kinds) <= width:
		case s.namesItself(l, &s.head[at]) && s.namesAboveOf(i, width) >= 0:
		case l.shape.count[numeral]+l.shape.count[clocked] > 0 && l.shape.count[numeral] >= l.shape.count[word] &&
			len(l.shape.kinds) <= width && l.shape.kinds[0] != word &&
			(len(l.shape.kinds) == width || l.shape.full()) && s.namesAboveOf(i, width) >= 0:
		case leadsTo(l, &s.head[first]) && s.namesAboveOf(i, width) >= 0:
		default:
			return first
		}
		first = i
	}
	return first
}
