package frames

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/label"
)

// EventColumn is an event as a column: the frame at which it lies, and its time in seconds on
// the clock of the recording. In a table of frames its numbers are those of the frames counted
// from it, 0 at it.
type EventColumn struct {
	Name  string
	Frame int
	Time  float64
}

// EventColumns gives the events of a recording that lie within it, each under a name
// of its own: context and label in small letters, with underscores between words
// ("left_foot_strike"). An event that comes again has the suffix _2, _3 and so on, in
// the order of time. The names are those of the events alone, so that a name means the
// same in every recording, whatever its other columns are called. Behind them come the events
// that were computed, but those that the file has one of the same name of.
func (i Info) EventColumns() []EventColumn {
	events := slices.DeleteFunc(slices.Clone(i.Events), func(e Event) bool { return e.Frame == nil })
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Time, b.Time) })
	names := slices.Clone(Reserved)
	for _, e := range events {
		names = append(names, e.column())
	}
	names, _, _ = label.Distinct(names, len(names))
	list := make([]EventColumn, len(events))
	for n, e := range events {
		list[n] = EventColumn{names[len(Reserved)+n], *e.Frame, e.Time}
	}
	if i.Computed != nil { // the file's own event of a name wins
		for _, e := range i.Computed.Events {
			if !slices.Contains(names, e.Column) {
				list = append(list, EventColumn{e.Column, e.Frame, e.Time})
			}
		}
	}
	return list
}

// Outside says whether the recording has an event that its column would be called so,
// but that lies outside of it.
func (i Info) Outside(name string) bool {
	return slices.ContainsFunc(i.Events, func(e Event) bool { return e.Frame == nil && e.column() == name })
}

// column is the name of the event's column, where no other event has it.
func (e Event) column() string { return snake(e.Context, e.Label, "event") }

// MetricColumn is a metric as a column, in which every frame has the same number, or the same
// text.
type MetricColumn struct {
	Name   string
	Metric Metric
	Text   *string // nil for a number, which is Metric.Value

	Method  string // by which it was computed; "" for one of the file
	Version int    // of the method
}

// MetricColumns gives the metrics, in the order of the file, each under a name of its
// own, which is made as that of an event is ("left_cadence"). Columns of the recording
// that are called so keep their names. Behind them come the numbers and texts that were computed, but
// those that the file has a metric of the same name of; one that a column of the recording is
// called like has a suffix, as a metric of the file has.
func (i Info) MetricColumns() []MetricColumn {
	names := slices.Clone(Reserved)
	for _, c := range i.Channels {
		names = append(names, c.Columns...)
	}
	taken := len(names)
	for _, m := range i.Metrics {
		names = append(names, snake(m.Context, m.Name, "metric"))
	}
	own := slices.Clone(names[taken:])
	names, _, _ = label.Distinct(names, len(names))
	metrics := make([]MetricColumn, len(i.Metrics))
	for n, m := range i.Metrics {
		metrics[n] = MetricColumn{Name: names[taken+n], Metric: m}
	}
	if i.Computed == nil {
		return metrics
	}
	var found []ComputedMetric
	for _, m := range i.Computed.Metrics {
		if (m.Value != nil || m.Text != nil) && !slices.Contains(own, m.Column) {
			// the file's own metric of a name wins
			found, names = append(found, m), append(names, m.Column)
		}
	}
	names, _, _ = label.Distinct(names, len(names))
	for n, m := range found {
		c := MetricColumn{
			Name:   names[len(names)-len(found)+n],
			Metric: Metric{Name: m.Column, Unit: m.Unit, Description: foundBy(m.Method, m.Version, i.Computed.Library)},
			Text:   m.Text, Method: m.Method, Version: m.Version,
		}
		if m.Value != nil {
			c.Metric.Value, c.Text = *m.Value, nil
		}
		metrics = append(metrics, c)
	}
	return metrics
}

// foundBy says by which version of a method a value was found, and of the library.
func foundBy(method string, version int, library string) string {
	return fmt.Sprintf("computed by %s version %d of library %s", method, version, library)
}

// snake writes a side and a label in small letters with single underscores for
// everything that is neither a letter nor a digit; without any it is what it is.
func snake(context, label, what string) string {
	if context != "" && !strings.EqualFold(context, "general") {
		label = context + " " + label
	}
	words := strings.FieldsFunc(strings.ToLower(label),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return what
	}
	return strings.Join(words, "_")
}
