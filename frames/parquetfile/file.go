// Package parquetfile writes Parquet files from pages that are made elsewhere. The
// structures of the file, its encodings and its compression are parquet-go's. Its own
// writer takes values one by one, each in a box of 24 bytes, which measured several
// times as slow as pages made of slices (docs/adr has figures).
package parquetfile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// File is a file that is being written: row groups one after the other, and the index
// at its end.
type File struct {
	w       io.Writer
	offset  int64
	total   int64
	groups  []byte // encoded, as they stand in the index
	count   int    // of them
	sealed  bool
	sums    []byte // of the columns of the row groups, where it is sealed
	header  bytes.Buffer
	encoder *thrift.Encoder
}

var magic = []byte("PAR1")

// New begins a file.
func New(w io.Writer) (*File, error) {
	f := &File{w: w}
	f.encoder = encoderTo(&f.header)
	return f, f.Write(magic)
}

// Seal has the file carry checksums, by which Tail and Sums know damage. It is called before the first Group.
func (f *File) Seal() { f.sealed = true }

func encoderTo(b *bytes.Buffer) *thrift.Encoder {
	return thrift.NewEncoder((&thrift.CompactProtocol{}).NewWriter(b))
}

// Write writes the pages of a column.
func (f *File) Write(pages []byte) error {
	n, err := f.w.Write(pages)
	f.offset += int64(n)
	return err
}

// Chunk is a column in a row group.
type Chunk struct {
	Meta  format.ColumnMetaData // all but where it lies, how many rows it has and how large it is
	Pages []byte
	Raw   int64 // bytes of the pages before they were compressed
	Words int   // bytes of the page of the dictionary, which is the first one; 0 for none
}

// Group writes a row group of so many rows.
func (f *File) Group(rows int, columns int, chunk func(i int) Chunk) error {
	g := format.RowGroup{NumRows: int64(rows), FileOffset: f.offset, Ordinal: int16(min(f.count, math.MaxInt16)),
		Columns: make([]format.ColumnChunk, columns)}
	for i := range columns {
		c := chunk(i)
		m := &g.Columns[i].MetaData
		*m = c.Meta
		m.NumValues, m.TotalUncompressedSize, m.TotalCompressedSize = int64(rows), c.Raw, int64(len(c.Pages))
		m.DataPageOffset = f.offset + int64(c.Words)
		if c.Words > 0 {
			m.DictionaryPageOffset = f.offset
		}
		g.TotalByteSize += c.Raw
		g.TotalCompressedSize += int64(len(c.Pages))
		if err := f.Write(c.Pages); err != nil {
			return err
		}
		if f.sealed {
			f.sums = binary.LittleEndian.AppendUint32(f.sums, crc32.Checksum(c.Pages, castagnoli))
		}
	}
	f.header.Reset()
	if err := f.encoder.Encode(&g); err != nil {
		return err
	}
	f.groups = append(f.groups, f.header.Bytes()...)
	f.count++
	f.total += int64(rows)
	return nil
}

// Index is how many bytes the row groups take in the index, which is in memory.
func (f *File) Index() int64 { return int64(len(f.groups)) }

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

// listField begins field 4, a list of structures whose number follows.
var listField = []byte{0x19, 0xfc}

// Close writes the index: the name of the schema, its columns, their units ("" for one
// that has none or is not known; nil writes none for anybody), and a note.
func (f *File) Close(name string, columns []format.SchemaElement, units []string, note format.KeyValue) error {
	notes := thrift.Slice[format.KeyValue]{note}
	if units != nil {
		arrow, err := arrowSchema(columns, units, note)
		if err != nil {
			return err
		}
		notes = append(notes, format.KeyValue{Key: arrowKey, Value: arrow})
	}
	head := indexHead{Version: 1, NumRows: f.total,
		Schema: thrift.Slice[format.SchemaElement]{{Name: name, NumChildren: thrift.New(int32(len(columns)))}}}
	head.Schema = append(head.Schema, columns...)
	tail := indexTail{CreatedBy: "kinebase", KeyValueMetadata: notes}
	for range columns {
		tail.ColumnOrders = append(tail.ColumnOrders, format.ColumnOrder{Value: &format.TypeDefinedOrder{}})
	}
	if f.sealed {
		tail.KeyValueMetadata = append(tail.KeyValueMetadata,
			format.KeyValue{Key: sumsKey, Value: base64.StdEncoding.EncodeToString(f.sums)})
	}
	f.header.Reset()
	if err := f.encoder.Encode(&head); err != nil {
		return err
	}
	f.header.Truncate(f.header.Len() - 1) // the zero that would end the index
	f.header.Write(listField)
	f.header.Write(binary.AppendUvarint(nil, uint64(f.count)))
	begin := bytes.Clone(f.header.Bytes())
	f.header.Reset()
	if err := f.encoder.Encode(&tail); err != nil {
		return err
	}
	length := len(begin) + len(f.groups) + f.header.Len()
	if length > math.MaxInt32 {
		return fmt.Errorf("the index of the Parquet file has %d bytes", length)
	}
	parts := [][]byte{begin, f.groups, f.header.Bytes(),
		append(binary.LittleEndian.AppendUint32(nil, uint32(length)), magic...)}
	if f.sealed {
		parts = append([][]byte{seal(parts...)}, parts...)
	}
	for _, part := range parts {
		if err := f.Write(part); err != nil {
			return err
		}
	}
	return nil
}
