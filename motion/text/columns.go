package text

import (
	"fmt"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// Columns collects the numbers of a table, each column by itself. Rows may be
// shorter than others: what is not set is missing.
//
// A cell takes four bytes here and may take none in the file, so the table may not
// grow at will: a file of a few bytes could otherwise fill the memory.
type Columns struct {
	columns [][]float32
	rows    int
	most    int64 // cells
	weight  int64 // of a cell
}

// always is how many cells any file may have: 20,000 rows of 66 markers.
const always = 4 << 20

// NewColumns is for a file of that many bytes.
func NewColumns(n int, size int64) *Columns {
	return &Columns{columns: make([][]float32, n), most: max(always, size+size/2), weight: 1}
}

// Weigh says that what is made of a cell takes that many times its memory.
func (c *Columns) Weigh(times int64) { c.weight = times }

// Need says that there are at least n columns, whether they ever have a value or
// not.
func (c *Columns) Need(n int) {
	if n > len(c.columns) {
		c.columns = append(c.columns, make([][]float32, n-len(c.columns))...)
	}
}

// Set sets a cell of the row that is being read, its column counted from 0. Beyond
// the last column there comes a new one.
func (c *Columns) Set(column int, v float32) {
	c.Need(column + 1)
	c.columns[column] = append(c.fill(column), v)
}

// fill gives a column with what is missing before the row that is being read.
func (c *Columns) fill(column int) []float32 {
	values := c.columns[column]
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
	if int64(c.rows)*int64(len(c.columns))*c.weight > c.most {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The file has names for %s columns of numbers, but its rows are nearly empty", quality.Thousands(int64(len(c.columns))*c.weight)),
			Line:   line, Hint: quality.ExportAgain,
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
	c.columns[i] = c.fill(i)
	return c.columns[i][:c.rows:c.rows]
}
