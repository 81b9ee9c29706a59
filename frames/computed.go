package frames

import "slices"

// Computed is what was found in a recording by the definitions of the library of
// movements: each of its columns has a value, or a reason why not.
type Computed struct {
	Library string `json:"library"` // version of the library
	// version of the organization's names of points; "" where it has none
	Landmarks string           `json:"landmarks,omitempty"`
	Reason    *Reason          `json:"reason,omitempty"` // why there are no columns; nil where there are
	Events    []ComputedEvent  `json:"events"`           // in the order of time
	Metrics   []ComputedMetric `json:"metrics"`          // in the order of the library
	Withheld  []Withheld       `json:"withheld"`
	Used      Used             `json:"used"`
}

// Differences are the columns of which a value, an event or a text is another, or is there only
// before or only after, by whatever method; nil is nothing found.
func (c *Computed) Differences(after *Computed) (columns []string) {
	old, values := c.values(), after.values()
	for column, v := range values {
		if was, ok := old[column]; !ok || was != v {
			columns = append(columns, column)
		}
	}
	for column := range old {
		if _, ok := values[column]; !ok {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	return columns
}

// WithoutEvents is what was found of the recording as a whole; nil of nothing.
func (c *Computed) WithoutEvents() *Computed {
	if c == nil {
		return nil
	}
	metrics := *c
	metrics.Events = nil
	return &metrics
}

// found is a value, without how it was found.
type found struct {
	frame       int
	value       float64
	text, unit  string
	event, some bool
}

// values are those that were found, by their columns.
func (c *Computed) values() map[string]found {
	all := map[string]found{}
	if c == nil {
		return all
	}
	for _, e := range c.Events {
		all[e.Column] = found{frame: e.Frame, value: e.Time, event: true}
	}
	for _, m := range c.Metrics {
		v := found{unit: m.Unit}
		if m.Value != nil {
			v.value, v.some = *m.Value, true
		}
		if m.Text != nil {
			v.text = *m.Text
		}
		all[m.Column] = v
	}
	return all
}

// Reason is why nothing can be found in a recording.
type Reason struct {
	Code    string `json:"code"` // a stable name
	Message string `json:"message"`
}

// ComputedEvent is a moment that was found.
type ComputedEvent struct {
	Column  string  `json:"column"`
	Frame   int     `json:"frame"` // the row nearest in time
	Time    float64 `json:"time"`  // seconds, on the clock of the recording
	Method  string  `json:"method"`
	Version int     `json:"version"`
}

// ComputedMetric is a value of the whole recording that was found: a number, or a text.
type ComputedMetric struct {
	Column  string   `json:"column"`
	Value   *float64 `json:"value"`
	Text    *string  `json:"text"`
	Unit    string   `json:"unit"`
	Method  string   `json:"method"`
	Version int      `json:"version"`
}

// Withheld is a column without a value, and why.
type Withheld struct {
	Column  string `json:"column"`
	Code    string `json:"code"` // a stable name of the reason
	Message string `json:"message"`
}

// Used is what the values rest on, so that anybody can find them again.
type Used struct {
	// where the vertical force is from: force plates, channels, opensim; "" for nowhere
	Force    string   `json:"force"`
	Channels []string `json:"channels"` // of the vertical force
	// what was taken off as the offset of the platforms: flight, file; "" for nothing
	Zero     string `json:"zero"`
	Weighing *Span  `json:"weighing"` // the time of standing still
	// MarkerSet is how the points of the body are called, Landmarks the points of each landmark
	// that was used, and Up the axis that was taken to point upwards; "" and nil where no points
	// were needed.
	MarkerSet string              `json:"marker_set"`
	Landmarks map[string][]string `json:"landmarks"`
	Up        string              `json:"up"`
	Notes     []string            `json:"notes"` // what was done with the recording, in sentences
}

// Span is a time from one moment to another, in seconds on the clock of the recording.
type Span struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}
