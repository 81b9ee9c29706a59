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
	metrics []string
	event   string            // the row filter, where it is an event; else ""
	names   *export.Names     // of all recordings
	rows    *export.Names     // of those that have rows
	parts   map[string]string // the columns of channels that are called like a metric
}

func newWanted(r export.Request) *wanted {
	w := &wanted{metrics: r.Metrics, parts: map[string]string{}}
	all := r.Metrics
	if r.RowFilter != export.EveryFrame && r.RowFilter != export.FrameZero {
		w.event = r.RowFilter
		all = append(slices.Clone(all), w.event)
	}
	w.names, w.rows = export.NewNames(all), export.NewNames(w.metrics)
	return w
}

// copy is the state to which a transaction that may run again adds.
func (w *wanted) copy() *wanted {
	c := *w
	c.names, c.rows, c.parts = w.names.Copy(), w.rows.Copy(), maps.Clone(w.parts)
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
	}
}

// found says whether everything was found already. A column that has a suffix for the
// sake of an event is found once all recordings were seen.
func (w *wanted) found() bool {
	for _, name := range w.metrics {
		if !w.names.Columns[name] && !w.names.Events[name] {
			return false
		}
	}
	return w.event == "" || w.names.Events[w.event]
}

// fault names what was not found in any recording; nil when everything was.
func (w *wanted) fault() error {
	var p fault.Problems
	for _, name := range w.metrics {
		const field = "metrics"
		switch {
		case w.names.Columns[name], w.names.Events[name], w.rows.Shows(name):
		case slices.Contains(frames.Reserved, name):
			p.Add(field, "metrics chooses among the captures' own columns: leave %q out, which is one of the first of every row", name)
		case w.parts[name] != "":
			p.Add(field, "%s names %q, which is no column; its columns are %s", field, name, w.parts[name])
		default:
			p.Add(field, "%s names %q, a column that none of the captures has", field, name)
		}
	}
	if w.event != "" && !w.names.Events[w.event] {
		p.Add("row_filter_column", "row_filter_column names %q, an event that none of the captures has", w.event)
	}
	slices.SortFunc(p, func(a, b fault.Problem) int {
		return slices.Compare([]string{a.Field, a.Message}, []string{b.Field, b.Message})
	})
	return p.Err()
}

// rowsOf gives the first frame of a recording that a row filter wants, and how many; or
// why there is none.
func rowsOf(filter string, info frames.Info) (frame, n int64, why string) {
	switch {
	case info.Frames <= 0:
		return 0, 0, "Its recording has no frames."
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
	export.EachColumn(info, func(name string, _ bool, _ *frames.Channel) { channel = channel || name == filter })
	switch name := payload.Quote(filter); {
	case info.Outside(filter):
		return 0, 0, "Its event " + name + " lies outside of the recording."
	case channel:
		return 0, 0, "It has a channel " + name + ", but no event of that name."
	default:
		return 0, 0, "It has no event " + name + "."
	}
}
