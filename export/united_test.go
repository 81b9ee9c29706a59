package export_test

import (
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
)

// take is a recording and what was computed of it, under names of its own.
type take struct {
	*motion.Recording
	computed frames.Computed
}

// computed draws what may be found in a recording of such columns.
func computed(t *rapid.T, rec *motion.Recording) (c frames.Computed) {
	for _, name := range rapid.SliceOfNDistinct(
		rapid.SampledFrom([]string{"takeoff_frame", "left_angle", "frame_count", "takeoff_frame_time"}), 0, 3,
		rapid.ID[string]).Draw(t, "computed events") {
		at := rapid.IntRange(0, rec.Frames-1).Draw(t, "computed event")
		c.Events = append(c.Events, frames.ComputedEvent{Column: name, Frame: at, Time: float64(at)/3 + 0.123456789})
	}
	for _, name := range rapid.SliceOfNDistinct(
		rapid.SampledFrom([]string{"jump_height", "left_toe_off", "method", "takeoff_frame_time", "recording_duration",
			"right_step"}), 0, 4, rapid.ID[string]).Draw(t, "computed metrics") {
		m := frames.ComputedMetric{Column: name, Unit: "m", Method: "by.hand",
			Text: ptr(rapid.SampledFrom(texts).Draw(t, "computed text"))}
		if rapid.Bool().Draw(t, "a number") {
			m.Value, m.Text = ptr(rapid.OneOf(rapid.Float64(), rapid.Just(0.1)).Draw(t, "computed number")), nil
		}
		c.Metrics = append(c.Metrics, m)
	}
	return c
}

// united are the columns of all recordings, and what the rows call them.
type united struct {
	names         map[export.Origin]string // plain ones
	wide, channel map[export.Origin]bool
}

func (u *united) add(shape export.Shape, info frames.Info, rec *take) {
	put := func(kind export.Kind, name, plain string) export.Origin {
		o := export.Origin{Kind: kind, Name: name}
		u.names[o] = plain
		return o
	}
	for _, c := range info.Channels {
		for _, name := range c.Columns {
			if !shape.Whole() {
				o := put(export.Number, name, name)
				u.channel[o], u.wide[o] = true, u.wide[o] || c.Wide()
			}
		}
	}
	var events []string
	for _, e := range rec.Events {
		if int(math.Round((e.Time-rec.Start)*rec.Rate)) < rec.Frames {
			events = append(events, map[string]string{"Foot Strike": "left_foot_strike", "Toe-Off": "left_toe_off",
				"mixed": "left_mixed"}[e.Label])
		}
	}
	for _, e := range rec.computed.Events {
		events = append(events, e.Column)
	}
	for _, name := range events {
		if put(export.Event, name, name); shape.Whole() {
			put(export.Moment, name, name+"_time")
		}
	}
	for _, m := range rec.Metrics {
		name := map[string]string{"Cadence": "right_cadence", "Step Length": "right_step_length"}[m.Name]
		u.wide[put(export.Number, name, name)] = true
	}
	for _, m := range rec.computed.Metrics {
		if m.Text != nil {
			put(export.Text, m.Column, m.Column)
		} else {
			u.wide[put(export.Number, m.Column, m.Column)] = true
		}
	}
}

// columns gives each its name: the first of events, times of events, numbers and texts gets it.
func (u *united) columns(shape export.Shape) (list []export.Column) {
	taken, plain := map[string]bool{}, map[string]bool{}
	if shape.Whole() {
		taken["frame_count"], taken["recording_duration"] = true, true
	}
	for _, name := range u.names {
		plain[name] = true
	}
	for _, kind := range []export.Kind{export.Event, export.Moment, export.Number, export.Text} {
		var of []string
		for o := range u.names {
			if o.Kind == kind {
				of = append(of, o.Name)
			}
		}
		slices.Sort(of)
		for _, name := range of {
			o := export.Origin{Kind: kind, Name: name}
			shown := u.names[o]
			if taken[shown] {
				for n := 2; taken[shown] || plain[shown]; n++ {
					shown = fmt.Sprint(u.names[o], "_", n)
				}
			}
			taken[shown] = true
			list = append(list, export.Column{Name: shown, From: o, Wide: u.wide[o], Metric: kind == export.Number &&
				!u.channel[o]})
		}
	}
	return list
}
