package frames

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Table is a motion table or a table of samples. It may be read by several callers
// at once; opening it reads its index and nothing else.
type Table struct {
	file    *parquet.File
	r       io.ReaderAt
	names   []string
	places  map[string]int
	wide    []bool // by place: the numbers have 64 bits
	groups  []Group
	note    fileNote
	columns [][]parquet.ColumnChunk // of each group
}

// Group is a run of rows that lie together in the file, the piece in which it is
// best read.
type Group struct{ From, Rows int }

// Open opens a table of that many bytes that Write has written.
func Open(r io.ReaderAt, size int64) (_ *Table, err error) {
	defer damaged(&err)
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("opening a motion table: %w", err)
	}
	t := &Table{file: file, r: r, places: map[string]int{}}
	for i, c := range file.Root().Columns() {
		if !c.Leaf() {
			return nil, errors.New("opening a motion table: it has a column of columns")
		}
		t.names = append(t.names, c.Name())
		t.places[c.Name()] = i
		t.wide = append(t.wide, c.Type().Kind() == parquet.Double)
	}
	note, ok := file.Lookup(noteKey)
	if !ok || json.Unmarshal([]byte(note), &t.note) != nil || t.note.Layout != 1 || len(t.names) < 2 || t.names[0] != "frame" || t.names[1] != "time" {
		return nil, errors.New("opening a motion table: this is a Parquet file of another kind")
	}
	from := 0
	for _, g := range file.RowGroups() {
		if g.NumRows() < 0 || g.NumRows() > 2*largestGroup {
			return nil, errors.New("opening a motion table: it has a row group of a size that is never written")
		}
		t.groups = append(t.groups, Group{from, int(g.NumRows())})
		t.columns = append(t.columns, g.ColumnChunks())
		from += int(g.NumRows())
	}
	return t, nil
}

// damaged makes an error of a panic: parquet-go does not expect a file whose bytes
// have changed on a disk, and who asks for it must not bring a server down.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the motion table is damaged: %v", r)
	}
}

// Rows is the number of rows.
func (t *Table) Rows() int { return int(t.file.NumRows()) }

// PerFrame is the number of rows a frame: 1 but in a table of samples.
func (t *Table) PerFrame() int { return max(1, t.note.PerFrame) }

// Columns gives the names of all columns but frame and time, in their order.
func (t *Table) Columns() []string { return t.names[2:] }

// Groups gives the runs of rows, in their order.
func (t *Table) Groups() []Group { return t.groups }

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
	s := &Scan{t: t, places: []int{1}}
	for _, name := range columns {
		place, ok := t.places[name]
		if !ok || place < 2 {
			return nil, fmt.Errorf("the motion table has no column %q", name)
		}
		s.places = append(s.places, place)
	}
	s.Columns = make([]Numbers, len(columns))
	for i := range s.Columns {
		if t.wide[s.places[1+i]] {
			s.Columns[i].Wide = []float64{}
		}
	}
	s.order = make([]int, len(s.places))
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(s.places[a], s.places[b]) })
	return s, nil
}

// gap is how many bytes that nobody asked for are read along, rather than asking
// the disk or the bucket once more.
const gap = 128 << 10

// largestRead is how many bytes are asked for at once.
const largestRead = 16 << 20

// Read reads one group.
func (s *Scan) Read(group int) (err error) {
	defer damaged(&err)
	g, chunks := s.t.groups[group], s.t.columns[group]
	s.From = g.From
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
			return errors.New("reading the motion table: a column lies outside of it")
		}
		if s.bytes = slices.Grow(s.bytes[:0], int(end-begin))[:end-begin]; end > begin {
			if n, err := s.t.r.ReadAt(s.bytes, begin); n < len(s.bytes) {
				return fmt.Errorf("reading the motion table: %w", err)
			}
		}
		for ; at < next; at++ {
			if err := s.column(chunks, s.order[at], g.Rows, window{s.bytes, begin}); err != nil {
				return fmt.Errorf("reading the motion table: %w", err)
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

// window is a part of a file in memory.
type window struct {
	bytes []byte
	at    int64
}

func (w window) ReadAt(b []byte, off int64) (int, error) {
	if off -= w.at; off < 0 || off >= int64(len(w.bytes)) {
		return 0, io.EOF
	}
	n := copy(b, w.bytes[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// column decodes the pages of one column.
func (s *Scan) column(chunks []parquet.ColumnChunk, i, rows int, w window) error {
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
