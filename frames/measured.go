package frames

import (
	"slices"

	"github.com/go-json-experiment/json"
)

// Measured is the part of an [Info] that is about the recording as a whole: its metrics, and what
// was computed. It is kept beside the Info, which may be a hundred times as long, so that many
// recordings can be compared.
type Measured struct {
	Metrics  []Metric  `json:"metrics"`
	Computed *Computed `json:"computed"` // without events and without what it rests on
}

// ParseMeasured reads one, or the part of an Info; nothing is a recording that says nothing.
func ParseMeasured(raw []byte) (m Measured, err error) {
	if len(raw) == 0 {
		return m, nil
	}
	err = json.Unmarshal(raw, &m)
	return m, err
}

// Shorten gives the part of an Info that ParseMeasured reads; nil where there is none.
func Shorten(info []byte) []byte {
	m, err := ParseMeasured(info)
	if err != nil || len(m.Metrics) == 0 && m.Computed == nil {
		return nil
	}
	if c := m.Computed; c != nil {
		m.Computed = &Computed{Library: c.Library, Metrics: c.Metrics, Withheld: c.Withheld}
	}
	short, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return short
}

// Finding is a metric under its name: a number, a text, or the reason why there is neither.
type Finding struct {
	Name     string
	Own      bool // the file has it; else it was computed
	Value    *float64
	Text     *string
	Unit     string
	Method   string
	Version  int
	Withheld *Withheld
}

// Findings gives every metric under a name of its own. Those of the file come first, named as
// [Info.MetricColumns] names them where no channel is called so; what was computed and what was
// withheld follows, unless the file has a metric of that name. Of a column that was withheld,
// metric says whether it is a metric and what its unit is.
func (m Measured) Findings(metric func(column string) (unit string, ok bool)) []Finding {
	var list []Finding
	for _, own := range (Info{Metrics: m.Metrics}).MetricColumns() {
		list = append(list, Finding{Name: own.Name, Own: true, Value: &own.Metric.Value, Unit: own.Metric.Unit})
	}
	if m.Computed == nil {
		return list
	}
	own := len(list)
	add := func(f Finding) {
		if !slices.ContainsFunc(list[:own], func(o Finding) bool { return o.Name == f.Name }) {
			list = append(list, f)
		}
	}
	for _, c := range m.Computed.Metrics {
		add(Finding{Name: c.Column, Value: c.Value, Text: c.Text, Unit: c.Unit, Method: c.Method, Version: c.Version})
	}
	for i := range m.Computed.Withheld {
		w := &m.Computed.Withheld[i]
		if unit, ok := metric(w.Column); ok {
			add(Finding{Name: w.Column, Unit: unit, Withheld: w})
		}
	}
	return list
}
