package capture

import (
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/field"
	"github.com/kinebase/kinebase/payload"
)

// line is a field of a capture, and how it is read from a line of an import.
type line struct {
	field.Field[Capture]
	read func(*Capture, *fault.Problems, payload.Value)
}

// rows are the fields of a capture: what an import reads, what is compared, and what the ids of imports are made of,
// in this order. A new row may stand anywhere, but what stands here must keep its order.
var rows = []line{
	text("session_id", importID, func(c *Capture) *string { return &c.SessionID }),
	list("athlete_ids", ReadAthletes, func(c *Capture) *[]string { return &c.AthleteIDs }),
	label("activity", importLabel("activity"), func(c *Capture) **string { return &c.Activity }),
	label("movement", importLabel("movement"), func(c *Capture) **string { return &c.Movement }),
	words("dimensions", importDimensions, func(c *Capture) *map[string]string { return &c.Dimensions }),
	text("status", importStatus, func(c *Capture) *string { return (*string)(&c.Status) }),
	label("error", importError, func(c *Capture) **string { return &c.Error }),
	moment("capture_time", importTime, func(c *Capture) **time.Time { return &c.CaptureTime }),
	real("fps_detected", importFPS, func(c *Capture) **float64 { return &c.FPSDetected }),
	text("source", importSource, func(c *Capture) *string { return &c.Source }),
}

// Fields are all fields of a capture. They must not be changed.
var Fields = field.Of(rows, func(r *line) field.Field[Capture] { return r.Field })

// named finds rows by their names.
var named = field.Index(rows, func(r *line) string { return r.Name })

// reader reads a value of an import, and notes what is wrong with it.
type reader[V any] func(*fault.Problems, payload.Value) V

func reading[V any](read reader[V], at func(*Capture) *V, f field.Field[Capture]) line {
	return line{Field: f, read: func(c *Capture, p *fault.Problems, v payload.Value) { *at(c) = read(p, v) }}
}

func text(name string, read reader[string], at func(*Capture) *string) line {
	return reading(read, at, field.Field[Capture]{Name: name, Text: at})
}

func label(name string, read reader[*string], at func(*Capture) **string) line {
	return reading(read, at, field.Field[Capture]{Name: name, Label: at})
}

func list(name string, read reader[[]string], at func(*Capture) *[]string) line {
	return reading(read, at, field.Field[Capture]{Name: name, List: at})
}

func words(name string, read reader[map[string]string], at func(*Capture) *map[string]string) line {
	return reading(read, at, field.Field[Capture]{Name: name, Map: at})
}

func moment(name string, read reader[*time.Time], at func(*Capture) **time.Time) line {
	return reading(read, at, field.Field[Capture]{Name: name, Moment: at})
}

func real(name string, read reader[*float64], at func(*Capture) **float64) line {
	return reading(read, at, field.Field[Capture]{Name: name, Real: at})
}

// Equal says whether two captures hold the same.
func (c Capture) Equal(o Capture) bool { return field.Same(Fields, &c, &o) }
