package export_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

// bulky is an export of four recordings of so many points. With 60 of them it has several
// row groups of Parquet. With 10 it is dozens of the pieces that lines are written in,
// which is as many as workers can finish in another order.
func bulky(t *testing.T, points int) *world {
	t.Helper()
	w := &world{files: files{},
		result: export.Result{Version: "1", Columns: export.Columns{Dimensions: []string{"handedness"}}}}
	noise := uint32(1)
	for i := range 4 {
		n := 9_000 + 500*i
		rec := &motion.Recording{Frames: n, Rate: 240, Unit: "mm", Metres: 0.001,
			Events: []record.Event{{Label: "Foot Strike", Context: record.Left, Time: 1}}}
		column := func(k int) []float32 {
			v := make([]float32, n)
			for f := range v {
				noise = noise*1664525 + 1013904223
				v[f] = float32(noise>>(8+k%12)) / 64
			}
			return v
		}
		for k := range points {
			rec.Points = append(rec.Points, record.Point{Name: fmt.Sprint("P", k), Quantity: record.Position,
				X: column(k), Y: column(k), Z: column(k)})
		}
		var table bytes.Buffer
		info, _, err := frames.Write(&table, io.Discard, motion.C3D, n, memory{rec})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			for _, c := range info.Channels {
				w.result.Columns.Own = append(w.result.Columns.Own, numbers(c.Columns...)...)
			}
			w.result.Columns.Own = append(w.result.Columns.Own,
				export.Column{Name: "left_foot_strike",
					From: export.Origin{Kind: export.Event, Name: "left_foot_strike"}})
		}
		s := &export.Source{SessionID: fmt.Sprint("s_", i), FPS: &rec.Rate, Table: fmt.Sprint("table", i), Info: raw,
			CaptureTime: ptr(time.UnixMilli(1.7e12).UTC()), Dimensions: map[string]string{"handedness": "left"}}
		w.files[s.Table] = table.Bytes()
		w.parts = append(w.parts,
			export.Part{Source: s, First: w.result.Rows, Rows: int64(n), AthleteID: fmt.Sprint("athlete-", i%2),
				Athlete: "Ann"})
		w.result.Rows += int64(n)
	}
	return w
}

// known are the bytes of bulky that export.Writers stands for, on amd64. When they change, raise
// the version of the writers with them, or a download that broke off may go on with
// the rest of another file.
var known = map[export.Format]string{
	export.CSV:     "5aa88df507c2efa5036fac71ead0777030cefadeab792e3a90fde1d94ebd8076",
	export.NDJSON:  "bd86b1990088525d963f034c4e7e2c667b921cfbc606224e7f965878d79c5463",
	export.Parquet: "954225d0d00a4455bc49a4cb2a7872ed93a1c757d77692feaaabcf40693fda75",
}

func TestAResultIsWrittenAsTheSameBytesEveryTime(t *testing.T) {
	few, many := bulky(t, 10), bulky(t, 60)
	for format, want := range known {
		w := few
		if format == export.Parquet {
			w = many
		}
		if runtime.GOARCH != "amd64" {
			want = "" // whatever it is, it is the same every time
		}
		for _, processors := range []int{1, 2, 7} {
			before := runtime.GOMAXPROCS(processors)
			sum, size := sha256.New(), int64(0)
			err := format.Write(t.Context(), io.MultiWriter(sum, (*counter)(&size)), w.reader(), export.Budget)
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			got := hex.EncodeToString(sum.Sum(nil))
			switch {
			case want == "":
				want = got
			case got != want:
				t.Errorf("%s on %d processors: %d bytes whose sum is %s, want %s", format, processors, size, got, want)
			}
		}
	}
	var out bytes.Buffer
	if err := export.WriteParquet(context.Background(), &out, many.reader(), export.Budget); err != nil {
		t.Fatal(err)
	}
	if f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil ||
		len(f.RowGroups()) < 2 {
		t.Errorf("the file must have several row groups for this: %v", err)
	}
}

// counter counts what is written.
type counter int64

// Write writes.
func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }
