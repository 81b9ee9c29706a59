package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// A long table has a row for each thing of each frame: frame, time, keypoint, x, y, z.
// The words of a row say which thing it is, its frame number or time which frame. The
// rows of a frame may follow one another, or those of a thing.

// long is such a table.
type long struct {
	*plain
	keys   []int // the columns with the words
	ids    []int // those of them that have numbers
	values []int // those with the numbers
	frames map[float64]int
	marks  []float64 // of the frames: their numbers, or their times
	things map[string]int
	told   [][]string // the words of each thing
	cells  [][]float64
	bad    garbled
	lost   garbled // rows without a frame or a thing
}

// isLong says whether the first rows are those of a long table: two of them have the
// same frame or time, and other words.
func (s *source) isLong(l *layout, rows []headLine) bool {
	if !slices.Contains(l.words, true) && len(l.ids) == 0 {
		return false
	}
	p := s.plain(l)
	at := p.moment()
	if at < 0 || p.export || len(p.clocks) > 0 {
		return false
	}
	return apartBy(rows, at, func(i int) bool { return i < len(l.words) && l.words[i] }) ||
		apartBy(rows, at, func(i int) bool { return slices.Contains(l.ids, i) })
}

// apartBy says whether rows of the same frame or time, which stands in a column, differ
// in the others that count.
func apartBy(rows []headLine, at int, counts func(column int) bool) bool {
	seen := map[string]string{}
	for _, h := range rows {
		if at >= len(h.cells) {
			continue
		}
		key := ""
		for i := range h.cells {
			if i != at && counts(i) {
				key += string(h.cells[i]) + "\x00"
			}
		}
		id := string(h.cells[at])
		if before, ok := seen[id]; ok && before != key && id != "" {
			return true
		}
		seen[id] = key
	}
	return false
}

// readLong reads a long table.
func (s *source) readLong(lay *layout) (*record.Recording, error) {
	l := &long{plain: s.plain(lay), frames: map[float64]int{}, things: map[string]int{}}
	ids := s.idsNeeded(lay, l)
	for i := range l.names {
		switch {
		case i == l.time || i == l.frame:
		case slices.Contains(ids, i):
			l.keys, l.ids = append(l.keys, i), append(l.ids, i)
		case i < len(lay.words) && lay.words[i]:
			l.keys = append(l.keys, i)
		case slices.Contains(l.data, i):
			l.values = append(l.values, i)
		}
	}
	if len(l.values) == 0 {
		return nil, noMeasurements(lay.line)
	}
	s.place, s.number = lay.first, s.head[lay.first].number
	for {
		line, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if blank(line) {
			continue
		}
		if err := l.row(s.split(line)); err != nil {
			return nil, err
		}
	}
	return l.finish()
}

// idsNeeded gives the columns of numbers of things, where words alone do not tell the
// rows of a frame apart.
func (s *source) idsNeeded(lay *layout, l *long) []int {
	at := l.moment()
	if at < 0 || len(lay.ids) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, h := range s.rows(lay.first) {
		key := string(cell(h.cells, at))
		for i, words := range lay.words {
			if words && i != l.time {
				key += "\x00" + string(cell(h.cells, i))
			}
		}
		if seen[key] || !slices.Contains(lay.words, true) {
			return lay.ids
		}
		seen[key] = true
	}
	return nil
}

// row takes one row into account.
func (l *long) row(cells [][]byte) error {
	id, seconds := math.NaN(), math.NaN()
	if t, ok := l.seconds(cell(cells, l.time)); ok {
		id, seconds = t, t
	}
	if l.frame >= 0 {
		id = math.NaN()
		if n, ok := l.numerals.number(cell(cells, l.frame), -1); ok && math.Abs(n) < 1<<31 {
			id = n
		}
	}
	var key strings.Builder
	var words []string
	for _, i := range l.keys {
		word := label.Clean(cell(cells, i))
		if word != "" && slices.Contains(l.ids, i) {
			word = numbered(l.names[i], word)
		}
		words = append(words, word)
		key.WriteString(word + "\x00")
	}
	if id != id || strings.Trim(key.String(), "\x00") == "" {
		l.lost.note(l.number)
		return nil
	}
	frame, ok := l.frames[id]
	if !ok {
		frame = len(l.marks)
		l.frames[id] = frame
		l.marks, l.times = append(l.marks, id), append(l.times, seconds)
	}
	thing, ok := l.things[key.String()]
	if !ok {
		thing = len(l.told)
		l.things[key.String()] = thing
		l.told = append(l.told, words)
		l.cells = append(l.cells, make([][]float64, len(l.values))...)
	}
	if most := max(2<<20, l.size*3/4); int64(len(l.marks))*int64(len(l.cells)) > most {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The table has %s things in %s frames, but its rows are far fewer",
				quality.Thousands(int64(len(l.told))), quality.Thousands(int64(len(l.marks)))),
			Line: l.number, Hint: quality.ExportAgain}
	}
	return l.set(cells, thing, frame)
}

// set keeps the numbers of a row, which no other row may have had for its thing and
// frame.
func (l *long) set(cells [][]byte, thing, frame int) error {
	for k, i := range l.values {
		column := &l.cells[thing*len(l.values)+k]
		if frame < len(*column) && k == 0 {
			before := false
			for other := range l.values {
				c := l.cells[thing*len(l.values)+other]
				before = before || frame < len(c) && c[frame] == c[frame]
			}
			if before {
				return &quality.Unreadable{Reason: fmt.Sprintf("The table has two rows of %s at the same frame",
					strings.Join(l.told[thing], " ")), Line: l.number, Hint: quality.ExportAgain}
			}
		}
		v, ok := l.numerals.value(cell(cells, i), i)
		if !ok {
			l.bad.note(l.number)
		}
		if v.Value != v.Value && frame >= len(*column) {
			continue
		}
		for len(*column) <= frame {
			*column = append(*column, math.NaN())
		}
		(*column)[frame] = v.Value
	}
	return nil
}

// finish makes a recording of the things.
func (l *long) finish() (*record.Recording, error) {
	if len(l.marks) == 0 {
		return nil, &quality.Unreadable{Reason: "The table has names but no row of numbers", Line: l.number,
			Hint: quality.ExportAgain}
	}
	l.order()
	l.rows = len(l.marks)
	if l.frame >= 0 {
		l.first = int(l.marks[0])
		if l.time < 0 {
			l.counted = l.marks
		}
		for i := range l.marks[1:] {
			if l.marks[i+1] != l.marks[i]+1 {
				l.jumps++
			}
		}
	}
	names := l.thingNames()
	for thing := range l.told {
		columns, err := l.columnsOf(thing)
		if err != nil {
			return nil, err
		}
		own := make([]series, len(l.values))
		for k, i := range l.values {
			own[k] = series{name: l.valueName(names[thing], l.names[i]), unit: l.units[i]}
		}
		take(own, columns)
		l.several = append(l.several, own...)
	}
	if len(l.several) > 0 {
		l.several[0].words = l.bad
	}
	rec, err := l.settle()
	if err == nil && l.lost.count > 0 {
		rec.Warnings.Add(quality.RowsSkipped,
			"%s lines name no frame or no thing and were skipped; the first is line %d.",
			quality.Thousands(int64(l.lost.count)), l.lost.at)
	}
	return rec, err
}

// columnsOf gives the columns of a thing.
func (l *long) columnsOf(thing int) (*text.Columns, error) {
	c := text.NewColumns(len(l.values), l.size)
	own := l.cells[thing*len(l.values):][:len(l.values)]
	for k, i := range l.values {
		c.About(k, l.names[i], l.units[i])
	}
	for frame := range l.rows {
		for k, values := range own {
			if frame < len(values) && values[frame] == values[frame] {
				c.Set(k, text.FigureOf(values[frame]))
			}
		}
		if err := c.EndRow(l.number); err != nil {
			return nil, err
		}
	}
	clear(own)
	return c, nil
}

// order puts the frames in their order, for those of a thing may lack some.
func (l *long) order() {
	if slices.IsSorted(l.marks) {
		return
	}
	order := make([]int, len(l.marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if l.marks[a] < l.marks[b] {
			return -1
		}
		return 1
	})
	ids, times := make([]float64, len(order)), make([]float64, len(order))
	for to, from := range order {
		ids[to], times[to] = l.marks[from], l.times[from]
	}
	l.marks, l.times = ids, times
	for c, column := range l.cells {
		moved := make([]float64, len(order))
		for to, from := range order {
			if moved[to] = math.NaN(); from < len(column) {
				moved[to] = column[from]
			}
		}
		l.cells[c] = moved
	}
}

// thingNames makes names of the words of things, without those that all have.
func (l *long) thingNames() []string {
	names := make([]string, len(l.told))
	for k := range l.keys {
		same := !slices.ContainsFunc(l.told, func(words []string) bool { return words[k] != l.told[0][k] })
		if same && !(k == len(l.keys)-1 && names[0] == "") {
			continue
		}
		axes := !slices.ContainsFunc(l.told, func(words []string) bool { return !isAxis(words[k]) })
		for i, words := range l.told {
			switch {
			case words[k] == "":
			case names[i] == "":
				names[i] = words[k]
			case axes:
				names[i] += "_" + words[k]
			default:
				names[i] += " " + words[k]
			}
		}
	}
	return names
}

// valueName is the name of one of the numbers of a thing.
func (l *long) valueName(thing, value string) string {
	if len(l.values) == 1 &&
		slices.Contains([]string{"value", "values", "val", "data", "reading", "wert", "measurement"},
			strings.ToLower(value)) {
		return thing
	}
	return thing + "_" + value
}
