package trc

import (
	"io"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Read reads a TRC file of that many bytes with all its numbers. Errors are those
// of ReadHeader. Markers for which there are numbers but no names are kept: they
// are called unnamed_ and their number.
func Read(r io.Reader, size int64) (*record.Recording, error) {
	t := &table{columns: text.NewColumns(0, size)}
	h, err := read(r, t)
	if err != nil {
		return nil, err
	}
	if err := t.cells.Mixed(); err != nil {
		return nil, err
	}
	rec := &record.Recording{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: h.FirstFrame, Start: h.begins, Times: h.times, Unit: h.Unit,
		Subjects: label.Prefixes(h.Points), Warnings: h.Warnings,
	}
	t.columns.Need(3 * (len(h.Points) + h.Unnamed)) // the last of them may lack y and z
	rec.Points = make([]record.Point, len(h.Points)+h.Unnamed)
	for i, name := range h.AllPoints() {
		p := &rec.Points[i]
		p.Subject, p.Name = label.Split(name)
		p.Quantity = record.Position
		t.columns.Place(p, 3*i)
		occlude(p)
		p.Settle()
	}
	if h.uncounted != nil {
		rec.Analogs = []record.Channel{record.Column(uncounted, h.uncounted, h.Rate)}
	}
	if t.garbled > 0 {
		rec.Warnings.Add(quality.CellsUnreadable,
			"%s cells hold something other than a number and were taken for missing; the first is in line %d.",
			quality.Thousands(int64(t.garbled)), t.garbledAt)
	}
	t.beyond.Report(&rec.Warnings)
	return rec, nil
}

// occluded is what Cortex writes for a coordinate of a marker that was not seen.
const occluded = 9_999_999

// occlude makes a marker missing where it has the sign that it was not seen.
func occlude(p *record.Point) {
	for i := range p.X {
		if p.X[i] == occluded || p.Y[i] == occluded || p.Z[i] == occluded {
			p.X[i] = record.NaN32
		}
	}
}

// Analogs gives the names of the channels that Read makes: of times of which nobody can
// tell what they count.
func (h *Header) Analogs() []string {
	if h.uncounted == nil {
		return nil
	}
	return []string{uncounted}
}

// uncounted is what the column of such times is called.
const uncounted = "Time"

// AllPoints gives the names of all markers, those without one included.
func (h *Header) AllPoints() []string {
	all, _, _ := label.Distinct(h.Points, len(h.Points)+h.Unnamed)
	return all
}

// table is the numbers of the rows.
type table struct {
	columns            *text.Columns
	garbled, garbledAt int
	beyond             text.Beyond
	cells              text.Cells
}

// add takes the numbers of a row.
func (t *table) add(line []byte, number int, next func([]byte) (cell, rest []byte)) error {
	var cell []byte
	for column := -2; len(line) > 0; column++ {
		cell, line = next(line)
		if column < 0 {
			t.cells.Point(cell)
		}
		if column < 0 || len(cell) == 0 {
			continue
		}
		v, ok := t.cells.Read(cell)
		t.beyond.Note(v, number)
		if !ok {
			if t.garbled++; t.garbled == 1 {
				t.garbledAt = number
			}
		}
		if v == v {
			t.columns.Set(column, v)
		}
	}
	return t.columns.EndRow(number)
}
