package sto

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/quality"
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
	skipped, skippedAt int
	backwards          int
}

// readRows streams all rows, and settles everything that only they can tell.
func (h *Header) readRows(l *text.Lines, r *rows) error {
	width := h.Type.Width()
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
	h.Frames, h.Start = r.count, r.first
	h.counts()
	h.settleRate(r)
	h.report(r)
	return nil
}

// add takes one line into account.
func (r *rows) add(line []byte, number, columns, width int) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	next := text.Splitter(line)
	cell, line := next(line)
	seconds, ok := text.Seconds(cell, 1)
	if !ok {
		if r.skipped++; r.skipped == 1 {
			r.skippedAt = number
		}
		return nil
	}
	if r.count == 0 {
		r.first = seconds
	} else if seconds < r.last {
		r.backwards++
	}
	r.count, r.last = r.count+1, seconds
	r.times = append(r.times, seconds)
	column, extra := 0, false
	for ; len(line) > 0; column++ {
		cell, line = next(line)
		if column >= columns {
			extra = extra || len(cell) > 0
			continue
		}
		if r.columns != nil {
			r.cell(cell, column*width, width, number)
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
		v, ok := text.Cell(b)
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

// report notes what is odd about the rows.
func (h *Header) report(r *rows) {
	if r.ragged > 0 {
		h.Warnings.Add(quality.RowsRagged, "%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.",
			quality.Thousands(int64(r.ragged)), quality.Thousands(int64(r.count)), len(h.Columns)+1, r.raggedAt)
	}
	if r.garbled > 0 {
		h.Warnings.Add(quality.CellsUnreadable, "%s cells hold something other than a number and were taken for missing; the first is in line %d.",
			quality.Thousands(int64(r.garbled)), r.garbledAt)
	}
	if r.skipped > 0 {
		h.Warnings.Add(quality.RowsSkipped, "%s lines do not begin with a time and were skipped; the first is line %d.", quality.Thousands(int64(r.skipped)), r.skippedAt)
	}
	if r.backwards > 0 {
		h.Warnings.Add(quality.FramesJump, "%s rows have an earlier time than the row before.", quality.Thousands(int64(r.backwards)))
	}
	if r.count == 0 {
		h.Warnings.Add(quality.RowsNone, "The table has names but no rows.")
	}
	if !h.Stated && h.Type == Double && h.anglesLikely() {
		h.Warnings.Add(quality.AngleUnitMissing, "The file does not say whether its angles are degrees or radians; all columns were kept as they are, without a unit.")
	}
	if math.IsNaN(h.Start) {
		h.Start = 0
	}
}
