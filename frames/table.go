package frames

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

// Table is a motion table or a table of samples. It may be read by several callers
// at once; opening it reads its index and nothing else. What has a checksum is compared with it
// whenever it is read, so that a table whose bytes have changed gives an error and no number.
type Table struct {
	file    *parquet.File
	r       io.ReaderAt
	names   []string
	places  map[string]int
	wide    []bool // by place: the numbers have 64 bits
	groups  []Group
	note    fileNote
	columns [][]parquet.ColumnChunk // of each group
	sums    parquetfile.Sums
	damage  atomic.Pointer[Damaged] // that a reader has met
}

// Group is a run of rows that lie together in the file, the piece in which it is
// best read.
type Group struct{ From, Rows int }

// Damaged is that a table does not have the bytes that Write has written; an error of the storage is none.
type Damaged struct{ cause error }

// Error says what is damaged.
func (d *Damaged) Error() string { return "the motion table is damaged: " + d.cause.Error() }

// Unwrap gives the cause.
func (d *Damaged) Unwrap() error { return d.cause }

// Open opens a table of that many bytes that Write has written. A file that is none, or none any more, is Damaged.
func Open(r io.ReaderAt, size int64) (_ *Table, err error) {
	defer damaged(&err)
	tail, err := parquetfile.ReadTail(r, size)
	if errors.Is(err, parquetfile.ErrDamaged) {
		return nil, &Damaged{err}
	}
	if err != nil {
		return nil, fmt.Errorf("opening a motion table: %w", err)
	}
	t, err := read(tail, size)
	if err != nil {
		return nil, &Damaged{err}
	}
	t.r = r
	return t, nil
}

// read makes a table of its index.
func read(tail *parquetfile.Tail, size int64) (*Table, error) {
	file, err := parquet.OpenFile(tail, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.SkipMagicBytes(true))
	if err != nil {
		return nil, err
	}
	t := &Table{file: file, places: map[string]int{}}
	for i, c := range file.Root().Columns() {
		if !c.Leaf() {
			return nil, errors.New("it has a column of columns")
		}
		t.names = append(t.names, c.Name())
		t.places[c.Name()] = i
		t.wide = append(t.wide, c.Type().Kind() == parquet.Double)
	}
	note, ok := file.Lookup(noteKey)
	if !ok || json.Unmarshal([]byte(note), &t.note) != nil || t.note.Layout != 1 || len(t.names) < 2 ||
		t.names[0] != "frame" || t.names[1] != "time" {
		return nil, errors.New("this is a Parquet file of another kind")
	}
	from := 0
	for _, g := range file.RowGroups() {
		if g.NumRows() < 0 || g.NumRows() > 2*largestGroup {
			return nil, errors.New("it has a row group of a size that is never written")
		}
		t.groups = append(t.groups, Group{from, int(g.NumRows())})
		t.columns = append(t.columns, g.ColumnChunks())
		from += int(g.NumRows())
	}
	t.sums, err = tail.Sums(file.Lookup, len(t.groups), len(t.names))
	return t, err
}

// damaged makes an error of a panic: parquet-go does not expect a file whose bytes
// have changed on a disk, and who asks for it must not bring a server down.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = &Damaged{fmt.Errorf("%v", r)}
	}
}

// Damage is what a reader of the table has met so far, nil for nothing.
func (t *Table) Damage() error {
	if d := t.damage.Load(); d != nil {
		return d
	}
	return nil
}

// Rows is the number of rows.
func (t *Table) Rows() int { return int(t.file.NumRows()) }

// PerFrame is the number of rows a frame: 1 but in a table of samples.
func (t *Table) PerFrame() int { return max(1, t.note.PerFrame) }

// Columns gives the names of all columns but frame and time, in their order.
func (t *Table) Columns() []string { return t.names[2:] }

// Groups gives the runs of rows, in their order.
func (t *Table) Groups() []Group { return t.groups }
