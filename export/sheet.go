package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// sheet writes a Parquet file from columns. Its structures, encodings and compression
// are parquet-go's; its writer is not used, for which frames has the reasons. Floats
// are plain, since that is what every reader knows.
type sheet struct {
	w       io.Writer
	offset  int64
	columns []*strip
	rows    int // in the row group
	total   int64
	groups  []byte // encoded, as they stand in the index
	count   int
	header  bytes.Buffer
	encoder *thrift.Encoder
}

var magic = []byte("PAR1")

func newSheet(w io.Writer, columns []*strip) (*sheet, error) {
	s := &sheet{w: w, columns: columns}
	s.encoder = thrift.NewEncoder((&thrift.CompactProtocol{}).NewWriter(&s.header))
	return s, s.write(magic)
}

func (s *sheet) write(b []byte) error {
	n, err := s.w.Write(b)
	s.offset += int64(n)
	return err
}

// group writes the row group, whose columns are complete.
func (s *sheet) group() error {
	if s.rows == 0 {
		return nil
	}
	codec := (&snappy.Codec{}).CompressionCodec()
	g := format.RowGroup{NumRows: int64(s.rows), FileOffset: s.offset, Ordinal: int16(min(s.count, math.MaxInt16)), Columns: make([]format.ColumnChunk, len(s.columns))}
	for i, c := range s.columns {
		m := &g.Columns[i].MetaData
		*m = format.ColumnMetaData{
			Type: c.kind.physical, Encoding: thrift.Slice[format.Encoding]{c.kind.encoding, format.RLE}, PathInSchema: thrift.Slice[string]{c.name}, Codec: codec,
			NumValues: int64(s.rows), TotalUncompressedSize: c.raw, TotalCompressedSize: int64(len(c.pages)), DataPageOffset: s.offset + int64(c.words),
			Statistics: format.Statistics{NullCount: c.nulls},
		}
		if c.words > 0 {
			m.DictionaryPageOffset = s.offset
			m.Encoding = append(m.Encoding, format.Plain)
		}
		g.TotalByteSize += c.raw
		g.TotalCompressedSize += int64(len(c.pages))
		if err := s.write(c.pages); err != nil {
			return err
		}
	}
	s.header.Reset()
	if err := s.encoder.Encode(&g); err != nil {
		return err
	}
	s.groups = append(s.groups, s.header.Bytes()...)
	s.count++
	s.total += int64(s.rows)
	s.rows = 0
	return nil
}

// The index is written as frames writes its own: in three parts, so that row groups
// need not be in memory as anything but bytes.
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

// noted is what the file says of a column beside its type.
type noted struct {
	Name        string `json:"name"`
	Unit        string `json:"unit,omitempty"`
	Description string `json:"description,omitempty"`
}

// close writes the index.
func (s *sheet) close() error {
	head := indexHead{Version: 1, NumRows: s.total, Schema: thrift.Slice[format.SchemaElement]{{Name: "export", NumChildren: thrift.New(int32(len(s.columns)))}}}
	tail := indexTail{CreatedBy: "kinebase"}
	note := struct {
		Columns []noted `json:"columns"`
	}{}
	for _, c := range s.columns {
		e := format.SchemaElement{Type: thrift.New(c.kind.physical), RepetitionType: thrift.New(format.Optional), Name: c.name}
		if c.kind.logical != nil {
			e.LogicalType = format.LogicalType{Value: c.kind.logical}
			e.ConvertedType = thrift.New(c.kind.converted)
		}
		head.Schema = append(head.Schema, e)
		tail.ColumnOrders = append(tail.ColumnOrders, format.ColumnOrder{Value: &format.TypeDefinedOrder{}})
		note.Columns = append(note.Columns, noted{c.name, c.unit, c.about})
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	tail.KeyValueMetadata = thrift.Slice[format.KeyValue]{{Key: "kinebase", Value: string(text)}}
	begun := s.offset
	s.header.Reset()
	if err := s.encoder.Encode(&head); err != nil {
		return err
	}
	s.header.Truncate(s.header.Len() - 1) // the zero that would end the index
	s.header.Write(listField)
	s.header.Write(binary.AppendUvarint(nil, uint64(s.count)))
	if err := s.write(s.header.Bytes()); err != nil {
		return err
	}
	if err := s.write(s.groups); err != nil {
		return err
	}
	s.header.Reset()
	if err := s.encoder.Encode(&tail); err != nil {
		return err
	}
	if err := s.write(s.header.Bytes()); err != nil {
		return err
	}
	length := s.offset - begun
	if length > math.MaxInt32 {
		return fmt.Errorf("the index of the export has %d bytes", length)
	}
	return s.write(append(binary.LittleEndian.AppendUint32(nil, uint32(length)), magic...))
}

// kind is the type of a column.
type kind struct {
	physical  format.Type
	encoding  format.Encoding
	logical   format.LogicalTypeValue
	converted deprecated.ConvertedType
}

// The kinds: the first four are the same over many rows, and kept as words of a
// dictionary.
var (
	texts    = &kind{format.ByteArray, format.RLEDictionary, &format.StringType{}, deprecated.UTF8}
	integers = &kind{physical: format.Int64, encoding: format.RLEDictionary}
	instants = &kind{format.Int64, format.RLEDictionary, &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MilliSeconds{}}}, deprecated.TimestampMillis}
	rates    = &kind{physical: format.Double, encoding: format.RLEDictionary}
	counts   = &kind{physical: format.Int64, encoding: format.DeltaBinaryPacked}
	seconds  = &kind{physical: format.Double, encoding: format.Plain}
	floats   = &kind{physical: format.Float, encoding: format.Plain}
)
