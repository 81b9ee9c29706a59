package frames

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

// pages writes a Parquet file of the columns frame, time and any number of others of 32
// or 64 bits, from slices: a page of every column for each stretch, and a row group out
// of as many as fit into memory.
type pages struct {
	file    *parquetfile.File
	press   *parquetfile.Press
	columns []column // frame, time and the others
	note    string
	units   bool // are written as well
	rows    int  // in the row group
}

// column is a column and its pages in the row group.
type column struct {
	name     string
	unit     string
	kind     format.Type
	encoding format.Encoding
	optional bool

	pages []byte
	raw   int64 // bytes of the pages before they were compressed
	nulls int64
	low   []byte // smallest and largest value of columns that are sorted
	high  []byte
}

// heading is a column by its name.
type heading struct {
	name string
	wide bool   // its numbers have 64 bits
	unit string // of the numbers, "" when it is not known; counts where units are written
}

func newPages(w io.Writer, columns []heading, note string) (*pages, error) {
	p := &pages{note: note, press: parquetfile.NewPress()}
	p.columns = append(p.columns,
		column{name: "frame", kind: format.Int64, encoding: format.DeltaBinaryPacked},
		column{name: "time", unit: "s", kind: format.Double, encoding: format.ByteStreamSplit, optional: true})
	for _, h := range columns {
		kind := format.Float
		if h.wide {
			kind = format.Double
		}
		p.columns = append(p.columns, column{name: h.name, unit: h.unit, kind: kind, encoding: format.ByteStreamSplit,
			optional: true})
	}
	var err error
	p.file, err = parquetfile.New(w)
	return p, told(err)
}

// told says what it was that could not be written.
func told(err error) error {
	if err != nil {
		err = fmt.Errorf("writing the motion table: %w", err)
	}
	return err
}

// begin starts a page of as many rows as there are numbers of frames, with the
// columns frame and time.
func (p *pages) begin(frames []int64, seconds []float64) (err error) {
	n := len(frames)
	p.press.Body = p.press.Body[:0]
	if err := p.press.Delta(frames); err != nil {
		return err
	}
	c := &p.columns[0]
	if n > 0 {
		if c.low == nil {
			c.low = binary.LittleEndian.AppendUint64(nil, uint64(frames[0]))
		}
		c.high = binary.LittleEndian.AppendUint64(c.high[:0], uint64(frames[n-1]))
	}
	if err := p.page(c, n, n); err != nil {
		return err
	}
	return p.doubles(&p.columns[1], seconds)
}

// add adds the page of a column, counted behind frame and time.
func (p *pages) add(at int, n Numbers) error {
	c := &p.columns[2+at]
	if wide := n.Wide != nil; wide != (c.kind == format.Double) {
		return fmt.Errorf("column %q has numbers of %d bits, other than it had", c.name, n.Bits())
	}
	if n.Wide != nil {
		return p.doubles(c, n.Wide)
	}
	return p.floats(c, n.Narrow)
}

// levels begins a page with which of the values are there, and says how many are.
func levels[T float32 | float64](p *pages, values []T) (there int, err error) {
	n := len(values)
	if cap(p.press.Levels) < n {
		p.press.Levels = make([]byte, n)
	}
	p.press.Levels = p.press.Levels[:n]
	for i, v := range values {
		level := byte(0)
		if v-v == 0 {
			level = 1
		}
		p.press.Levels[i] = level
		there += int(level)
	}
	return there, p.press.Define(n, there)
}

func (p *pages) doubles(c *column, values []float64) error {
	there, err := levels(p, values)
	if err != nil {
		return err
	}
	body := p.grow(8 * there)
	i := 0
	for at, v := range values {
		if p.press.Levels[at] == 0 {
			continue
		}
		bits := math.Float64bits(v)
		for k := range 8 {
			body[k*there+i] = byte(bits >> (8 * k))
		}
		i++
	}
	return p.page(c, len(values), there)
}

func (p *pages) floats(column *column, values []float32) error {
	there, err := levels(p, values)
	if err != nil {
		return err
	}
	body := p.grow(4 * there)
	a, b, c, d := body[:there], body[there:2*there], body[2*there:3*there], body[3*there:4*there]
	i := 0
	for k, v := range values {
		if p.press.Levels[k] == 0 {
			continue
		}
		bits := math.Float32bits(v)
		a[i], b[i], c[i], d[i] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
		i++
	}
	return p.page(column, len(values), there)
}

// grow makes the body longer and gives the new part.
func (p *pages) grow(n int) []byte {
	at := len(p.press.Body)
	if cap(p.press.Body) < at+n {
		p.press.Body = append(make([]byte, 0, 2*(at+n)), p.press.Body...)
	}
	p.press.Body = p.press.Body[:at+n]
	return p.press.Body[at:]
}

// page adds the body to a column, as a page of n values of which some are there.
func (p *pages) page(c *column, n, there int) error {
	pages, raw, err := p.press.Page(c.pages, parquetfile.Data(n, there, c.encoding))
	if err != nil {
		return err
	}
	c.pages = pages
	c.raw += raw
	c.nulls += int64(n - there)
	return nil
}

// end ends the pages of a stretch, and the row group when it is large enough.
func (p *pages) end(n int) error {
	p.rows += n
	if p.rows*len(p.columns) < groupValues && p.rows < largestGroup {
		return nil
	}
	return p.group()
}

// group writes the row group.
func (p *pages) group() error {
	if p.rows == 0 {
		return nil
	}
	err := p.file.Group(p.rows, len(p.columns), func(i int) parquetfile.Chunk {
		c := &p.columns[i]
		encodings := thrift.Slice[format.Encoding]{c.encoding}
		if c.optional {
			encodings = append(encodings, format.RLE)
		}
		return parquetfile.Chunk{Pages: c.pages, Raw: c.raw, Meta: format.ColumnMetaData{
			Type: c.kind, Encoding: encodings, PathInSchema: thrift.Slice[string]{c.name}, Codec: parquetfile.Codec,
			Statistics: format.Statistics{NullCount: c.nulls, MinValue: bytes.Clone(c.low),
				MaxValue: bytes.Clone(c.high)},
		}}
	})
	for i := range p.columns {
		c := &p.columns[i]
		c.pages, c.raw, c.nulls, c.low, c.high = c.pages[:0], 0, 0, nil, c.high[:0]
	}
	p.rows = 0
	return told(err)
}

// close writes the rest and the index.
func (p *pages) close() error {
	if err := p.group(); err != nil {
		return err
	}
	var schema []format.SchemaElement
	var units []string
	for _, c := range p.columns {
		repetition := format.Required
		if c.optional {
			repetition = format.Optional
		}
		schema = append(schema, format.SchemaElement{Type: thrift.New(c.kind), RepetitionType: thrift.New(repetition),
			Name: c.name})
		if p.units {
			units = append(units, c.unit)
		}
	}
	return told(p.file.Close("motion", schema, units, format.KeyValue{Key: noteKey, Value: p.note}))
}
