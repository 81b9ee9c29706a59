package export_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/upload"
)

// files keeps files in memory.
type files map[string][]byte

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

func (f files) Put(_ context.Context, name string, r io.Reader, _ int64) (int64, error) {
	b, err := io.ReadAll(r)
	f[name] = b
	return int64(len(b)), err
}

func (f files) Open(_ context.Context, name string) (upload.File, error) {
	b, ok := f[name]
	if !ok {
		return nil, upload.ErrNoFile
	}
	return file{bytes.NewReader(b)}, nil
}

func (f files) Erase(_ context.Context, name string) error { delete(f, name); return nil }

// memory is a recording of points, angles and events as a source of stretches.
type memory struct{ *motion.Recording }

func (m memory) Stretch(from, n int) (*motion.Recording, error) {
	r := *m.Recording
	r.Frames = n
	r.Points, r.Angles = slices.Clone(r.Points), slices.Clone(r.Angles)
	for i := range r.Points {
		p := &r.Points[i]
		p.X, p.Y, p.Z = p.X[from:from+n], p.Y[from:from+n], p.Z[from:from+n]
	}
	for i := range r.Angles {
		c := &r.Angles[i]
		if c.Values = c.Values[from : from+n]; c.Wide != nil {
			c.Wide = c.Wide[from : from+n]
		}
	}
	return &r, nil
}

const org = "lab, \"one\""

// world is captures, and an export of them.
type world struct {
	files  files
	result export.Result
	parts  []export.Part
	rows   [][]any // as they ought to be, a value for each column of the header
}

func (w *world) reader() *export.Reader {
	return export.NewReader(w.files, org, w.result, func(row int64) ([]export.Part, error) {
		at := slices.IndexFunc(w.parts, func(p export.Part) bool { return p.First+p.Rows > row })
		if at < 0 {
			return nil, nil
		}
		return w.parts[at:min(at+3, len(w.parts))], nil
	})
}

var texts = []string{"Ann", `O"Neil`, "Lee, Jo", "two\nlines", "🏃 émile", "=1+1", "-x", " blank ", "a;b", "\ttab"}

// numbers are columns of measured numbers, which the recordings call so.
func numbers(names ...string) (columns []export.Column) {
	for _, name := range names {
		columns = append(columns, export.Column{Name: name, From: export.Origin{Kind: export.Number, Name: name}})
	}
	return columns
}

func ptr[T any](v T) *T { return &v }

// recordings draws one whose columns are told apart by their own names alone. A long one
// has some rows fewer than a page of Parquet, as many, or more.
func recordings(t *rapid.T, channels []string, long bool) *take {
	n := rapid.IntRange(1, 60).Draw(t, "frames")
	if long {
		n = rapid.SampledFrom([]int{5_000, 1 << 14, 1<<14 + 1, 20_000, 40_000}).Draw(t, "frames of a long one")
	}
	rec := &motion.Recording{Frames: n, Rate: rapid.SampledFrom([]float64{100, 59.94, 3}).Draw(t, "rate"),
		Start: rapid.SampledFrom([]float64{0, 1.5, -2}).Draw(t, "start"), Unit: "mm", Metres: 0.001}
	column := func() []float32 {
		some := rapid.SliceOfN(rapid.OneOf(rapid.Float32(), rapid.Float32Range(-2000, 2000),
			rapid.Just(float32(math.NaN()))), 1, 9).Draw(t, "some")
		hole := rapid.SampledFrom([]int{1, 2, 7, 1 << 20}).Draw(t, "hole")
		v := make([]float32, n)
		for i := range v {
			if v[i] = some[i%len(some)]; hole == 1 || i%hole == 3 {
				v[i] = float32(math.NaN())
			}
		}
		return v
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(channels), 0, min(12, len(channels)),
		rapid.ID[string]).Draw(t, "channels") {
		if name[0] == 'p' {
			rec.Points = append(rec.Points,
				record.Point{Name: name, Quantity: record.Position, X: column(), Y: column(), Z: column()})
		} else {
			c := record.Channel{Name: name, Unit: "deg", PerFrame: 1, Rate: rec.Rate, Values: column()}
			if rapid.IntRange(0, 2).Draw(t, "64 bits") == 0 {
				c.Wide = make([]float64, n)
				for i, v := range c.Values {
					c.Wide[i] = 1778664600123.25 + float64(i)
					if v != v {
						c.Wide[i] = math.NaN()
					}
					c.Values[i] = float32(c.Wide[i])
				}
			}
			rec.Angles = append(rec.Angles, c)
		}
	}
	for _, label := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Foot Strike", "Toe-Off", "mixed"}), 0,
		3, rapid.ID[string]).Draw(t, "events") {
		frame := rapid.IntRange(0, n+3).Draw(t, "event")
		rec.Events = append(rec.Events,
			record.Event{Label: label, Context: record.Left, Time: rec.Start + float64(frame)/rec.Rate})
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Cadence", "Step Length"}), 0,
		2, rapid.ID[string]).Draw(t, "metrics") {
		rec.Metrics = append(rec.Metrics,
			record.Metric{Name: name, Context: record.Right, Unit: "m", Value: rapid.Float64().Draw(t, "metric")})
	}
	return &take{rec, computed(t, rec)}
}

// rowsOf is the reference: the rows of a recording for one athlete.
func rowsOf(p export.Part, rec *take, columns export.Columns) [][]any {
	header := export.Header(columns)
	own := func(kind export.Kind, name string) string { // what the rows call a column of the recording
		for _, c := range columns.Own {
			if c.From == (export.Origin{Kind: kind, Name: name}) {
				return c.Name
			}
		}
		return ""
	}
	rows := make([][]any, p.Rows)
	for i := range rows {
		rows[i] = make([]any, len(header))
	}
	// column gives the cells of a column from those of the frames, where the rows have it.
	column := func(name string, of func(f int) any) {
		at := slices.Index(header, name)
		if at < 0 {
			return
		}
		for i, row := range rows {
			row[at] = of(int(p.Frame) + i)
		}
	}
	same := func(name string, v any) { column(name, func(int) any { return v }) }
	text := func(name string, s *string) {
		if s != nil {
			same(name, *s)
		}
	}
	same("sessionid", p.SessionID)
	same("orgid", org)
	text("activity", p.Activity)
	text("movement", p.Movement)
	if group, n, ok := strings.Cut(p.SessionID, "_"); ok {
		seq, _ := strconv.ParseInt(n, 10, 64)
		same("session_uuid", group)
		same("session_seq", seq)
	}
	if p.AthleteID != "" {
		same("athleteid", p.AthleteID)
		same("athlete_name", p.Athlete)
	}
	if v, ok := p.Dimensions["handedness"]; ok {
		same("handedness", v)
	}
	if p.CaptureTime != nil {
		same("capture_datetime", p.CaptureTime.Format("2006-01-02T15:04:05.000Z"))
	}
	rate, start := rec.Rate, rec.Start
	if p.Rate > 0 {
		rate, start = p.Rate, rec.Start*(rec.Rate/p.Rate)
	}
	same("fps", rate)
	column("frame", func(f int) any { return int64(f) })
	column("time", func(f int) any { return start + float64(f)/rate })
	if columns.Shape.Whole() {
		same("frame_count", int64(rec.Frames))
		same("recording_duration", float64(rec.Frames)/rate)
	}
	narrow := func(name string, values []float32, times float64) {
		column(own(export.Number, name), func(f int) any {
			if v := float32(float64(values[f]) * times); v-v == 0 {
				return v
			}
			return nil
		})
	}
	for _, c := range rec.Points {
		narrow(c.Name+"_x", c.X, 0.001)
		narrow(c.Name+"_y", c.Y, 0.001)
		narrow(c.Name+"_z", c.Z, 0.001)
	}
	for _, c := range rec.Angles {
		if c.Wide == nil {
			narrow(c.Name, c.Values, 1)
			continue
		}
		column(own(export.Number, c.Name), func(f int) any {
			if v := c.Wide[f]; v == v {
				return v
			}
			return nil
		})
	}
	event := func(name string, at int, time float64) {
		if columns.Shape.Whole() {
			same(own(export.Event, name), int64(at))
			same(own(export.Moment, name), time)
			return
		}
		column(own(export.Event, name), func(f int) any { return int64(f - at) })
	}
	number := func(name string, v float64) {
		if v-v == 0 {
			same(own(export.Number, name), v)
		}
	}
	for _, e := range rec.Events {
		at := int(math.Round((e.Time - rec.Start) * rec.Rate))
		name := map[string]string{"Foot Strike": "left_foot_strike", "Toe-Off": "left_toe_off",
			"mixed": "left_mixed"}[e.Label]
		if at < rec.Frames {
			event(name, at, e.Time*(rec.Rate/rate))
		}
	}
	for _, e := range rec.computed.Events {
		event(e.Column, e.Frame, e.Time)
	}
	for _, m := range rec.Metrics {
		number(map[string]string{"Cadence": "right_cadence", "Step Length": "right_step_length"}[m.Name], m.Value)
	}
	for _, m := range rec.computed.Metrics {
		if m.Text != nil {
			same(own(export.Text, m.Column), *m.Text)
		} else {
			number(m.Column, *m.Value)
		}
	}
	return rows
}

func worlds(t *rapid.T) *world {
	w := &world{files: files{}, result: export.Result{Columns: export.Columns{Dimensions: []string{"handedness"}}}}
	w.result.Columns.Shape = rapid.SampledFrom([]export.Shape{"", export.RowPerFrame, export.RowPerCapture,
		export.RowPerCapture}).Draw(t, "shape")
	channels := []string{"p", "p,q", "p\"\n", "angle", "left_mixed", "ü 🙂", "-1"}
	if rapid.IntRange(0, 4).Draw(t, "wide") == 0 {
		for i := range 2000 {
			channels = append(channels, fmt.Sprintf("c%d", i))
		}
	}
	// What is wrong where blocks and pages meet is wrong in one or two long recordings
	// too. More of them cost most of the time, and every ninth world or so has some.
	captures, long := rapid.IntRange(0, 8).Draw(t, "captures"), rapid.IntRange(0, 30).Draw(t, "long") == 0
	if long {
		captures = min(captures, 2)
	}
	var recs []*take
	u := &united{names: map[export.Origin]string{}, wide: map[export.Origin]bool{}, channel: map[export.Origin]bool{}}
	names := export.NewNames(w.result.Columns.Shape, nil)
	for i := range captures {
		rec := recordings(t, channels, long && rapid.Bool().Draw(t, "this one"))
		var table bytes.Buffer
		info, _, err := frames.Write(&table, io.Discard, motion.C3D, rec.Frames, memory{rec.Recording})
		if err != nil {
			t.Fatal(err)
		}
		info.Computed = &rec.computed
		u.add(w.result.Columns.Shape, info, rec)
		names.Add(info)
		raw, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		s := &export.Source{SessionID: fmt.Sprintf("0190f0e5-7b1c-7cc3-98c4-00000000000%d_%d", i/2, i), FPS: &rec.Rate,
			Table: fmt.Sprint("table", i), Info: raw}
		w.files[s.Table] = table.Bytes()
		if rapid.Bool().Draw(t, "named") {
			s.SessionID = rapid.SampledFrom(texts).Draw(t, "session") + strings.Repeat("!", i)
			s.Activity, s.Movement = ptr(rapid.SampledFrom(texts).Draw(t, "activity")), ptr("swing")
			s.Dimensions = map[string]string{"handedness": rapid.SampledFrom(texts).Draw(t, "hand")}
			s.CaptureTime = ptr(time.UnixMilli(rapid.Int64Range(-1e12, 2e12).Draw(t, "captured")).UTC())
		}
		s.Rate = rapid.SampledFrom([]float64{0, 0, 250, 29.97}).Draw(t, "corrected")
		first, last := int64(0), int64(rec.Frames)
		if rapid.IntRange(0, 3).Draw(t, "filtered") == 0 {
			first = rapid.Int64Range(0, last-1).Draw(t, "row")
			last = first + 1
		}
		if w.result.Columns.Shape.Whole() {
			first, last = 0, 1
			s.Table = rapid.SampledFrom([]string{"", s.Table, "gone"}).Draw(t, "table") // it is not opened
		}
		for a := range rapid.IntRange(1, 3).Draw(t, "athletes") {
			p := export.Part{Source: s, First: w.result.Rows, Rows: last - first, Frame: first}
			if rapid.IntRange(0, 4).Draw(t, "nobody") > 0 {
				p.AthleteID, p.Athlete = fmt.Sprint("athlete-", a), rapid.SampledFrom(texts).Draw(t, "athlete")
			}
			w.parts, recs = append(w.parts, p), append(recs, rec)
			w.result.Rows += p.Rows
		}
	}
	aside := names.Aside()
	for _, c := range u.columns(w.result.Columns.Shape) {
		if shown := cmp.Or(aside[c.From], c.From.Plain()); shown != c.Name || !names.Has(c.From) {
			t.Fatalf("%v is called %q, want %q", c.From, shown, c.Name)
		}
		if rapid.IntRange(0, 9).Draw(t, "left out") > 0 {
			w.result.Columns.Own = append(w.result.Columns.Own, c)
		}
	}
	for i, p := range w.parts {
		w.rows = append(w.rows, rowsOf(p, recs[i], w.result.Columns)...)
	}
	return w
}

func (w *world) sameParquet(t *rapid.T, b []byte) {
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	header := export.Header(w.result.Columns)
	columns := f.Root().Columns()
	if len(columns) != len(header) || f.NumRows() != w.result.Rows {
		t.Fatalf("Parquet has %d columns and %d rows, want %d and %d", len(columns), f.NumRows(), len(header),
			w.result.Rows)
	}
	for i, name := range header {
		if columns[i].Name() != name {
			t.Fatalf("column %d is called %q, want %q", i, columns[i].Name(), name)
		}
		row := 0
		pages := columns[i].Pages()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			values := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(values); n != len(values) || err != nil && err != io.EOF {
				t.Fatalf("%q: %d of %d values: %v", name, n, len(values), err)
			}
			for _, v := range values {
				want := w.rows[row][i]
				var got any
				switch {
				case v.IsNull():
				case name == "capture_datetime":
					got = time.UnixMilli(v.Int64()).UTC().Format("2006-01-02T15:04:05.000Z")
				case v.Kind() == parquet.ByteArray:
					got = v.String()
				case v.Kind() == parquet.Int64:
					got = v.Int64()
				case v.Kind() == parquet.Float:
					got = v.Float()
				case v.Kind() == parquet.Double:
					got = v.Double()
				}
				if narrow, is := want.(float32); is && v.Kind() == parquet.Double { // other captures have 64 bits
					want = frames.Widen(narrow)
				}
				if got != want {
					t.Fatalf("row %d of %q is %v, want %v", row, name, got, want)
				}
				row++
			}
		}
		if row != len(w.rows) {
			t.Fatalf("%q has %d values for %d rows", name, row, len(w.rows))
		}
		_ = pages.Close()
	}
}
