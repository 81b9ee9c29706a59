package parquetfile

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// arrowKey is the note by which Arrow's readers of Parquet know the Arrow schema of a
// file. They take the metadata of fields from it.
const arrowKey = "ARROW:schema"

// The numbers that Arrow's Schema.fbs and Message.fbs give to types, units of time and
// precisions (version 1.5 of the format, metadata V5).
const (
	arrowV5      = 4
	schemaHeader = 1

	arrowInt, arrowFloat, arrowUtf8, arrowTimestamp = 2, 3, 5, 10

	singlePrecision, doublePrecision = 1, 2
	milliseconds                     = 1
)

// arrowSchema writes an encapsulated message with the schema of the columns, in base64. A
// field has the unit of the column of the same place as its metadata "unit"; where that
// is "" it has none. The note of the file is in it once more: a reader that finds this schema
// takes the notes of the file from it. An error names a column of a type that is not among those that this
// program writes.
//
// Sources: Arrow Columnar Format, "Encapsulated message format"; Schema.fbs, Message.fbs.
func arrowSchema(columns []format.SchemaElement, units []string, note format.KeyValue) (string, error) {
	b := flatbuffers.NewBuilder(1024)
	fields := make([]flatbuffers.UOffsetT, len(columns))
	for i := range columns {
		var err error
		if fields[i], err = arrowField(b, &columns[i], units[i]); err != nil {
			return "", err
		}
	}
	list, notes := offsets(b, fields), noted(b, note.Key, note.Value)
	b.StartObject(4) // Schema: endianness, fields, custom_metadata, features
	b.PrependUOffsetTSlot(2, notes, 0)
	b.PrependUOffsetTSlot(1, list, 0)
	schema := b.EndObject()
	b.StartObject(5) // Message: version, header_type, header, bodyLength, custom_metadata
	b.PrependInt64Slot(3, 0, 0)
	b.PrependUOffsetTSlot(2, schema, 0)
	b.PrependInt16Slot(0, arrowV5, 0)
	b.PrependByteSlot(1, schemaHeader, 0)
	b.Finish(b.EndObject())
	body := b.FinishedBytes()
	padded := (len(body) + 7) &^ 7
	message := binary.LittleEndian.AppendUint32(nil, 0xffffffff)
	message = binary.LittleEndian.AppendUint32(message, uint32(padded))
	message = append(append(message, body...), make([]byte, padded-len(body))...)
	return base64.StdEncoding.EncodeToString(message), nil
}

func arrowField(b *flatbuffers.Builder, c *format.SchemaElement, unit string) (flatbuffers.UOffsetT, error) {
	kind, datatype, err := arrowType(b, c)
	if err != nil {
		return 0, err
	}
	name := b.CreateString(c.Name)
	children := offsets(b, nil)
	var metadata flatbuffers.UOffsetT
	if unit != "" {
		metadata = noted(b, "unit", unit)
	}
	b.StartObject(7) // Field: name, nullable, type_type, type, dictionary, children, custom_metadata
	b.PrependUOffsetTSlot(6, metadata, 0)
	b.PrependUOffsetTSlot(5, children, 0)
	b.PrependUOffsetTSlot(3, datatype, 0)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependByteSlot(2, kind, 0)
	b.PrependBoolSlot(1, c.RepetitionType.Valid && c.RepetitionType.V == format.Optional, false)
	return b.EndObject(), nil
}

// arrowType writes the type that Arrow gives to a column of Parquet.
func arrowType(b *flatbuffers.Builder, c *format.SchemaElement) (kind byte, at flatbuffers.UOffsetT, err error) {
	_, text := c.LogicalType.Value.(*format.StringType)
	_, instant := c.LogicalType.Value.(*format.TimestampType)
	switch {
	case text:
		b.StartObject(0)
		return arrowUtf8, b.EndObject(), nil
	case instant:
		zone := b.CreateString("UTC")
		b.StartObject(2) // Timestamp: unit, timezone
		b.PrependUOffsetTSlot(1, zone, 0)
		b.PrependInt16Slot(0, milliseconds, 0)
		return arrowTimestamp, b.EndObject(), nil
	case c.Type == thrift.New(format.Int64):
		b.StartObject(2) // Int: bitWidth, is_signed
		b.PrependInt32Slot(0, 64, 0)
		b.PrependBoolSlot(1, true, false)
		return arrowInt, b.EndObject(), nil
	case c.Type == thrift.New(format.Float), c.Type == thrift.New(format.Double):
		precision := int16(singlePrecision)
		if c.Type == thrift.New(format.Double) {
			precision = doublePrecision
		}
		b.StartObject(1) // FloatingPoint: precision
		b.PrependInt16Slot(0, precision, 0)
		return arrowFloat, b.EndObject(), nil
	}
	return 0, 0, fmt.Errorf("column %q of the Parquet file has a type that Arrow's schema is not written for", c.Name)
}

// noted writes metadata of one key.
func noted(b *flatbuffers.Builder, key, value string) flatbuffers.UOffsetT {
	k, v := b.CreateString(key), b.CreateString(value)
	b.StartObject(2) // KeyValue: key, value
	b.PrependUOffsetTSlot(1, v, 0)
	b.PrependUOffsetTSlot(0, k, 0)
	return offsets(b, []flatbuffers.UOffsetT{b.EndObject()})
}

// offsets writes a vector of what was written before.
func offsets(b *flatbuffers.Builder, of []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(of), 4)
	for i := len(of) - 1; i >= 0; i-- {
		b.PrependUOffsetT(of[i])
	}
	return b.EndVector(len(of))
}
