package frames

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

// Scan reads some columns of a table group by group, into memory that it uses
// again. It is for one goroutine; a table may have any number of them.
type Scan struct {
	t      *Table
	places []int // of frame, time and the columns asked for
	order  []int // indices into places, as they lie in the file
	bytes  []byte
	Rows
}

// Rows is what a Scan has read: good until it reads again.
type Rows struct {
	From    int       // row that the first one is
	Time    []float64 // seconds by the file's own rate; NaN where it does not tell
	Columns []Numbers // as they were asked for, in the unit of the table
}

// Scan begins to read columns by their names.
func (t *Table) Scan(columns []string) (*Scan, error) {
	places := []int{1}
	for _, name := range columns {
		place, ok := t.places[name]
		if !ok || place < 2 {
			return nil, fmt.Errorf("the motion table has no column %q", name)
		}
		places = append(places, place)
	}
	s := t.scan(places)
	s.Columns = make([]Numbers, len(columns))
	for i := range s.Columns {
		if t.wide[s.places[1+i]] {
			s.Columns[i].Wide = []float64{}
		}
	}
	return s, nil
}

// scan begins to read columns by their places.
func (t *Table) scan(places []int) *Scan {
	s := &Scan{t: t, places: places, order: make([]int, len(places))}
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return s
}

// gap is how many bytes that nobody asked for are read along, rather than asking
// the disk or the bucket once more.
const gap = 128 << 10

// largestRead is how many bytes are asked for at once.
const largestRead = 16 << 20

// Read reads one group. What is Damaged is read no further.
func (s *Scan) Read(group int) (err error) {
	defer func() {
		damaged(&err)
		var d *Damaged
		if errors.As(err, &d) {
			s.t.damage.Store(d)
		}
	}()
	s.From = s.t.groups[group].From
	return s.pages(group, func(i int, w parquetfile.Window) error {
		return s.column(s.t.columns[group], i, s.t.groups[group].Rows, w)
	})
}

// pages reads the columns of a group, compares each with its checksum, and gives it to each.
func (s *Scan) pages(group int, each func(i int, w parquetfile.Window) error) error {
	for at := 0; at < len(s.order); {
		begin, end := s.span(group, s.order[at])
		next := at + 1
		for ; next < len(s.order); next++ {
			b, e := s.span(group, s.order[next])
			if b < begin || b > end+gap || e-begin > largestRead {
				break
			}
			end = max(end, e)
		}
		if begin < 0 || end < begin || end > s.t.file.Size() {
			return &Damaged{errors.New("a column lies outside of it")}
		}
		if s.bytes = slices.Grow(s.bytes[:0], int(end-begin))[:end-begin]; end > begin {
			if n, err := s.t.r.ReadAt(s.bytes, begin); n < len(s.bytes) {
				return fmt.Errorf("reading the motion table: %w", err)
			}
		}
		w := parquetfile.Window{Bytes: s.bytes, At: begin}
		for ; at < next; at++ {
			i := s.order[at]
			err := s.t.sums.Check(group, s.places[i], w.Part(s.span(group, i)))
			if err == nil {
				err = each(i, w)
			}
			if err != nil {
				return &Damaged{err}
			}
		}
	}
	return nil
}

// span is where the pages of a column lie.
func (s *Scan) span(group, i int) (begin, end int64) {
	m := &s.t.file.Metadata().RowGroups[group].Columns[s.places[i]].MetaData
	return m.DataPageOffset, m.DataPageOffset + m.TotalCompressedSize
}

// column decodes the pages of one column.
func (s *Scan) column(chunks []parquet.ColumnChunk, i, rows int, w parquetfile.Window) error {
	pages := chunks[s.places[i]].(*parquet.FileColumnChunk).PagesFrom(w)
	defer func() { _ = pages.Close() }() // which gives memory back and cannot fail
	if i == 0 {
		s.Time = slices.Grow(s.Time[:0], rows)
	} else {
		n := &s.Columns[i-1]
		if n.Wide != nil {
			n.Wide = slices.Grow(n.Wide[:0], rows)
		} else {
			n.Narrow = slices.Grow(n.Narrow[:0], rows)
		}
	}
	have := 0
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if have += int(page.NumValues()); have > rows {
			parquet.Release(page)
			return errors.New("a column has more values than its group has rows")
		}
		levels, data := page.DefinitionLevels(), page.Data()
		if i == 0 {
			s.Time = fill(s.Time, levels, data.Double())
		} else if n := &s.Columns[i-1]; n.Wide != nil {
			n.Wide = fill(n.Wide, levels, data.Double())
		} else {
			n.Narrow = fill(n.Narrow, levels, data.Float())
		}
		parquet.Release(page)
	}
	if have != rows {
		return errors.New("a column has fewer values than its group has rows")
	}
	return nil
}

// fill appends the values of a page, and NaN where its levels say that there is
// none.
func fill[T float32 | float64](to []T, levels []byte, values []T) []T {
	if len(levels) == len(values) {
		return append(to, values...)
	}
	i := 0
	for _, level := range levels {
		if level == 0 || i == len(values) {
			to = append(to, T(math.NaN()))
			continue
		}
		to = append(to, values[i])
		i++
	}
	return to
}
