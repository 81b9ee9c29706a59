package frames_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go"
)

// vector gives the tables that a table has in a slot.
func vector(t flatbuffers.Table, slot int) (all []flatbuffers.Table) {
	at := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*slot)))
	if at == 0 {
		return nil
	}
	begin := t.Vector(at)
	for i := range t.VectorLen(at) {
		all = append(all, flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(begin + flatbuffers.UOffsetT(4*i))})
	}
	return all
}

func child(t flatbuffers.Table, slot int) flatbuffers.Table {
	return flatbuffers.Table{Bytes: t.Bytes,
		Pos: t.Indirect(t.Pos + flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4+2*slot))))}
}

func textOf(t flatbuffers.Table, slot int) string {
	return string(t.ByteVector(t.Pos + flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4+2*slot)))))
}

// arrowFields says of each field of the Arrow schema of a Parquet file its name, type and
// unit.
func arrowFields(t *testing.T, file []byte) (fields []string) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Lookup("ARROW:schema")
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) < 8 || len(b)%8 != 0 || binary.LittleEndian.Uint32(b) != 0xffffffff ||
		int(binary.LittleEndian.Uint32(b[4:])) != len(b)-8 {
		t.Fatalf("it is no message: %v, %.60q", err, text)
	}
	message := flatbuffers.Table{Bytes: b[8:], Pos: flatbuffers.GetUOffsetT(b[8:])}
	schema := child(message, 2)
	notes := vector(schema, 2)
	if note, _ := f.Lookup("kinebase"); len(notes) != 1 || textOf(notes[0], 0) != "kinebase" ||
		textOf(notes[0], 1) != note {
		t.Error("the note is not in it")
	}
	for _, field := range vector(schema, 1) {
		said := textOf(field, 0)
		of := child(field, 3)
		switch kind := field.GetByteSlot(8, 0); kind {
		case 2:
			said += fmt.Sprint(" int", of.GetInt32Slot(4, 0))
		case 3:
			said += fmt.Sprint(" float", 16<<of.GetInt16Slot(4, 0))
		default:
			t.Errorf("%s is of type %d", said, kind)
		}
		for _, note := range vector(field, 6) {
			said += " " + textOf(note, 0) + "=" + textOf(note, 1)
		}
		fields = append(fields, said)
	}
	return fields
}

func TestParquetOfFramesHasTheUnitsInItsArrowSchema(t *testing.T) {
	rec := small()
	rec.Unit, rec.Metres = "mm", 0.001
	rec.Analogs[0].Unit, rec.Analogs[0].Name = "µV", "Größe 🏃"
	info, tbl, _ := write(t, rec)
	p, err := tbl.Part(info, 0, all(info), 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.WriteParquet(&b); err != nil {
		t.Fatal(err)
	}
	want := []string{"frame int64", "time float64 unit=s", "LASI_x float32 unit=m", "LASI_y float32 unit=m",
		"LASI_z float32 unit=m", "Größe 🏃 float32 unit=µV"}
	if got := arrowFields(t, b.Bytes()); !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), strings.Join(want, "; "))
	}
	// A unit that nobody knows is none.
	rec.Unit, rec.Metres, rec.Analogs[0].Unit = "", 0, ""
	info, tbl, _ = write(t, rec)
	if p, err = tbl.Part(info, 0, []string{"Größe 🏃", "LASI_x"}, 0, 1, 1); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := p.WriteParquet(&b); err != nil {
		t.Fatal(err)
	}
	want = []string{"frame int64", "time float64 unit=s", "Größe 🏃 float32", "LASI_x float32"}
	if got := arrowFields(t, b.Bytes()); !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), strings.Join(want, "; "))
	}
}
