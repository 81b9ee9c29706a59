package sto

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
	columns            *text.Columns // nil when only the header is asked for
	times              []float64
	count              int
	first, last        float64
	ragged, raggedAt   int
	garbled, garbledAt int
	beyond             text.Beyond
	skipped, skippedAt int
	wordy              int // of them, those that do not begin with a number
	backwards          int
	filled, filledAt   int // rows with numbers behind the last name
	lost               int // rows with too few or too many cells that blanks set apart
	separator          byte
	cells              text.Cells
	order              record.Order
}

// readRows streams all rows, and settles everything that only they can tell.
func (h *Header) readRows(l *text.Lines, r *rows) error {
	width := h.Type.Width()
	r.separator = h.separator
	if r.columns != nil {
		for i, name := range h.Columns {
			for k := range width {
				r.columns.About(i*width+k, name, h.Unit)
			}
		}
		if h.Type == Quaternion { // 16 numbers will be made of 4
			r.columns.Weigh(5)
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
		if err := r.add(line, l.Number(), len(h.Columns), width); err != nil {
			return err
		}
	}
	if err := h.misplaced(r); err != nil {
		return err
	}
	if err := r.cells.Mixed(); err != nil {
		return err
	}
	h.Frames, h.Start = r.count, r.first
	h.counts()
	if err := h.settleRate(r); err != nil {
		return err
	}
	h.report(r)
	return nil
}

// add takes one line into account.
func (r *rows) add(line []byte, number, columns, width int) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	next := text.Splitter(line)
	if r.separator == ',' || r.separator == ';' {
		next = text.Split(r.separator)
	}
	cell, line := next(line)
	cell, _ = text.Unquote(cell)
	r.cells.Point(cell)
	seconds, ok := text.Seconds(cell, 1)
	if !ok {
		if r.skipped++; r.skipped == 1 {
			r.skippedAt = number
		}
		if _, ok := text.Number(cell); !ok {
			r.wordy++
		}
		return nil
	}
	if r.count == 0 {
		r.first = seconds
	} else if seconds < r.last {
		r.backwards++
	}
	r.count, r.last = r.count+1, seconds
	r.order.Row(seconds, len(r.times), number)
	r.times = append(r.times, seconds)
	// Blanks leave no place for a cell that is missing, so what follows would move up.
	lost := r.separator == ' ' && bytes.IndexByte(line, '\t') < 0 && len(bytes.Fields(line)) != columns
	if lost {
		r.lost++
	}
	column, extra := 0, false
	for ; len(line) > 0; column++ {
		cell, line = next(line)
		if column >= columns {
			extra = extra || len(cell) > 0
			continue
		}
		if r.columns != nil && !lost {
			r.cell(cell, column*width, width, number)
		}
	}
	if extra {
		if r.filled++; r.filled == 1 {
			r.filledAt = number
		}
	}
	if column < columns || extra {
		if r.ragged++; r.ragged == 1 {
			r.raggedAt = number
		}
	}
	if r.columns == nil {
		return nil
	}
	return r.columns.EndRow(number)
}

// cell reads a cell of one or several numbers.
func (r *rows) cell(cell []byte, column, width, number int) {
	read := func(column int, b []byte) {
		v, ok := r.cells.Read(b)
		r.beyond.Note(v, number)
		if !ok {
			if r.garbled++; r.garbled == 1 {
				r.garbledAt = number
			}
		}
		if v == v {
			r.columns.Set(column, v)
		}
	}
	if width == 1 {
		read(column, cell)
		return
	}
	// Several numbers, in some versions in brackets: ~[1,2,3].
	cell, _ = text.Unquote(cell)
	cell = bytes.TrimSuffix(bytes.TrimLeft(cell, "~[( "), []byte("]"))
	for i := range width {
		part, rest, more := bytes.Cut(cell, []byte(","))
		read(column+i, part)
		if !more {
			return
		}
		cell = rest
	}
}

// misplaced is the error for rows of which nobody knows which cell is of which column.
func (h *Header) misplaced(r *rows) error {
	wrong := func(at int, reason string) error {
		return &quality.Unreadable{Reason: reason, Line: at, Hint: quality.ExportAgain}
	}
	switch {
	case h.separator == ',' && r.filled > 0:
		return wrong(r.filledAt,
			"Commas separate the cells, and rows have more of them than there are names, perhaps for decimal commas")
	case 2*r.lost > r.count:
		return wrong(r.raggedAt,
			"Blanks separate the cells, and most rows do not have as many as there are names, so it is not known "+
				"which number belongs to which name")
	case r.wordy > r.count:
		return wrong(r.skippedAt,
			"Most lines below the names do not begin with a time in seconds, so it is not known when their numbers "+
				"were measured")
	case h.nameless && r.count > 0 && r.ragged == r.count:
		return wrong(r.raggedAt,
			"The line of names has empty cells between others, and no row has as many cells, so it is not known "+
				"which number belongs to which name")
	}
	return nil
}

// report notes what is odd about the rows.
func (h *Header) report(r *rows) {
	if r.ragged > 0 {
		h.Warnings.Add(quality.RowsRagged,
			"%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.%s",
			quality.Thousands(int64(r.ragged)), quality.Thousands(int64(r.count)), len(h.Columns)+1, r.raggedAt,
			text.Lost(r.lost))
	}
	if r.garbled > 0 {
		h.Warnings.Add(quality.CellsUnreadable,
			"%s cells hold something other than a number and were taken for missing; the first is in line %d.",
			quality.Thousands(int64(r.garbled)), r.garbledAt)
	}
	r.beyond.Report(&h.Warnings)
	if r.skipped > 0 {
		h.Warnings.Add(quality.RowsSkipped, "%s lines do not begin with a time and were skipped; the first is line %d.",
			quality.Thousands(int64(r.skipped)), r.skippedAt)
	}
	if r.backwards > 0 {
		h.Warnings.Add(quality.FramesJump, "%s rows have an earlier time than the row before.",
			quality.Thousands(int64(r.backwards)))
	}
	if r.count == 0 {
		h.Warnings.Add(quality.RowsNone, "The table has names but no rows.")
	}
	h.reportAngles()
	if math.IsNaN(h.Start) {
		h.Start = 0
	}
}
