package httpapi_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// recording is what a file holds, as a table: the columns have their names and, where
// they are lengths, metres.
type recording struct {
	frames  int
	rate    float64 // 0 when the file does not tell
	start   float64
	times   []float64 // where they are uneven
	columns []column
	events  []event
	metrics []metric // the same in every row
}

type column struct {
	name   string
	values []float32
}

// event lies at a frame, and at a time in seconds as the motion of its capture has it.
type event struct {
	name string
	at   int
	time float64
}

// metric is a number or a text.
type metric struct {
	name  string
	value any
}

// number makes one up: missing now and then, or at an edge.
func number(r *rand.Rand) float32 {
	switch r.IntN(12) {
	case 0:
		return record.NaN32
	case 1:
		return one(r, 0, -1e-7, 1e21, math.MaxFloat32/2, math.SmallestNonzeroFloat32, 1e20, 123456792,
			float32(math.Copysign(0, -1)))
	}
	return float32(r.NormFloat64() * 1000)
}

func numbers(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	hole := one(r, 1, 2, 5, n+1)
	for i := range v {
		if v[i] = number(r); hole == 1 || i%hole == 3 {
			v[i] = record.NaN32
		}
	}
	return v
}

// draw makes a motion file up.
func draw(t *testing.T, r *rand.Rand) (name string, file []byte, rec *recording) {
	rec = &recording{frames: 1 + r.IntN(30), rate: one(r, 100, 59.94, 119.88012, 3, 1000)}
	if r.IntN(8) == 0 {
		rec.frames = 500 + r.IntN(700) // more than a page
	}
	unit := one(r, "mm", "m", "cm", "")
	metres := map[string]float64{"mm": 0.001, "cm": 0.01}[unit]
	var points []record.Point
	var names []string
	for _, label := range []string{"LASI", "RASI", "a,b", `x"y`, "=1", "-x", "ü 🙂", "Ann:LASI", "time", "LASI_x"} {
		if r.IntN(3) > 0 {
			continue
		}
		p := record.Point{Name: label, Quantity: record.Position, X: numbers(r, rec.frames), Y: numbers(r, rec.frames),
			Z: numbers(r, rec.frames)}
		if subject, name, ok := strings.Cut(label, ":"); ok {
			p.Subject, p.Name = subject, name
		}
		p.Settle()
		points, names = append(points, p), append(names, p.Name)
	}
	if len(points) > 0 && r.IntN(2) == 0 {
		rec.asTRC(points, metres, distinct(nil, names))
		return "trial.trc", rec.trc(r, points, unit), rec
	}
	return "trial.c3d", rec.c3d(t, r, points, names, unit, metres), rec
}

// add gives a point's three columns, in metres where the unit is known.
func (rec *recording) add(p *record.Point, name string, metres float64) {
	for i, from := range [][]float32{p.X, p.Y, p.Z} {
		values := make([]float32, len(from))
		for f, v := range from {
			if values[f] = v; metres > 0 && p.Quantity == record.Position {
				values[f] = float32(float64(v) * metres)
			}
		}
		rec.columns = append(rec.columns, column{name: name + []string{"_x", "_y", "_z"}[i], values: values})
	}
}

func (rec *recording) asTRC(points []record.Point, metres float64, names []string) {
	for i := range points {
		rec.add(&points[i], names[i], metres)
	}
	rec.settle(nil)
}

// trc writes the points as text.
func (rec *recording) trc(r *rand.Rand, points []record.Point, unit string) []byte {
	if rec.start = one(r, 0, 0.5, 12.25); r.IntN(3) == 0 && rec.frames > 3 {
		// The inner frames come late. The last does not, for DataRate that is far from
		// the times would not count.
		rec.rate = one(r, 3, 10, 59.94)
		for f := range rec.frames {
			late := 0.2 + 0.6*r.Float64()
			if f == 0 || f == rec.frames-1 {
				late = 0
			}
			rec.times = append(rec.times, math.Round(1e4*(rec.start+(float64(f)+late)/rec.rate))/1e4)
		}
	}
	rate := strconv.FormatFloat(rec.rate, 'f', -1, 64)
	var b bytes.Buffer
	fmt.Fprintf(&b, "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t"+
		"OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n%s\t%s\t%d\t%d\t%s\t%s\t1\t%d\nFrame#\tTime",
		rate, rate, rec.frames, len(points), unit, rate, rec.frames)
	for i := range points {
		b.WriteString("\t" + points[i].Label() + "\t\t")
	}
	b.WriteString("\n\t")
	for i := range points {
		fmt.Fprintf(&b, "\tX%d\tY%d\tZ%d", i+1, i+1, i+1)
	}
	b.WriteString("\n\n")
	for f := range rec.frames {
		at := rec.start + float64(f)/rec.rate
		if rec.times != nil {
			at = rec.times[f]
		}
		fmt.Fprintf(&b, "%d\t%s", f+1, strconv.FormatFloat(at, 'f', -1, 64))
		for _, p := range points {
			for _, v := range []float32{p.X[f], p.Y[f], p.Z[f]} {
				if b.WriteByte('\t'); v == v {
					b.WriteString(strconv.FormatFloat(float64(v), 'g', -1, 32))
				}
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// c3d has points, analog channels and events.
func (rec *recording) c3d(t *testing.T, r *rand.Rand, points []record.Point, names []string, unit string,
	metres float64) []byte {
	file := record.Recording{Frames: rec.frames, Rate: rec.rate, FirstFrame: one(r, 0, 1, 2, 185), Unit: unit,
		Points: points}
	for i := range points {
		if r.IntN(4) == 0 {
			points[i].Quantity, points[i].Unit = record.Force, "N"
		}
	}
	per := 1 + r.IntN(3)
	for _, name := range []string{"Fz1", "frame", "handedness", "left_toe_off", "LASI", "LASI_x", "+1"} {
		if r.IntN(4) > 0 && (len(points)+len(file.Analogs) > 0 || name != "+1") {
			continue
		}
		file.Analogs = append(file.Analogs, record.Channel{Name: name, Unit: one(r, "V", "N", ""), PerFrame: per,
			Rate: rec.rate * float64(per), Values: numbers(r, per*rec.frames)})
		names = append(names, name)
	}
	rec.start = float64(max(0, file.FirstFrame-1)) / rec.rate
	file.Start = rec.start
	var events []event
	for range r.IntN(5) {
		label, side := one(r, "Foot Strike", "Toe-Off", "!", "time", "Start 2", "Takeoff Frame", "Frame Count"),
			one(r, record.Left, record.Right, record.General, "", "Both")
		at := r.IntN(rec.frames+2) - 1
		file.Events = append(file.Events,
			record.Event{Label: label, Context: side, Time: rec.start + float64(at)/rec.rate})
		words := map[string]string{"Foot Strike": "foot_strike", "Toe-Off": "toe_off", "!": "", "time": "time",
			"Start 2": "start_2", "Takeoff Frame": "takeoff_frame", "Frame Count": "frame_count"}[label]
		switch side {
		case record.Left, record.Right, "Both":
			words = strings.TrimSuffix(strings.ToLower(string(side))+"_"+words, "_")
		}
		if words == "" {
			words = "event"
		}
		events = append(events, event{name: words, at: at})
	}
	for range r.IntN(4) {
		name, side, value := one(r, "Cadence", "Toe-Off", "Step Length", "Jump Height Method", "Takeoff Frame Time",
			"Recording Duration"), one(r, record.Left, record.General, ""), one(r, 0, 1.158785, 116.50485, -1e-9, 1e21)
		file.Metrics = append(file.Metrics, record.Metric{Name: name, Context: side, Subject: one(r, "", "Ann"),
			Unit: one(r, "", "m/s"), Value: value})
		words := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(name))
		if side == record.Left {
			words = "left_" + words
		}
		decimal, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', -1, 32), 64) // the file has 32 bits
		if err != nil {
			t.Fatal(err)
		}
		rec.metrics = append(rec.metrics, metric{name: words, value: decimal})
	}
	names = distinct(nil, names)
	for i := range points {
		rec.add(&points[i], names[i], metres)
	}
	for i, c := range file.Analogs {
		values := make([]float32, rec.frames) // the first sample of each frame
		for f := range values {
			values[f] = c.Values[f*per]
		}
		rec.columns = append(rec.columns, column{name: names[len(points)+i], values: values})
	}
	rec.settle(events)
	var b bytes.Buffer
	if err := c3d.Write(&b, &file); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// leap is the vertical force of a countermovement jump, of which Kinebase computes how high it
// was, and now and then another channel, which is called like something that it computes.
func leap(r *rand.Rand) (name string, file []byte, rec *recording) {
	const weight, rate = 700.0, 250
	var force []float64
	add := func(seconds float64, f func(part float64) float64) {
		n := int(seconds*rate + 0.5)
		for i := range n {
			force = append(force, weight*f(float64(i)/float64(n)))
		}
	}
	still := func(float64) float64 { return 1 + 0.001*math.Sin(float64(len(force))) }
	add(1.3, still)
	add(0.4, func(part float64) float64 { return 1 - 0.5*math.Sin(math.Pi*part) })
	add(0.45, func(part float64) float64 { return 1 + 1.2*math.Sin(math.Pi*part) })
	add(one(r, 0.45, 0.5, 0.55), func(float64) float64 { return 0 })
	add(0.3, func(part float64) float64 { return 4 * math.Sin(math.Pi*(0.02+0.98*part)) })
	add(1, still)
	rec = &recording{frames: len(force), rate: rate, columns: []column{{name: "Fz"}}}
	b := bytes.NewBufferString("time (s),Fz (N)")
	if other := one(r, "", "jump_height", "jump_height_method", "takeoff_frame", "takeoff_frame_time"); other != "" {
		rec.columns = append(rec.columns, column{name: other, values: numbers(r, rec.frames)})
		b.WriteString("," + other)
	}
	for i, f := range force {
		cell := strconv.FormatFloat(f, 'f', 3, 64)
		v, err := strconv.ParseFloat(cell, 32)
		if err != nil {
			panic(err)
		}
		rec.columns[0].values = append(rec.columns[0].values, float32(v))
		fmt.Fprintf(b, "\n%.6f,%s", float64(i)/rate, cell)
		for _, c := range rec.columns[1:] {
			if b.WriteByte(','); c.values[i] == c.values[i] {
				b.WriteString(strconv.FormatFloat(float64(c.values[i]), 'g', -1, 32))
			}
		}
	}
	return "jump.csv", b.Bytes(), rec
}
