package frames

import "slices"

// Column is a column that a recording has, as rows of frames show it: of a channel, an event or a metric.
type Column struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // that of the channel, or KindEvent, KindMetric or KindText
	Unit string `json:"unit"` // of the numbers as they are given out; "" where there is none or none is known
}

// The kinds of columns that are no channel's.
const (
	KindEvent  = "event"  // frames counted from the event
	KindMetric = "metric" // one number of the whole recording
	KindText   = "text"   // one text of the whole recording
)

// ColumnKinds are the kinds that columns have.
var ColumnKinds = []string{KindAnalog, KindAngle, KindEvent, KindForce, KindMetric, KindMoment, KindPoint, KindPower,
	KindRotation, KindScalar, KindText, KindVector}

// Columns are the columns of the recording: those of channels, then events, then metrics. No two are alike.
func (i Info) Columns() []Column {
	var list []Column
	for _, c := range i.Channels {
		for _, name := range c.Columns {
			list = append(list, Column{name, c.Kind, c.Unit})
		}
	}
	for _, e := range i.EventColumns() {
		list = append(list, Column{e.Name, KindEvent, ""})
	}
	for _, m := range i.MetricColumns() {
		kind := KindMetric
		if m.Text != nil {
			kind = KindText
		}
		list = append(list, Column{m.Name, kind, m.Metric.Unit})
	}
	seen := map[Column]bool{}
	return slices.DeleteFunc(list, func(c Column) bool {
		twice := seen[c]
		seen[c] = true
		return twice
	})
}
