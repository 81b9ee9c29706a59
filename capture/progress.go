package capture

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
)

// An athlete's progress is the metrics of the completed captures, the oldest one first, so that a
// program plots them as they come.

// ProgressQuery asks for a page of an athlete's progress.
type ProgressQuery struct {
	AthleteID string // a lower-case UUID
	Activity  string // folded; "" for any
	Movement  string // folded; "" for any
	Captured  Range
	Metrics   []string // names of those that rows have; nil for all
	Limit     int      // 1..500
	Offset    int64
}

// Filter is what the captures of the query have in common.
func (q *ProgressQuery) Filter() Filter {
	return Filter{Status: Completed, Activity: q.Activity, Movement: q.Movement}
}

// Bounds of a list of metrics.
const (
	mostMetrics   = 1000
	longestMetric = 256
)

// ParseMetrics reads names of metrics with commas between them. White space around a name does
// not count, and a name twice counts once.
func ParseMetrics(s string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		if name == "" || len([]rune(name)) > longestMetric {
			return nil, fault.New(fault.BadRequest,
				"metric takes names of 1 to %d characters, with commas between them.", longestMetric)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > mostMetrics {
			return nil, fault.New(fault.BadRequest, "metric takes at most %d names.", mostMetrics)
		}
	}
	return names, nil
}

// AppendProgressRow appends the ready row of a capture with its metrics behind its own fields.
func (q *ProgressQuery) AppendProgressRow(b, row []byte, activity, name *string, m frames.Measured) ([]byte, error) {
	var library *string
	if m.Computed != nil {
		library = &m.Computed.Library
	}
	b = appendText(append(append(b, row[:len(row)-1]...), `,"library":`...), library)
	b = append(b, `,"metrics":{`...)
	first := true
	for _, f := range m.Findings(metricsOf(activity, name)) {
		if q.Metrics != nil && !slices.Contains(q.Metrics, f.Name) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		raw, err := json.Marshal(wireOf(&f))
		if err != nil {
			return nil, err
		}
		b = append(append(appendString(b, f.Name), ':'), raw...)
	}
	return append(b, "}}"...), nil
}

// AppendProgress appends the answer around ready rows; total is how many there are in all.
func (q *ProgressQuery) AppendProgress(b []byte, rows [][]byte, total int64) []byte {
	b = AppendPage(b, rows, total, total, Query{Limit: q.Limit, Offset: q.Offset})
	return append(organization.AppendNextOffset(b[:len(b)-1], q.Offset, int64(len(rows)), total), '}')
}

// wireMetric is a metric on the wire.
type wireMetric struct {
	Value    *float64 `json:"value"`
	Text     *string  `json:"text"`
	Unit     string   `json:"unit"`
	Source   string   `json:"source"` // computed, or file
	Method   *string  `json:"method"`
	Version  *int     `json:"version"`
	Withheld *string  `json:"withheld"` // the code of the reason
	Message  *string  `json:"message"`
}

func wireOf(f *frames.Finding) wireMetric {
	w := wireMetric{Value: f.Value, Text: f.Text, Unit: f.Unit, Source: "computed"}
	switch {
	case f.Own:
		w.Source = "file"
	case f.Withheld != nil:
		w.Withheld, w.Message = &f.Withheld.Code, &f.Withheld.Message
	default:
		w.Method, w.Version = &f.Method, &f.Version
	}
	return w
}

// metricsOf says of the columns of a movement which are metrics, and their units.
func metricsOf(activity, name *string) func(string) (string, bool) {
	var found *movement.Movement
	if activity != nil && name != nil {
		found = movement.Read().Find(Fold(*activity), Fold(*name))
	}
	return func(column string) (string, bool) {
		if found == nil {
			return "", false
		}
		c := found.Column(column)
		if c == nil || c.Kind != movement.Metric {
			return "", false
		}
		return c.Unit, true
	}
}
