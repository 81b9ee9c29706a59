package export

import (
	"encoding/json"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

// noted is what the file says of a column beside its type.
type noted struct {
	Name        string `json:"name"`
	Unit        string `json:"unit,omitempty"`
	Description string `json:"description,omitempty"`
}

// closeSheet writes the index of a file of such columns.
func closeSheet(f *parquetfile.File, columns []*strip) error {
	var schema []format.SchemaElement
	var units []string
	note := struct {
		Columns []noted `json:"columns"`
	}{}
	for _, c := range columns {
		e := format.SchemaElement{Type: thrift.New(c.kind.physical), RepetitionType: thrift.New(format.Optional),
			Name: c.name}
		if c.kind.logical != nil {
			e.LogicalType = format.LogicalType{Value: c.kind.logical}
			e.ConvertedType = thrift.New(c.kind.converted)
		}
		schema = append(schema, e)
		units = append(units, c.unit)
		note.Columns = append(note.Columns, noted{c.name, c.unit, c.about})
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	return f.Close("export", schema, units, format.KeyValue{Key: "kinebase", Value: string(text)})
}

// chunk is a column that is complete.
func (c *strip) chunk() parquetfile.Chunk {
	encodings := thrift.Slice[format.Encoding]{c.kind.encoding, format.RLE}
	if c.words > 0 {
		encodings = append(encodings, format.Plain)
	}
	return parquetfile.Chunk{Pages: c.pages, Raw: c.raw, Words: c.words, Meta: format.ColumnMetaData{
		Type: c.kind.physical, Encoding: encodings, PathInSchema: thrift.Slice[string]{c.name},
		Codec:      parquetfile.Codec,
		Statistics: format.Statistics{NullCount: c.nulls},
	}}
}

// kind is the type of a column. Floats are plain, since that is what every reader
// knows.
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
	instants = &kind{format.Int64, format.RLEDictionary,
		&format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: &format.MilliSeconds{}}},
		deprecated.TimestampMillis}
	rates   = &kind{physical: format.Double, encoding: format.RLEDictionary}
	counts  = &kind{physical: format.Int64, encoding: format.DeltaBinaryPacked}
	seconds = &kind{physical: format.Double, encoding: format.Plain}
	floats  = &kind{physical: format.Float, encoding: format.Plain}
	doubles = &kind{physical: format.Double, encoding: format.Plain}
)
