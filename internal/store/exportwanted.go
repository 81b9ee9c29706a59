package store

import (
	"maps"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/payload"
)

// wanted is what a request names, looked for in recordings.
type wanted struct {
	shape   export.Shape
	metrics []string
	event   string            // the row filter, where it is an event; else ""
	names   *export.Names     // of all recordings
	rows    *export.Names     // of those that have rows
	parts   map[string]string // the columns of channels that are called like a metric
	moving  map[string]bool   // metrics that are columns of channels, which rows of captures lack
}

func newWanted(r export.Request) *wanted {
	w := &wanted{shape: r.Shape, metrics: r.Metrics, parts: map[string]string{}, moving: map[string]bool{}}
	all := r.Metrics
	if r.RowFilter != export.EveryFrame && r.RowFilter != export.FrameZero {
		w.event = r.RowFilter
		all = append(slices.Clone(all), w.event)
	}
	w.names, w.rows = export.NewNames(r.Shape, all), export.NewNames(r.Shape, w.metrics)
	return w
}

// copy is the state to which a transaction that may run again adds.
func (w *wanted) copy() *wanted {
	c := *w
	c.names, c.rows, c.parts, c.moving = w.names.Copy(), w.rows.Copy(), maps.Clone(w.parts), maps.Clone(w.moving)
	return &c
}

// see takes the names of a recording, of which there are rows or not.
func (w *wanted) see(info frames.Info, rows bool) {
	if len(w.metrics) == 0 && w.event == "" {
		return
	}
	if w.names.Add(info); rows && len(w.metrics) > 0 {
		w.rows.Add(info)
	}
	for _, c := range info.Channels {
		if slices.Contains(w.metrics, c.Name) {
			w.parts[c.Name] = strings.Join(c.Columns, ", ")
		}
		for _, name := range c.Columns {
			if w.shape.Whole() && slices.Contains(w.metrics, name) {
				w.moving[name] = true
			}
		}
	}
}

// found says whether everything was found already. A column that has a suffix for the
// sake of an event is found once all recordings were seen.
func (w *wanted) found() bool {
	for _, name := range w.metrics {
		if !w.names.HasPlain(name) {
			return false
		}
	}
	return w.event == "" || w.hasEvent()
}

func (w *wanted) hasEvent() bool {
	return w.names.Has(export.Origin{Kind: export.Event, Name: w.event})
}

// fault names what was not found in any recording; nil when everything was.
func (w *wanted) fault() error {
	var p fault.Problems
	for _, name := range w.metrics {
		const field = "metrics"
		switch {
		case w.names.HasPlain(name), w.rows.Shows(name):
		case slices.Contains(frames.Reserved, name), w.shape.Leads(name):
			p.Add(field, "metrics chooses among the captures' own columns: leave %q out, which is one of the first "+
				"of every row", name)
		case w.moving[name], w.shape.Whole() && w.parts[name] != "":
			p.Add(field, "%s names %q, which has numbers of each frame: with the shape %s only what is about whole "+
				"captures is there", field, name, string(w.shape))
		case w.parts[name] != "":
			p.Add(field, "%s names %q, which is no column; its columns are %s", field, name, w.parts[name])
		default:
			p.Add(field, "%s names %q, a column that none of the captures has", field, name)
		}
	}
	if w.event != "" && !w.hasEvent() {
		p.Add("row_filter_column", "row_filter_column names %q, an event that none of the captures has", w.event)
	}
	slices.SortFunc(p, func(a, b fault.Problem) int {
		return slices.Compare([]string{a.Field, a.Message}, []string{b.Field, b.Message})
	})
	return p.Err()
}

// rowsOf gives the first frame of a recording that a request wants, and how many rows; or
// why there is none.
func rowsOf(r export.Request, info frames.Info) (frame, n int64, why string) {
	filter := r.RowFilter
	switch {
	case info.Frames <= 0:
		return 0, 0, "Its recording has no frames."
	case r.Shape == export.RowPerMetric:
		if n := export.CountMetrics(info, r.Metrics); n > 0 {
			return 0, int64(n), ""
		}
		return 0, 0, "It has no metrics that were asked for."
	case r.Shape.Whole():
		return 0, 1, ""
	case filter == export.EveryFrame:
		return 0, int64(info.Frames), ""
	case filter == export.FrameZero:
		return 0, 1, ""
	}
	for _, e := range info.EventColumns() {
		if e.Name == filter {
			return int64(e.Frame), 1, ""
		}
	}
	channel := false
	export.EachColumn(r.Shape, info, func(o export.Origin, _ *frames.Channel) { channel = channel || o.Name == filter })
	switch name := payload.Quote(filter); {
	case info.Outside(filter):
		return 0, 0, "Its event " + name + " lies outside of the recording."
	case channel:
		return 0, 0, "It has a channel " + name + ", but no event of that name."
	default:
		return 0, 0, "It has no event " + name + "."
	}
}
