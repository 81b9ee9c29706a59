package frames_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/frames"
)

// noteOf is what a table says of itself.
func noteOf(t *testing.T, b []byte) string {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	text, ok := f.Lookup("kinebase")
	if !ok || !json.Valid([]byte(text)) {
		t.Fatalf("the note is %q", text)
	}
	return text
}

func TestAPartInParquetSaysWhatItsNumbersAre(t *testing.T) {
	for _, c := range []struct {
		name            string
		unit            string
		metres, start   float64
		first           int
		rate            float64
		samples         bool
		from, to, every int
		want            string
	}{
		{name: "all of it, in millimetres", unit: "mm", metres: 0.001, first: 1, to: 3, every: 1,
			want: `{"layout":1,"rate":100,"start":0,"frames":3,"first_frame":1,"unit":"m","metres":1,"per_frame":1,"every":1}`},
		{name: "a unit that nobody knows", unit: "px", start: 5, first: 501, from: 1, to: 3, every: 1,
			want: `{"layout":1,"rate":100,"start":5,"frames":2,"first_frame":501,"unit":"px","metres":0,"per_frame":1,"every":1}`},
		{name: "no unit, by a corrected rate", start: 5, first: 1, rate: 50, to: 3, every: 2,
			want: `{"layout":1,"rate":50,"start":10,"frames":2,"first_frame":1,"unit":"","metres":0,"per_frame":1,"every":2}`},
		{name: "samples", unit: "m", metres: 1, first: 1, samples: true, from: 1, to: 6, every: 1,
			want: `{"layout":1,"rate":100,"start":0,"frames":3,"first_frame":1,"unit":"m","metres":1,"per_frame":2,"every":1}`},
		{name: "no rows", unit: "in", metres: 0.0254, first: 1, from: 2, to: 2, every: 1,
			want: `{"layout":1,"rate":100,"start":0,"frames":0,"first_frame":1,"unit":"m","metres":1,"per_frame":1,"every":1}`},
	} {
		rec := small()
		rec.Unit, rec.Metres, rec.Start, rec.FirstFrame = c.unit, c.metres, c.start, c.first
		info, table, samples := write(t, rec)
		names := all(info)
		if c.samples {
			table, names = samples, samples.Columns()
		}
		p, err := table.Part(info, c.rate, names, c.from, c.to, c.every)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := p.WriteParquet(&out); err != nil {
			t.Fatal(err)
		}
		if got := noteOf(t, out.Bytes()); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	var out bytes.Buffer
	if err := (&frames.Part{Every: 1}).WriteParquet(&out); err != nil {
		t.Fatal(err)
	}
	if got, want := noteOf(t, out.Bytes()),
		`{"layout":1,"rate":null,"start":0,"frames":0,"first_frame":0,"unit":"","metres":0,"per_frame":1,"every":1}`; got != want {
		t.Errorf("of nothing: %s\nwant %s", got, want)
	}
}
