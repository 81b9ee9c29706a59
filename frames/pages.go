package frames

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pages writes a Parquet file of the columns frame, time and any number of 32-bit
// ones, from slices: a page of every column for each stretch, and a row group out
// of as many as fit into memory. The structures of the file, its encodings and its
// compression are parquet-go's. Its own writer takes values one by one, each in a
// box of 24 bytes, which measured several times as slow (docs/adr has figures).
type pages struct {
	w       io.Writer
	offset  int64
	columns []column // frame, time and the others
	note    string
	codec   compress.Codec

	rows   int // in the row group
	total  int64
	groups []byte // encoded, as they stand in the index
	count  int    // of them

	levels  []byte
	runs    []byte
	body    []byte
	packed  []byte
	header  bytes.Buffer
	encoder *thrift.Encoder
}

// column is a column and its pages in the row group.
type column struct {
	name     string
	kind     format.Type
	encoding format.Encoding
	optional bool

	pages []byte
	raw   int64 // bytes of the pages before they were compressed
	nulls int64
	low   []byte // smallest and largest value of columns that are sorted
	high  []byte
}

var magic = []byte("PAR1")

func newPages(w io.Writer, names []string, note string) (*pages, error) {
	p := &pages{w: w, note: note, codec: &snappy.Codec{}}
	p.columns = append(p.columns,
		column{name: "frame", kind: format.Int64, encoding: format.DeltaBinaryPacked},
		column{name: "time", kind: format.Double, encoding: format.ByteStreamSplit, optional: true})
	for _, name := range names {
		p.columns = append(p.columns, column{name: name, kind: format.Float, encoding: format.ByteStreamSplit, optional: true})
	}
	p.encoder = thrift.NewEncoder((&thrift.CompactProtocol{}).NewWriter(&p.header))
	return p, p.write(magic)
}

func (p *pages) write(b []byte) error {
	n, err := p.w.Write(b)
	p.offset += int64(n)
	if err != nil {
		return fmt.Errorf("writing the motion table: %w", err)
	}
	return nil
}

// begin starts a page of as many rows as there are numbers of frames, with the
// columns frame and time.
func (p *pages) begin(frames []int64, seconds []float64) (err error) {
	n := len(frames)
	if p.packed, err = (&delta.BinaryPackedEncoding{}).EncodeInt64(p.packed[:0], frames); err != nil {
		return err
	}
	p.body = append(p.body[:0], p.packed...)
	c := &p.columns[0]
	if n > 0 {
		if c.low == nil {
			c.low = binary.LittleEndian.AppendUint64(nil, uint64(frames[0]))
		}
		c.high = binary.LittleEndian.AppendUint64(c.high[:0], uint64(frames[n-1]))
	}
	if err := p.page(c, n, 0); err != nil {
		return err
	}
	p.levels = p.levels[:0]
	there := 0
	for _, s := range seconds {
		level := byte(0)
		if s-s == 0 {
			level = 1
			there++
		}
		p.levels = append(p.levels, level)
	}
	if err := p.define(n, there); err != nil {
		return err
	}
	body := p.grow(8 * there)
	i := 0
	for _, s := range seconds {
		if s-s != 0 {
			continue
		}
		bits := math.Float64bits(s)
		for k := range 8 {
			body[k*there+i] = byte(bits >> (8 * k))
		}
		i++
	}
	return p.page(&p.columns[1], n, n-there)
}

// floats adds the page of a column, counted behind frame and time.
func (p *pages) floats(at int, values []float32) error {
	n := len(values)
	if cap(p.levels) < n {
		p.levels = make([]byte, n)
	}
	p.levels = p.levels[:n]
	there := 0
	for i, v := range values {
		level := byte(0)
		if v-v == 0 {
			level = 1
		}
		p.levels[i] = level
		there += int(level)
	}
	if err := p.define(n, there); err != nil {
		return err
	}
	body := p.grow(4 * there)
	a, b, c, d := body[:there], body[there:2*there], body[2*there:3*there], body[3*there:4*there]
	i := 0
	for k, v := range values {
		if p.levels[k] == 0 {
			continue
		}
		bits := math.Float32bits(v)
		a[i], b[i], c[i], d[i] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
		i++
	}
	return p.page(&p.columns[2+at], n, n-there)
}

// define begins the body of a page with which of its values are there.
func (p *pages) define(n, there int) (err error) {
	switch there {
	case n, 0:
		p.runs = binary.AppendUvarint(p.runs[:0], uint64(n)<<1)
		p.runs = append(p.runs, byte(min(1, there)))
	default:
		if p.runs, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(p.runs[:0], p.levels); err != nil {
			return err
		}
	}
	p.body = binary.LittleEndian.AppendUint32(p.body[:0], uint32(len(p.runs)))
	p.body = append(p.body, p.runs...)
	return nil
}

// grow makes the body longer and gives the new part.
func (p *pages) grow(n int) []byte {
	at := len(p.body)
	if cap(p.body) < at+n {
		p.body = append(make([]byte, 0, 2*(at+n)), p.body...)
	}
	p.body = p.body[:at+n]
	return p.body[at:]
}

// page compresses the body and adds it to a column.
func (p *pages) page(c *column, n, nulls int) (err error) {
	if p.packed, err = p.codec.Encode(p.packed, p.body); err != nil {
		return err
	}
	p.header.Reset()
	err = p.encoder.Encode(&format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(len(p.body)), CompressedPageSize: int32(len(p.packed)),
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(n), Encoding: c.encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
			Statistics: format.Statistics{NullCount: int64(nulls)},
		}),
	})
	if err != nil {
		return err
	}
	c.pages = append(append(c.pages, p.header.Bytes()...), p.packed...)
	c.raw += int64(p.header.Len() + len(p.body))
	c.nulls += int64(nulls)
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
	g := format.RowGroup{NumRows: int64(p.rows), FileOffset: p.offset, Ordinal: int16(p.count), Columns: make([]format.ColumnChunk, len(p.columns))}
	for i := range p.columns {
		c := &p.columns[i]
		encodings := thrift.Slice[format.Encoding]{c.encoding}
		if c.optional {
			encodings = append(encodings, format.RLE)
		}
		g.Columns[i] = format.ColumnChunk{MetaData: format.ColumnMetaData{
			Type: c.kind, Encoding: encodings, PathInSchema: thrift.Slice[string]{c.name}, Codec: p.codec.CompressionCodec(),
			NumValues: int64(p.rows), TotalUncompressedSize: c.raw, TotalCompressedSize: int64(len(c.pages)), DataPageOffset: p.offset,
			Statistics: format.Statistics{NullCount: c.nulls, MinValue: bytes.Clone(c.low), MaxValue: bytes.Clone(c.high)},
		}}
		g.TotalByteSize += c.raw
		g.TotalCompressedSize += int64(len(c.pages))
		if err := p.write(c.pages); err != nil {
			return err
		}
		c.pages, c.raw, c.nulls, c.low, c.high = c.pages[:0], 0, 0, nil, c.high[:0]
	}
	p.header.Reset()
	if err := p.encoder.Encode(&g); err != nil {
		return err
	}
	p.groups = append(p.groups, p.header.Bytes()...)
	p.count++
	p.total += int64(p.rows)
	p.rows = 0
	return nil
}

// The index is a structure of Thrift's compact protocol, which is one field after
// another and a zero; a field begins with a byte of how far its number is from the
// one before and of its type. Here it is in three parts, so that the row groups,
// which are most of it, need not be in memory as anything but bytes.
type (
	indexHead struct {
		Version int32                              `thrift:"1,required"`
		Schema  thrift.Slice[format.SchemaElement] `thrift:"2,required"`
		NumRows int64                              `thrift:"3,required"`
	}
	indexTail struct {
		KeyValueMetadata thrift.Slice[format.KeyValue]    `thrift:"1,required"` // 5 of the index
		CreatedBy        string                           `thrift:"2,required"`
		ColumnOrders     thrift.Slice[format.ColumnOrder] `thrift:"3,required"`
	}
)

// close writes the rest and the index.
func (p *pages) close() error {
	if err := p.group(); err != nil {
		return err
	}
	head := indexHead{Version: 1, NumRows: p.total, Schema: thrift.Slice[format.SchemaElement]{{Name: "motion", NumChildren: thrift.New(int32(len(p.columns)))}}}
	tail := indexTail{CreatedBy: "kinebase", KeyValueMetadata: thrift.Slice[format.KeyValue]{{Key: noteKey, Value: p.note}}}
	for _, c := range p.columns {
		repetition := format.Required
		if c.optional {
			repetition = format.Optional
		}
		head.Schema = append(head.Schema, format.SchemaElement{Type: thrift.New(c.kind), RepetitionType: thrift.New(repetition), Name: c.name})
		tail.ColumnOrders = append(tail.ColumnOrders, format.ColumnOrder{Value: &format.TypeDefinedOrder{}})
	}
	p.header.Reset()
	if err := p.encoder.Encode(&head); err != nil {
		return err
	}
	p.header.Truncate(p.header.Len() - 1) // the zero
	p.header.Write(listField)
	p.header.Write(binary.AppendUvarint(nil, uint64(p.count)))
	begun := p.offset
	if err := p.write(p.header.Bytes()); err != nil {
		return err
	}
	if err := p.write(p.groups); err != nil {
		return err
	}
	p.header.Reset()
	if err := p.encoder.Encode(&tail); err != nil {
		return err
	}
	if err := p.write(p.header.Bytes()); err != nil {
		return err
	}
	length := p.offset - begun
	if length > math.MaxInt32 {
		return fmt.Errorf("the index of the motion table has %d bytes", length)
	}
	return p.write(append(binary.LittleEndian.AppendUint32(nil, uint32(length)), magic...))
}

// listField begins the next field, a list of structures whose number follows.
var listField = []byte{0x19, 0xfc}
