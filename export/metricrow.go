package export

import (
	"slices"

	"github.com/kinebase/kinebase/frames"
)

// Where a row is a metric, its own columns are the same in every export. They can be joined with rows of
// frames and of captures by session and athlete.

// MetricRow gives the columns that tell a metric.
func MetricRow() []Column {
	text := func(name string) Column { return Column{Name: name, From: Origin{Text, name}} }
	number := func(name string) Column {
		return Column{Name: name, From: Origin{Number, name}, Wide: true, Metric: true}
	}
	return []Column{text("metric"), number("value"), text("text"), text("unit"), text("source"), text("method"),
		number("method_version"), text("description")}
}

// metricsOf gives the metrics of a recording that are wanted, all where no name is.
func metricsOf(info frames.Info, wanted []string) []frames.MetricColumn {
	return slices.DeleteFunc(info.MetricColumns(), func(m frames.MetricColumn) bool {
		return len(wanted) > 0 && !slices.Contains(wanted, m.Name)
	})
}

// CountMetrics says how many rows a recording has where a row is a metric.
func CountMetrics(info frames.Info, wanted []string) int { return len(metricsOf(info, wanted)) }

// metricRows makes the cells of these rows, in the order of MetricRow.
func metricRows(info frames.Info, wanted []string) (rows [][]cell) {
	for _, m := range metricsOf(info, wanted) {
		var cells []cell
		text := func(place int, s string) {
			if s != "" {
				cells = append(cells, cell{place: place, fixed: &fixed{text: &s}})
			}
		}
		number := func(place int, v float64) {
			cells = append(cells, cell{place: place, fixed: &fixed{number: v, bits: 64}})
		}
		text(0, m.Name)
		if m.Text != nil {
			text(2, *m.Text)
		} else {
			number(1, m.Metric.Value)
		}
		text(3, m.Metric.Unit)
		if m.Method == "" {
			text(4, "file")
		} else {
			text(4, "computed")
			text(5, m.Method)
			number(6, float64(m.Version))
		}
		text(7, m.Metric.Description)
		rows = append(rows, cells)
	}
	return rows
}
