package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// Reserved are the names of the first columns of an export's rows, those of the
// dimensions included. A recording's column of such a name gets the suffix _2.
var Reserved = []string{
	"sessionid", "session_uuid", "session_seq", "athleteid", "athlete_name", "orgid", "activity", "movement",
	"arm_position", "bat_length", "body_position", "direction", "eyes", "footedness", "handedness",
	"overhand_serve_type",
	"plank_orientation", "plank_position", "y_balance_lower_quarter_direction", "y_balance_upper_quarter_direction",
	"capture_datetime", "fps", "frame", "time",
}

// maxColumns is how many columns a table may have: what programs that read Parquet
// bear, and far more than any rig records.
const maxColumns = 30_000

// tail has what is behind the name of a rotation in the names of its columns: the
// upper three rows of its matrix, row by row, then how far it is to be relied on.
var tail = []string{
	"_r11", "_r12", "_r13", "_r14", "_r21", "_r22", "_r23", "_r24", "_r31", "_r32", "_r33", "_r34", "_reliability",
}

// describe tells everything of a recording but its numbers: the missing ones of its
// channels are not counted yet.
func describe(rec *motion.Recording, kind motion.Kind, total int) (Info, error) {
	info := Info{
		Format: string(kind), Frames: total, FirstFrame: rec.FirstFrame, Start: rec.Start,
		Even: rec.Times == nil && rec.Rate > 0 && (rec.Video == nil || !rec.Video.Variable),
		Unit: rec.Unit, Metres: rec.Metres, Channels: channels(rec), Events: []Event{}, Metrics: []Metric{},
		Warnings: []Warning{},
		Subjects: append([]string{}, rec.Subjects...), Bones: [][2]string{}, Up: rec.Up, Unknown: []string{},
		Plates: []Plate{},
	}
	for _, p := range rec.Plates { // analog channels are the last ones, in their order
		plate := Plate{p, []string{}}
		for _, place := range p.Channels {
			plate.Channels = append(plate.Channels, info.Channels[len(info.Channels)-len(rec.Analogs)+place].Name)
		}
		info.Plates = append(info.Plates, plate)
	}
	if rec.PlateZero != [2]int{} {
		info.PlateZero = &rec.PlateZero
	}
	for _, b := range rec.Bones { // points are the first channels, in their order
		info.Bones = append(info.Bones, [2]string{info.Channels[b[0]].Name, info.Channels[b[1]].Name})
	}
	if rec.Rate > 0 {
		rate := rec.Rate
		info.Rate, info.Duration = &rate, float64(total)/rate
	}
	for _, m := range rec.Metrics {
		info.Metrics = append(info.Metrics, Metric{m.Name, string(m.Context), m.Subject, m.Unit, m.Description,
			m.Value})
	}
	for _, w := range rec.Warnings {
		info.Warnings = append(info.Warnings, Warning{string(w.Code), w.Message})
	}
	if v := rec.Video; v != nil {
		info.Video = &Video{v.Width, v.Height, v.Rotation, v.Codec, v.Variable, v.Duration}
		info.Channels = []Channel{}
		if info.Rate == nil {
			info.Duration = v.Duration
		}
	}
	n := 0
	for _, c := range info.Channels {
		n += len(c.Columns)
	}
	if n > maxColumns {
		return info, &motion.Unreadable{
			Reason: fmt.Sprintf("The recording has %s columns of numbers, and at most %s are kept",
				quality.Thousands(int64(n)), quality.Thousands(maxColumns)),
			Hint: "Export the channels that matter into files of their own.",
		}
	}
	return info, nil
}

// channels gives the channels in the order points, rotations, angles, analogs, with
// names and columns of which no two are alike.
func channels(rec *motion.Recording) []Channel {
	all := []Channel{}
	rate := func(own float64, per int) *float64 {
		if own <= 0 {
			own = rec.Rate * float64(per)
		}
		if own <= 0 {
			return nil
		}
		return &own
	}
	subject := func(name string) *string {
		if name == "" {
			return nil
		}
		return &name
	}
	length := rec.Unit
	if rec.Metres > 0 {
		length = "m"
	}
	for i := range rec.Points {
		p := &rec.Points[i]
		c := Channel{Name: p.Name, Kind: kindOf(p.Quantity), Subject: subject(p.Subject), Unit: p.Unit,
			Rate: rate(rec.Rate, 1), PerFrame: 1}
		if c.Kind == KindPoint {
			c.Unit = length
		}
		if p.Wide != nil {
			c.Bits = 64
		}
		all = append(all, c)
	}
	for _, r := range rec.Rotations {
		all = append(all, Channel{Name: r.Name, Kind: KindRotation, Subject: subject(r.Subject),
			Rate: rate(r.Rate, r.PerFrame), PerFrame: r.PerFrame})
	}
	single := func(a *record.Channel, kind, unit string) {
		c := Channel{Name: a.Name, Kind: kind, Unit: unit, Rate: rate(a.Rate, a.PerFrame), PerFrame: a.PerFrame}
		if a.Wide != nil {
			c.Bits = 64
		}
		all = append(all, c)
	}
	for i := range rec.Angles {
		single(&rec.Angles[i], KindAngle, "deg")
	}
	for i := range rec.Analogs {
		single(&rec.Analogs[i], KindAnalog, rec.Analogs[i].Unit)
	}
	name(all, rec)
	return all
}

// name makes the names of channels and columns distinct.
func name(all []Channel, rec *motion.Recording) {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	names, _, _ = label.Distinct(names, len(names))
	var columns []string
	for i := range all {
		c := &all[i]
		c.Name = names[i]
		switch {
		case i < len(rec.Points):
			c.Columns = []string{c.Name + "_x", c.Name + "_y", c.Name + "_z"}
		case c.Kind == KindRotation:
			for _, t := range tail {
				c.Columns = append(c.Columns, c.Name+t)
			}
			if rec.Rotations[i-len(rec.Points)].Reliability == nil {
				c.Columns = c.Columns[:len(tail)-1]
			}
		default:
			c.Columns = []string{c.Name}
		}
		columns = append(columns, c.Columns...)
	}
	// Those that are taken come first, so that they are the ones to keep a name.
	taken := slices.Concat(Reserved, columns)
	taken, _, _ = label.Distinct(taken, len(taken))
	columns = taken[len(Reserved):]
	for i := range all {
		n := len(all[i].Columns)
		all[i].Columns, columns = columns[:n:n], columns[n:]
	}
}

func kindOf(q record.Quantity) string {
	if q == "" || q == record.Position {
		return KindPoint
	}
	return string(q)
}

// run is the numbers of one column in a stretch, per of them a frame.
type run struct {
	Numbers
	per int
}

// runs gives the numbers of all columns of a stretch, in the order of channels.
func runs(rec *motion.Recording, all []run) []run {
	all = all[:0]
	add := func(values []float32, wide []float64, per int) {
		if wide != nil {
			values = nil
		}
		all = append(all, run{Numbers{values, wide}, per})
	}
	for i := range rec.Points {
		p := &rec.Points[i]
		var wide [3][]float64
		if p.Wide != nil {
			wide = *p.Wide
		}
		for axis, values := range [3][]float32{p.X, p.Y, p.Z} {
			add(values, wide[axis], 1)
		}
	}
	for i := range rec.Rotations {
		r := &rec.Rotations[i]
		for _, values := range r.Matrix[:12] {
			add(values, nil, r.PerFrame)
		}
		if r.Reliability != nil {
			add(r.Reliability, nil, r.PerFrame)
		}
	}
	for _, channels := range [][]record.Channel{rec.Angles, rec.Analogs} {
		for i := range channels {
			add(channels[i].Values, channels[i].Wide, channels[i].PerFrame)
		}
	}
	return all
}

// settle gives the info what only is known once all numbers were seen.
func (i *Info) settle(rec *motion.Recording, missing []int64, times *clock) {
	at := 0
	for c := range i.Channels {
		ch := &i.Channels[c]
		var sum int64
		for range ch.Columns {
			sum += missing[at]
			at++
		}
		if all := float64(i.Frames) * float64(ch.PerFrame) * float64(len(ch.Columns)); sum > 0 && all > 0 {
			// To four digits, but what is not all of them or none does not look so.
			ch.Missing = math.Round(1e6*float64(sum)/all) / 1e4
			if float64(sum) < all {
				ch.Missing = min(max(ch.Missing, 0.0001), 99.9999)
			}
		}
	}
	if rec.Video == nil && i.Frames > 1 && (i.Rate == nil || times.uneven != nil) && !math.IsNaN(times.last) {
		i.Duration = times.span()
	}
	for _, e := range rec.Events {
		i.Events = append(i.Events, Event{Label: e.Label, Context: string(e.Context), Time: e.Time,
			Frame: times.row(e.Time), Subject: e.Subject, Description: e.Description})
	}
}

// column finds the channel that a column belongs to, and its place in it.
func (i *Info) column(name string) (c *Channel, place int) {
	for n := range i.Channels {
		if place := slices.Index(i.Channels[n].Columns, name); place >= 0 {
			return &i.Channels[n], place
		}
	}
	return nil, 0
}

// factor is what makes metres of a column's numbers; 1 for what are no lengths, or
// lengths of an unknown unit. Of a rotation its last column is the place.
func (i *Info) factor(c *Channel, column string, place int) float64 {
	if !(i.Metres > 0) || c == nil {
		return 1
	}
	if c.Kind == KindPoint || c.Kind == KindRotation && place%4 == 3 && !strings.HasSuffix(column, "_reliability") {
		return i.Metres
	}
	return 1
}
