package parquetfile

import (
	"bytes"
	"encoding/binary"

	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Codec is how pages are compressed.
const Codec = format.Snappy

// Press makes pages, in memory that it uses again; one for each goroutine.
type Press struct {
	Levels []byte // for Define: 1 for each value that is there, 0 for one that is not
	Body   []byte // of the page that is being made

	codec   snappy.Codec
	runs    []byte
	packed  []byte
	header  bytes.Buffer
	encoder *thrift.Encoder
}

// NewPress makes one.
func NewPress() *Press {
	p := new(Press)
	p.encoder = encoderTo(&p.header)
	return p
}

// Define begins the body of a page with which of its n values are there. Levels say
// so where some are and some are not.
func (p *Press) Define(n, there int) (err error) {
	if there == n || there == 0 {
		p.runs = append(binary.AppendUvarint(p.runs[:0], uint64(n)<<1), byte(min(1, there)))
	} else if p.runs, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(p.runs[:0], p.Levels[:n]); err != nil {
		return err
	}
	p.Body = append(binary.LittleEndian.AppendUint32(p.Body[:0], uint32(len(p.runs))), p.runs...)
	return nil
}

// Delta appends whole numbers to the body.
func (p *Press) Delta(values []int64) (err error) {
	p.packed, err = (&delta.BinaryPackedEncoding{}).EncodeInt64(p.packed[:0], values)
	p.Body = append(p.Body, p.packed...)
	return err
}

// Page compresses the body and appends it to the pages of a column. raw is what it
// would take uncompressed.
func (p *Press) Page(pages []byte, h format.PageHeader) (_ []byte, raw int64, err error) {
	if p.packed, err = p.codec.Encode(p.packed, p.Body); err != nil {
		return pages, 0, err
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(p.Body)), int32(len(p.packed))
	p.header.Reset()
	if err := p.encoder.Encode(&h); err != nil {
		return pages, 0, err
	}
	return append(append(pages, p.header.Bytes()...), p.packed...), int64(p.header.Len() + len(p.Body)), nil
}

// Data is the header of a page of n values, of which some may not be there.
func Data(n, there int, encoding format.Encoding) format.PageHeader {
	return format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: int32(n), Encoding: encoding, DefinitionLevelEncoding: format.RLE,
		RepetitionLevelEncoding: format.RLE,
		Statistics:              format.Statistics{NullCount: int64(n - there)},
	})}
}
