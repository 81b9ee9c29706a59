package trc_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
	"pgregory.net/rapid"
)

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &record.Recording{
			Frames: rapid.IntRange(1, 30).Draw(t, "frames"), FirstFrame: rapid.IntRange(0, 500).Draw(t, "first"),
			Rate: rapid.SampledFrom([]float64{50, 119.88012, 1000}).Draw(t, "rate"),
			Unit: rapid.SampledFrom([]string{"mm", "m"}).Draw(t, "unit"),
		}
		want.Start = float64(max(0, want.FirstFrame-1)) / want.Rate
		for _, name := range rapid.SliceOfNDistinct(
			rapid.StringMatching(`([a-z]{1,3}:)?[A-Z][A-Za-z .'-]{0,20}[A-Z0-9]`), 1, 5, rapid.ID).Draw(t, "names") {
			n := want.Frames
			p := record.Point{Name: name, Quantity: record.Position}
			for _, values := range []*[]float32{&p.X, &p.Y, &p.Z} {
				*values = rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), n, n).Draw(t, "values")
			}
			if f := rapid.IntRange(-1, n-1).Draw(t, "missing"); f >= 0 {
				p.X[f] = record.NaN32
				p.Settle()
			}
			want.Points = append(want.Points, p)
		}
		var b bytes.Buffer
		if err := trc.Write(&b, "trial.trc", want); err != nil {
			t.Fatal(err)
		}
		got, err := trc.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Warnings) > 0 || got.Frames != want.Frames || got.FirstFrame != want.FirstFrame ||
			got.Rate != want.Rate || got.Start != want.Start || got.Unit != want.Unit ||
			len(got.Points) != len(want.Points) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
		alike := func(a, b []float32) bool {
			return slices.EqualFunc(a, b, func(a, b float32) bool { return a == b || a != a && b != b })
		}
		for i := range want.Points {
			g, w := &got.Points[i], &want.Points[i]
			if g.Label() != w.Name || !alike(g.X, w.X) || !alike(g.Y, w.Y) || !alike(g.Z, w.Z) {
				t.Fatalf("point %d is %+v, want %+v", i, g, w)
			}
		}
	})
}

func TestOfFramesWithoutTimesOnlyTheFirstIsWrittenWithOne(t *testing.T) {
	column := []float32{1, 2, 3}
	for name, c := range map[string]struct {
		rec  record.Recording
		rows string
	}{
		"neither rate nor times": {record.Recording{Start: 2}, "1\t2\t|2\t\t|3\t\t|"},
		"a rate":                 {record.Recording{Start: 2, Rate: 10}, "1\t2\t|2\t2.1\t|3\t2.2\t|"},
		"times":                  {record.Recording{Start: 2, Times: []float64{2, 3, 9}}, "1\t2\t|2\t3\t|3\t9\t|"},
	} {
		want := c.rec
		want.Frames, want.FirstFrame, want.Points = 3, 1, []record.Point{{Name: "A", X: column, Y: column, Z: column}}
		var b bytes.Buffer
		if err := trc.Write(&b, "a.trc", &want); err != nil {
			t.Fatal(err)
		}
		rows := ""
		for i, line := range bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n"))[6:] {
			begin, _, _ := bytes.Cut(line, []byte(fmt.Sprint(i+1, "\t", i+1, "\t", i+1)))
			rows += string(begin) + "|"
		}
		if rows != c.rows {
			t.Errorf("%s: the rows begin %q, want %q", name, rows, c.rows)
		}
		got, err := trc.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || got.Rate != want.Rate || got.Start != want.Start || !slices.Equal(got.Times, want.Times) {
			t.Errorf("%s: read back at %v Hz from %v s, times %v: %v", name, got.Rate, got.Start, got.Times, err)
		}
	}
}

func TestWhatHasNoPositionsIsNotWritten(t *testing.T) {
	angle := record.Point{Name: "knee", Quantity: record.Angle, X: []float32{1}, Y: []float32{1}, Z: []float32{1}}
	position := angle
	position.Quantity = record.Position
	for name, rec := range map[string]*record.Recording{
		"nothing":     {Frames: 1},
		"only angles": {Frames: 1, Points: []record.Point{angle}},
		"ragged":      {Frames: 2, Points: []record.Point{position}},
	} {
		if err := trc.Write(&bytes.Buffer{}, "x.trc", rec); err == nil {
			t.Errorf("%s: written", name)
		}
	}
	full := errors.New("no space left")
	if err := trc.Write(broken{full}, "x.trc",
		&record.Recording{Frames: 1, Points: []record.Point{position}}); !errors.Is(err, full) {
		t.Errorf("a full disk: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
