package c3d

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/record"
)

// section makes the parameter section, padded to whole blocks. Its length does not
// depend on data, the block of the frames.
func (o *output) section(data int) []byte {
	rec := o.rec
	e := &encoder{b: []byte{1, 0x50, 0, byte(Intel)}}
	e.group("POINT")
	e.int("USED", len(rec.Points))
	if rec.Frames <= math.MaxUint16 {
		e.int("FRAMES", rec.Frames)
	} else {
		e.real("FRAMES", float32(rec.Frames))
	}
	e.int("DATA_START", data)
	e.real("RATE", float32(rec.Rate))
	e.real("SCALE", -o.step)
	if rec.Unit != "" {
		e.texts("UNITS", []string{rec.Unit})
	}
	if rec.Up != "" {
		e.texts("Y_SCREEN", []string{strings.ToUpper(rec.Up)})
	}
	labels := make([]string, len(rec.Points))
	for i := range rec.Points {
		labels[i] = rec.Points[i].Label()
	}
	e.texts("LABELS", labels)
	o.quantities(e)
	e.group("ANALOG")
	e.int("USED", len(o.channels))
	e.real("RATE", float32(rec.Rate*float64(o.perFrame)))
	if len(o.channels) > 0 {
		o.analogs(e)
	}
	e.group("TRIAL")
	e.long("ACTUAL_START_FIELD", rec.FirstFrame)
	e.long("ACTUAL_END_FIELD", rec.FirstFrame+rec.Frames-1)
	e.group("MANUFACTURER")
	e.texts("SOFTWARE", []string{software})
	if len(rec.Subjects) > 0 {
		e.group("SUBJECTS")
		e.int("USED", len(rec.Subjects))
		e.texts("NAMES", rec.Subjects)
	}
	if len(rec.Events) > 0 {
		o.events(e)
	}
	if len(rec.Metrics) > 0 {
		o.metrics(e)
	}
	if len(rec.Plates) > 0 {
		o.plates(e)
	}
	if len(rec.Rotations) > 0 {
		o.rotations(e)
	}
	b := append(e.b, 0, 0)
	b = append(b, make([]byte, (block-len(b)%block)%block)...)
	b[2] = byte(min(255, len(b)/block))
	return b
}

// quantities lists the points that are no positions. The format has no list for those
// of which nobody said what they are, and whoever reads one that is in no list takes it
// for a position: they are scalars there. A list has one unit, or where they differ
// one for each of its points.
func (o *output) quantities(e *encoder) {
	var groups []string
	for _, k := range kinds {
		var labels, units []string
		for i := range o.rec.Points {
			p := &o.rec.Points[i]
			if p.Quantity == k.kind || p.Quantity == record.Vector && k.kind == record.Scalar {
				labels, units = append(labels, p.Label()), append(units, p.Unit)
			}
		}
		if len(labels) == 0 {
			continue
		}
		if !slices.ContainsFunc(units, func(unit string) bool { return unit != units[0] }) {
			units = units[:1]
		}
		e.texts(k.list, labels)
		e.texts(k.units, units)
		groups = append(groups, k.list, k.singular)
	}
	if len(groups) > 0 {
		e.table("TYPE_GROUPS", groups, 7, 2, len(groups)/2)
	}
}

// analogs says that samples are stored as they are.
func (o *output) analogs(e *encoder) {
	names, units, ones := make([]string, len(o.channels)), make([]string, len(o.channels)),
		make([]float32, len(o.channels))
	for i, c := range o.channels {
		names[i], units[i], ones[i] = c.Name, c.Unit, 1
	}
	e.texts("LABELS", names)
	e.texts("UNITS", units)
	e.real("GEN_SCALE", 1)
	e.reals("SCALE", ones, 1)
	e.zeros("OFFSET", len(ones)) // which readers want as integers, whatever the samples are
	e.texts("FORMAT", []string{"SIGNED"})
	e.int("BITS", 16)
}

func (o *output) events(e *encoder) {
	events := o.rec.Events
	texts := func(get func(record.Event) string) []string {
		all := make([]string, len(events))
		for i, event := range events {
			all[i] = get(event)
		}
		return all
	}
	e.group("EVENT")
	e.int("USED", len(events))
	e.texts("LABELS", texts(func(v record.Event) string { return v.Label }))
	e.texts("CONTEXTS", texts(func(v record.Event) string { return written(v.Context) }))
	e.texts("SUBJECTS", texts(func(v record.Event) string { return v.Subject }))
	e.texts("DESCRIPTIONS", texts(func(v record.Event) string { return v.Description }))
	times := make([]float32, 0, 2*len(events))
	for _, event := range events {
		minutes, seconds := minutes(o.clock(event.Time))
		times = append(times, minutes, seconds)
	}
	e.reals("TIMES", times, 2)
}

// clock is a time of the recording as the file counts it: in frames from the first,
// wherever the recording itself begins. An event stays at its frame.
func (o *output) clock(time float64) float64 {
	rec := o.rec
	if !(rec.Rate > 0) {
		return time - rec.Start
	}
	begin := Start(rec.FirstFrame, rec.Rate)
	if rec.Times != nil {
		return begin + float64(record.Nearest(rec.Times, time))/rec.Rate
	}
	return time + (begin - rec.Start)
}

func (o *output) metrics(e *encoder) {
	metrics := o.rec.Metrics
	texts := func(name string, get func(record.Metric) string) {
		all := make([]string, len(metrics))
		for i, m := range metrics {
			all[i] = get(m)
		}
		e.texts(name, all)
	}
	values := make([]float32, len(metrics))
	for i, m := range metrics {
		values[i] = float32(m.Value)
	}
	e.group("ANALYSIS")
	e.int("USED", len(metrics))
	texts("NAMES", func(m record.Metric) string { return m.Name })
	texts("CONTEXTS", func(m record.Metric) string { return written(m.Context) })
	texts("SUBJECTS", func(m record.Metric) string { return m.Subject })
	texts("DESCRIPTIONS", func(m record.Metric) string { return m.Description })
	texts("UNITS", func(m record.Metric) string { return m.Unit })
	e.reals("VALUES", values, 1)
}

// written is a context as other programs look for it: Left, Right, General.
func written(c record.Context) string {
	switch c {
	case record.Left, record.Right, record.General:
		return strings.ToUpper(string(c[:1])) + string(c[1:])
	}
	return string(c)
}

// minutes splits a time so that it reads back to the same number, if it can.
func minutes(time float64) (minutes, seconds float32) {
	whole := math.Trunc(time / 60)
	for _, m := range []float64{0, whole} {
		if s := float32(time - 60*m); 60*m+decimal(float64(s)) == time {
			return float32(m), s
		}
	}
	return float32(whole), float32(time - 60*whole)
}

func (o *output) rotations(e *encoder) {
	names := make([]string, len(o.rec.Rotations))
	for i, r := range o.rec.Rotations {
		if names[i] = r.Name; r.Subject != "" {
			names[i] = r.Subject + ":" + r.Name
		}
	}
	e.group("ROTATION")
	e.int("USED", len(names))
	e.int("RATIO", o.perRotation)
	e.real("RATE", float32(o.rec.Rate*float64(o.perRotation)))
	if o.rotationStart <= math.MaxUint16 {
		e.int("DATA_START", o.rotationStart)
	} else { // 16 bits of blocks end at 32 MiB
		e.real("DATA_START", float32(o.rotationStart))
	}
	e.texts("LABELS", names)
}

// encoder appends groups and parameters.
type encoder struct {
	b  []byte
	id byte
}

func (e *encoder) group(name string) {
	e.id++
	e.b = append(e.b, byte(len(name)), -e.id)
	e.b = append(e.b, name...)
	e.b = append(e.b, 3, 0, 0) // the offset to the next record, and no description
}

// add appends a parameter with its encoded values.
func (e *encoder) add(name string, typ Type, dimensions []int, data []byte) {
	e.b = append(e.b, byte(len(name)), e.id)
	e.b = append(e.b, name...)
	e.b = binary.LittleEndian.AppendUint16(e.b, uint16(2+2+len(dimensions)+len(data)+1))
	e.b = append(e.b, byte(typ), byte(len(dimensions)))
	for _, n := range dimensions {
		e.b = append(e.b, byte(n))
	}
	e.b = append(append(e.b, data...), 0)
}

func (e *encoder) int(name string, v int) {
	e.add(name, Int, nil, binary.LittleEndian.AppendUint16(nil, uint16(v)))
}

// long writes a number of 32 bits as two words, the low one first.
func (e *encoder) long(name string, v int) {
	e.add(name, Int, []int{2}, binary.LittleEndian.AppendUint32(nil, uint32(v)))
}

func (e *encoder) real(name string, v float32) {
	e.add(name, Real, nil, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

// reals writes numbers, width of them to a thing, over NAME, NAME2 and so on.
func (e *encoder) reals(name string, values []float32, width int) {
	part := 0
	for chunk := range slices.Chunk(values, 255*width) {
		part++
		var data []byte
		for _, v := range chunk {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		dimensions := []int{len(chunk) / width}
		if width > 1 {
			dimensions = []int{width, len(chunk) / width}
		}
		e.add(numbered(name, part), Real, dimensions, data)
	}
}

// zeros writes so many integers over NAME, NAME2 and so on.
func (e *encoder) zeros(name string, n int) {
	for part := 1; n > 0; part++ {
		count := min(n, 255)
		e.add(numbered(name, part), Int, []int{count}, make([]byte, 2*count))
		n -= count
	}
}

// texts writes strings over NAME, NAME2 and so on, as many to each as its 16-bit
// length and its 8-bit counts allow.
func (e *encoder) texts(name string, texts []string) {
	longest := 1
	for _, s := range texts {
		longest = max(longest, min(255, len(s)))
	}
	part := 0
	for chunk := range slices.Chunk(texts, min(255, 60_000/longest)) {
		part++
		e.table(numbered(name, part), chunk, longest, len(chunk))
	}
}

// table writes strings with these dimensions, the first of which is the length.
func (e *encoder) table(name string, texts []string, dimensions ...int) {
	var data []byte
	for _, s := range texts {
		s = strings.ToValidUTF8(s[:min(len(s), dimensions[0])], "")
		data = append(data, s...)
		data = append(data, strings.Repeat(" ", dimensions[0]-len(s))...)
	}
	e.add(name, Text, dimensions, data)
}

func numbered(name string, part int) string {
	if part == 1 {
		return name
	}
	return fmt.Sprintf("%s%d", name, part)
}
