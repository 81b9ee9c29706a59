package frames_test

import (
	"bytes"
	"math"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

// memory is a recording in memory as a source of stretches.
type memory struct{ *motion.Recording }

func (m memory) Stretch(from, n int) (*motion.Recording, error) {
	r := *m.Recording
	r.Frames, r.FirstFrame = n, r.FirstFrame+from
	if r.Times != nil {
		r.Times = r.Times[from : from+n]
	}
	r.Points = append([]record.Point{}, r.Points...)
	for i := range r.Points {
		p := &r.Points[i]
		p.X, p.Y, p.Z = p.X[from:from+n], p.Y[from:from+n], p.Z[from:from+n]
	}
	r.Rotations = append([]record.Rotation{}, r.Rotations...)
	for i := range r.Rotations {
		o := &r.Rotations[i]
		for c := range o.Matrix {
			o.Matrix[c] = o.Matrix[c][from*o.PerFrame : (from+n)*o.PerFrame]
		}
		if o.Reliability != nil {
			o.Reliability = o.Reliability[from*o.PerFrame : (from+n)*o.PerFrame]
		}
	}
	cut := func(all []record.Channel) []record.Channel {
		all = append([]record.Channel{}, all...)
		for i := range all {
			all[i].Values = all[i].Values[from*all[i].PerFrame : (from+n)*all[i].PerFrame]
		}
		return all
	}
	r.Angles, r.Analogs = cut(r.Angles), cut(r.Analogs)
	return &r, nil
}

var nan = float32(math.NaN())

// recordings draws recordings of every kind of channel, with missing values,
// names that collide and times that are uneven.
func recordings(t *rapid.T) *motion.Recording {
	n := rapid.IntRange(0, 300).Draw(t, "frames")
	rec := &motion.Recording{
		Frames: n, FirstFrame: rapid.IntRange(0, 200).Draw(t, "first"),
		Start: rapid.SampledFrom([]float64{0, 1.5, -2}).Draw(t, "start"),
		Rate:  rapid.SampledFrom([]float64{0, 100, 59.94}).Draw(t, "rate"), Unit: "mm", Metres: 0.001,
	}
	if rapid.Bool().Draw(t, "uneven") {
		at := rec.Start
		rec.Times = make([]float64, n)
		for i := range rec.Times {
			rec.Times[i] = at
			at += 0.01 + 0.03*float64(i%3)
		}
	}
	names := rapid.SampledFrom([]string{"A", "A", "B", "A_x", "time", "time_2", "fps", "direction", "x,y", "w*", `b\s`,
		"Ünï", "a b", "frame", "a.b"})
	column := func(count int) []float32 {
		some := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 1, 8).Draw(t, "some")
		hole := rapid.SampledFrom([]int{1, 2, 7, 1 << 20}).Draw(t, "hole")
		v := make([]float32, count)
		for i := range v {
			if v[i] = some[i%len(some)] + float32(i); hole == 1 || i%hole == 3 {
				v[i] = nan
			}
		}
		return v
	}
	for range rapid.IntRange(0, 3).Draw(t, "points") {
		p := record.Point{Name: names.Draw(t, "point"),
			Quantity: rapid.SampledFrom([]record.Quantity{record.Position, record.Force}).Draw(t, "quantity"),
			X:        column(n), Y: column(n), Z: column(n)}
		p.Settle()
		rec.Points = append(rec.Points, p)
	}
	// What 32 bits cannot hold: numbers of 64, and beside them those nearest to them.
	widen := func(values []float32) []float64 {
		wide := make([]float64, len(values))
		by := rapid.SampledFrom([]float64{1e-9, 0.1, 12345678.9}).Draw(t, "by")
		for i, v := range values {
			wide[i] = float64(v) + by*float64(i+1)
			values[i] = float32(wide[i])
		}
		return wide
	}
	for i := range rec.Points {
		if p := &rec.Points[i]; rapid.IntRange(0, 2).Draw(t, "wide point") == 0 {
			p.Wide = &[3][]float64{widen(p.X), widen(p.Y), widen(p.Z)}
		}
	}
	per := rapid.SampledFrom([]int{1, 1, 4}).Draw(t, "per")
	for range rapid.IntRange(0, 2).Draw(t, "rotations") {
		r := record.Rotation{Name: names.Draw(t, "rotation"), PerFrame: per}
		for c := range r.Matrix {
			r.Matrix[c] = column(n * per)
		}
		if rapid.Bool().Draw(t, "reliable") {
			r.Reliability = column(n * per)
		}
		rec.Rotations = append(rec.Rotations, r)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "channels") {
		c := record.Channel{Name: names.Draw(t, "channel"),
			PerFrame: rapid.SampledFrom([]int{1, 2, 6}).Draw(t, "samples")}
		if c.Values = column(n * c.PerFrame); rapid.Bool().Draw(t, "wide") {
			c.Wide = widen(c.Values)
		}
		if i%2 == 0 {
			rec.Angles = append(rec.Angles, c)
		} else {
			rec.Analogs = append(rec.Analogs, c)
		}
	}
	return rec
}

// columnsOf gives the values of all columns in the order in which they are told.
func columnsOf(rec *motion.Recording) (values []frames.Numbers, per []int) {
	add := func(p int, v ...[]float32) {
		for _, v := range v {
			values, per = append(values, frames.Numbers{Narrow: v}), append(per, p)
		}
	}
	wide := func(p int, v ...[]float64) {
		for _, v := range v {
			values, per = append(values, frames.Numbers{Wide: v}), append(per, p)
		}
	}
	for _, p := range rec.Points {
		if p.Wide != nil {
			wide(1, p.Wide[:]...)
			continue
		}
		add(1, p.X, p.Y, p.Z)
	}
	for _, r := range rec.Rotations {
		add(r.PerFrame, r.Matrix[:12]...)
		if r.Reliability != nil {
			add(r.PerFrame, r.Reliability)
		}
	}
	for _, c := range append(append([]record.Channel{}, rec.Angles...), rec.Analogs...) {
		if c.Wide != nil {
			wide(c.PerFrame, c.Wide)
			continue
		}
		add(c.PerFrame, c.Values)
	}
	return values, per
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }

func write(t interface{ Fatal(...any) }, rec *motion.Recording) (frames.Info, *frames.Table, *frames.Table) {
	var table, samples bytes.Buffer
	info, has, err := frames.Write(&table, &samples, motion.C3D, rec.Frames, memory{rec})
	if err != nil {
		t.Fatal(err)
	}
	open := func(b []byte) *frames.Table {
		o, err := frames.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if !has {
		if samples.Len() > 0 {
			t.Fatal("samples were written that are not there")
		}
		return info, open(table.Bytes()), nil
	}
	return info, open(table.Bytes()), open(samples.Bytes())
}

func all(info frames.Info) (names []string) {
	for _, c := range info.Channels {
		names = append(names, c.Columns...)
	}
	return names
}
