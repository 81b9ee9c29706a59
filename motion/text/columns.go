package text

import (
	"fmt"
	"slices"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// Columns collects the numbers of a table, each column by itself. Rows may be
// shorter than others: what is not set is missing. A column is kept in 32 bits, and in
// 64 bits beside them where 32 cannot hold it (see course).
//
// A cell takes four bytes here and may take none in the file, so the table may not
// grow at will: a file of a few bytes could otherwise fill the memory.
type Columns struct {
	columns []column
	rows    int
	most    int64 // cells
	weight  int64 // of a cell
	held    int64 // columns that have 64-bit numbers beside the others
}

type column struct {
	values []float32
	course
}

// always is how many cells any file may have: 20,000 rows of 66 markers.
const always = 4 << 20

// NewColumns is for a file of that many bytes.
func NewColumns(n int, size int64) *Columns {
	return &Columns{columns: make([]column, n), most: max(always, size+size/2), weight: 1}
}

// Weigh says that what is made of a cell takes that many times its memory.
func (c *Columns) Weigh(times int64) { c.weight = times }

// Need says that there are at least n columns, whether they ever have a value or
// not.
func (c *Columns) Need(n int) {
	if n > len(c.columns) {
		c.columns = append(c.columns, make([]column, n-len(c.columns))...)
	}
}

// fine is what a length may be off by, in metres: less than anything measures.
const fine = 1e-6

// About says how a column is called and which unit it has, "" where nobody knows: both
// can tell which of its digits count.
func (c *Columns) About(i int, name, unit string) {
	c.Need(i + 1)
	c.columns[i].exact = label.EachDigit(name)
	if metres, ok := units.Metres(unit); ok {
		c.columns[i].tolerance = fine / metres
	}
}

// Set sets a cell of the row that is being read, its column counted from 0. Beyond
// the last column there comes a new one.
func (c *Columns) Set(i int, f Figure) {
	c.Need(i + 1)
	col := &c.columns[i]
	held := col.wide != nil
	col.values = append(c.fill(i), f.Near)
	col.see(f, c.rows)
	if now := col.wide != nil; now && !held {
		c.held++
	} else if held && !now {
		c.held--
	}
}

// fill gives a column with what is missing before the row that is being read.
func (c *Columns) fill(i int) []float32 {
	values := c.columns[i].values
	if missing := c.rows - len(values); missing > 0 {
		values = slices.Grow(values, missing+1)
		for range missing {
			values = append(values, record.NaN32)
		}
	}
	return values
}

// EndRow ends a row; the line is for the error, a *quality.Unreadable when the
// table is far larger than the file.
func (c *Columns) EndRow(line int) error {
	c.rows++
	if int64(c.rows)*(int64(len(c.columns))*c.weight+2*c.held) > c.most {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The file has names for %s columns of numbers, but its rows are nearly empty",
				quality.Thousands(int64(len(c.columns))*c.weight)),
			Line: line, Hint: quality.ExportAgain,
		}
	}
	return nil
}

// Rows is the number of rows that have ended.
func (c *Columns) Rows() int { return c.rows }

// Len is the number of columns.
func (c *Columns) Len() int { return len(c.columns) }

// Column gives a column with a value for every row; one that never had any is
// missing throughout. It must be one of those that were needed or set.
func (c *Columns) Column(i int) []float32 {
	c.columns[i].values = c.fill(i)
	return c.columns[i].values[:c.rows:c.rows]
}

// Wide gives a column in 64 bits, nil where 32 bits hold it.
func (c *Columns) Wide(i int) []float64 {
	col := &c.columns[i]
	if !col.settle() {
		return nil
	}
	return c.widen(i)
}

// widen gives a column in 64 bits, whether 32 bits hold it or not.
func (c *Columns) widen(i int) []float64 {
	col := &c.columns[i]
	switch {
	case col.wide == nil:
		col.begun = c.rows
	case col.begun == 0 && len(col.wide) == c.rows:
		return col.wide
	}
	wide := make([]float64, 0, c.rows)
	for _, v := range c.Column(i)[:col.begun] {
		wide = append(wide, restore(v))
	}
	wide = append(wide, col.wide...)
	for len(wide) < c.rows {
		wide = append(wide, float64(record.NaN32))
	}
	col.wide, col.begun, col.state = wide, 0, wider
	return wide
}

// Place gives a point the numbers of three columns, the first of which is told: in 64
// bits beside 32 where one of them needs it.
func (c *Columns) Place(p *record.Point, i int) {
	p.X, p.Y, p.Z = c.Column(i), c.Column(i+1), c.Column(i+2)
	p.Wide = nil
	if c.Wide(i) == nil && c.Wide(i+1) == nil && c.Wide(i+2) == nil {
		return
	}
	p.Wide = &[3][]float64{c.widen(i), c.widen(i + 1), c.widen(i + 2)}
}
