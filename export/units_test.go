package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	lengths "github.com/kinebase/kinebase/motion/units"
)

// said is what a Parquet file says of the column LASI_x, of captures in these units of
// length, one after the other.
func said(t *testing.T, units []string) (unit, about string) {
	t.Helper()
	w := &world{files: files{},
		result: export.Result{Columns: export.Columns{Own: numbers("LASI_x", "LASI_y", "LASI_z")}}}
	for i, unit := range units {
		metres, _ := lengths.Metres(unit)
		rec := &motion.Recording{Frames: 2, Rate: 100, Unit: unit, Metres: metres,
			Points: []record.Point{{Name: "LASI", Quantity: record.Position, X: []float32{1, 2}, Y: []float32{1, 2},
				Z: []float32{1, 2}}}}
		var table bytes.Buffer
		info, _, err := frames.Write(&table, io.Discard, motion.C3D, rec.Frames, memory{rec})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		s := &export.Source{SessionID: fmt.Sprint("s_", i), Table: fmt.Sprint("table", i), Info: raw}
		w.files[s.Table] = table.Bytes()
		w.parts = append(w.parts, export.Part{Source: s, First: w.result.Rows, Rows: 2})
		w.result.Rows += 2
	}
	var out bytes.Buffer
	if err := export.WriteParquet(t.Context(), &out, w.reader(), export.Budget); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Lookup("kinebase")
	var note struct {
		Columns []struct{ Name, Unit, Description string }
	}
	if err := json.Unmarshal([]byte(text), &note); err != nil {
		t.Fatal(err)
	}
	for _, c := range note.Columns {
		if c.Name == "LASI_x" {
			return c.Unit, c.Description
		}
	}
	t.Fatalf("the note has no LASI_x: %s", text)
	return "", ""
}

func TestTheUnitOfAColumnIsThatOfAllCapturesOrNone(t *testing.T) {
	const some, different = "in an unknown unit in some captures", "in different units"
	for _, c := range []struct {
		units       []string
		unit, about string
	}{
		{[]string{"mm", "m", "in"}, "m", ""}, // all are given in metres
		{[]string{"", ""}, "", ""},
		{[]string{"px", "px"}, "px", ""},
		{[]string{"", "mm"}, "", some},
		{[]string{"mm", ""}, "", some},
		{[]string{"", "mm", "", "m"}, "", some},
		{[]string{"px", "mm"}, "", different},
		{[]string{"mm", "px", "mm", "mm"}, "", different},
		{[]string{"mm", "px", ""}, "", different},
	} {
		if unit, about := said(t, c.units); unit != c.unit || about != c.about {
			t.Errorf("of %q: unit %q, %q; want %q, %q", c.units, unit, about, c.unit, c.about)
		}
	}
}
