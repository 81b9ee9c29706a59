package trc

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// rows is what is remembered of the rows while they stream by.
type rows struct {
	count       int
	first, last float64   // frame numbers
	times       []float64 // NaN where a row has none
	from, to    float64   // the frame numbers of the first and last row that have one
	timeless    int       // rows without a time
	jumps       int       // rows whose number does not follow the one before
	ragged      int       // rows with another number of cells than the names ask for
	raggedAt    int       // line of the first of them
	skipped     int       // lines that are no rows
	skippedAt   int
	parts       int    // of them, those that begin with a number that is not whole
	widest      int    // cells of the row that reaches furthest
	widestAt    int    // its line
	separator   byte   // of cells
	short       bool   // the row read last has too few cells
	lost        int    // rows with too few cells that blanks set apart
	table       *table // nil when only the header is asked for
	order       record.Order
}

// readRows streams all rows, and settles everything that only they can tell.
func (h *Header) readRows(l *text.Lines, t *table) error {
	r, want := rows{table: t, separator: h.separator}, 2+3*len(h.Points)
	if t != nil {
		for i := range 3 * len(h.Points) {
			t.columns.About(i, h.Points[i/3], h.Unit)
		}
	}
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := r.add(line, l.Number(), want); err != nil {
			return err
		}
	}
	if err := h.misplaced(r, want); err != nil {
		return err
	}
	if r.count == 0 {
		return &quality.Unreadable{
			Reason: "The file has a header but no row of a frame behind it", Line: max(1, l.Number()),
			Hint: quality.ExportAgain,
		}
	}
	h.Frames, h.FirstFrame = r.count, int(r.first)
	if err := h.settleTimes(r); err != nil {
		return err
	}
	h.report(r, want, !l.Ended() && r.short)
	if l.Doubled() {
		h.Warnings.Add(quality.LineEndsDoubled,
			"Its lines end in CR CR LF, as a program leaves them that ends lines twice; every line was read once.")
	}
	return nil
}

// add takes one line into account.
func (r *rows) add(line []byte, number int, want int) error {
	if len(bytes.TrimSpace(bytes.Trim(line, " \t,;"))) == 0 {
		return nil
	}
	numberCell, timeCell, width, last := r.split(line)
	frame, ok := count(numberCell)
	if !ok {
		if r.count == 0 && axes(line) && !inOrder(line) {
			return &quality.Unreadable{
				Reason: "The axes above the rows are not X, Y and Z of one marker after another, in this order",
				Line:   number, Hint: quality.ExportAgain,
			}
		}
		if r.count == 0 && moreThanAxes(line) {
			return &quality.Unreadable{
				Reason: "The line of the axes names other columns beside X, Y and Z of each marker, so it is not " +
					"known which number belongs to which marker",
				Line: number, Hint: quality.ExportAgain,
			}
		}
		// The names of the axes begin with empty cells and come before all rows.
		if r.count > 0 || len(numberCell) > 0 && !axes(line) {
			if r.skipped++; r.skipped == 1 {
				r.skippedAt = number
			}
			if _, part := text.Number(numberCell); part {
				r.parts++
			}
		}
		return nil
	}
	if r.count == 0 {
		r.first = frame
	} else if frame != r.last+1 {
		r.jumps++
	}
	r.count, r.last = r.count+1, frame
	seconds, ok := text.Seconds(timeCell, 1)
	if ok {
		if r.timeless == r.count-1 {
			r.from = frame
		}
		r.to = frame
	} else {
		r.timeless++
		seconds = math.NaN()
	}
	r.order.Row(seconds, len(r.times), number)
	r.times = append(r.times, seconds)
	// A tab behind the last cell is how many programs end a row.
	r.short = width < want
	if r.short || width > want && last > want || width > want+1 {
		if r.ragged++; r.ragged == 1 {
			r.raggedAt = number
		}
	}
	if last > r.widest {
		r.widest, r.widestAt = last, number
	}
	// Blanks leave no place for a cell that is missing, so what follows would move up.
	lost := r.short && r.separator == ' ' && bytes.IndexByte(line, '\t') < 0
	if lost {
		r.lost++
	}
	switch {
	case r.table == nil:
		return nil
	case lost:
		return r.table.columns.EndRow(number)
	}
	return r.table.add(line, number, r.next(line))
}

// split gives the first two cells of a row, how many cells it has, and how many
// up to the last that is not empty.
func (r *rows) split(line []byte) (first, second []byte, width, last int) {
	if bytes.IndexByte(line, '\t') < 0 && (r.separator == ',' || r.separator == ';') {
		for next, rest := text.Split(r.separator), line; len(rest) > 0; width++ {
			var cell []byte
			cell, rest = next(rest)
			cell, _ = text.Unquote(cell)
			switch width {
			case 0:
				first = cell
			case 1:
				second = cell
			}
			if len(cell) > 0 {
				last = width + 1
			}
		}
		return first, second, width, last
	}
	if bytes.IndexByte(line, '\t') < 0 {
		fields := bytes.Fields(line)
		if len(fields) > 1 {
			second = fields[1]
		}
		return fields[0], second, len(fields), len(fields)
	}
	first, rest, _ := bytes.Cut(line, []byte("\t"))
	second, _, _ = bytes.Cut(rest, []byte("\t"))
	width = bytes.Count(line, []byte("\t")) + 1
	last = bytes.Count(bytes.TrimRight(line, "\t \x00"), []byte("\t")) + 1
	return bytes.TrimSpace(first), bytes.TrimSpace(second), width, last
}

// next gives what takes the next cell off a line.
func (r *rows) next(line []byte) func([]byte) (cell, rest []byte) {
	if bytes.IndexByte(line, '\t') < 0 && (r.separator == ',' || r.separator == ';') {
		return text.Split(r.separator)
	}
	return text.Splitter(line)
}

// axes says whether a line names the axes: X1, Y1, Z1, X2 and so on.
func axes(line []byte) bool {
	words := axisWords(line)
	for _, word := range words {
		if !bytes.ContainsAny(word[:1], "xyzXYZ") || len(bytes.Trim(word[1:], "0123456789")) > 0 {
			return false
		}
	}
	return len(words) > 0
}

// moreThanAxes says whether a line names axes and other numbers beside them: X1, Y1, Z1, R1.
func moreThanAxes(line []byte) bool {
	words, found := axisWords(line), [3]bool{}
	for _, word := range words {
		axis := bytes.IndexByte([]byte("xyz"), word[0]|0x20)
		if axis >= 0 && len(bytes.Trim(word[1:], "0123456789")) == 0 {
			found[axis] = true
		}
	}
	return found == [3]bool{true, true, true} && !axes(line)
}

func axisWords(line []byte) [][]byte {
	return bytes.FieldsFunc(line, func(r rune) bool {
		return r == ' ' || r == '\t' || r == ',' || r == ';' ||
			r == '"'
	})
}

// inOrder says whether the names of axes are those of x, y and z, again and again.
func inOrder(line []byte) bool {
	for i, word := range axisWords(line) {
		if word[0]|0x20 != "xyz"[i%3] {
			return false
		}
	}
	return true
}

// misplaced is the error for rows of which nobody knows which cell is of which marker.
func (h *Header) misplaced(r rows, want int) error {
	reason, at := "", r.widestAt
	switch {
	case r.parts > 0 && 2*r.parts >= r.count:
		reason, at = "The rows begin with numbers that are not whole, as where the column of frame numbers is "+
			"missing, so it is not known which number belongs to which marker", r.skippedAt
	case h.separator == ',' && r.widest > want:
		reason = "Commas separate the cells, and rows have more of them than the names ask for, perhaps for " +
			"decimal commas"
	case 2*r.lost > r.count:
		reason, at = "Blanks separate the cells, and most rows do not have as many as the names ask for, so it is "+
			"not known which number belongs to which marker", r.raggedAt
	case h.shifted && r.widest < want && r.ragged == r.count:
		reason, at = "The markers' names do not stand above every third column, and no row has cells for all of "+
			"them, so it is not known which number belongs to which", r.raggedAt
	default:
		return nil
	}
	return &quality.Unreadable{Reason: reason, Line: at, Hint: quality.ExportAgain}
}

// report notes everything else that the rows contradict.
func (h *Header) report(r rows, want int, cut bool) {
	if h.announced != r.count {
		h.Warnings.Add(quality.FramesDisagree, "%s, but the file has %s rows of frames.",
			stated("NumFrames", h.announced), quality.Thousands(int64(r.count)))
	}
	if h.start >= 0 && float64(h.start) != r.first {
		h.Warnings.Add(quality.FirstDisagrees, "OrigDataStartFrame is %d, but the first row is frame %d.", h.start,
			h.FirstFrame)
	}
	if r.jumps > 0 {
		h.Warnings.Add(quality.FramesJump, "%s rows do not have the frame number that follows the row before.",
			quality.Thousands(int64(r.jumps)))
	}
	if cut {
		h.Warnings.Add(quality.CutShort, "The last row stops before its end, so the file was probably cut.")
	}
	if r.ragged > 0 {
		h.Warnings.Add(quality.RowsRagged,
			"%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.%s",
			quality.Thousands(int64(r.ragged)), quality.Thousands(int64(r.count)), want, r.raggedAt, text.Lost(r.lost))
	}
	if h.Unnamed = (max(0, r.widest-want) + 2) / 3; h.Unnamed > 0 {
		h.Warnings.Add(quality.PointsUnnamed, "Some rows have numbers for %d more markers than there are names.",
			h.Unnamed)
	}
	if r.timeless > 0 {
		h.Warnings.Add(quality.TimesMissing, "%s rows have no readable time.", quality.Thousands(int64(r.timeless)))
	}
	if r.skipped > 0 {
		h.Warnings.Add(quality.RowsSkipped,
			"%s lines do not begin with a frame number and were skipped; the first is line %d.",
			quality.Thousands(int64(r.skipped)), r.skippedAt)
	}
}

// count reads the number of a frame: whole, though some write it as 185.0.
func count(b []byte) (float64, bool) {
	f, ok := text.Number(b)
	return f, ok && f == math.Trunc(f) && math.Abs(f) < 1<<31
}
