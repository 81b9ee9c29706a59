package export

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// The limits of a request's fields.
const (
	MaxRequestAthletes = 10_000
	MaxRequestCaptures = 10_000
	MaxMetrics         = 1_000
	MaxColumnName      = 256
)

// DateMode is which time of a capture a request's range is about.
type DateMode string

// The date modes.
const (
	ByCaptureTime  DateMode = "capture_time"
	ByLastModified DateMode = "last_modified"
)

// EveryFrame and FrameZero are row filters; any other is the name of an event column.
const (
	EveryFrame = ""
	FrameZero  = "frame"
)

// Shape is what a row of an export is about. The zero value is RowPerFrame.
type Shape string

// The shapes.
const (
	RowPerFrame   Shape = "frames"   // a frame of a capture, for an athlete
	RowPerCapture Shape = "captures" // a capture, for an athlete
	RowPerMetric  Shape = "metrics"  // a metric of a capture, for an athlete
	RowPerAthlete Shape = "athletes" // an athlete
)

// Whole says whether a row is about a whole capture, a number of it or an athlete, so that no motion table is read.
func (s Shape) Whole() bool { return s == RowPerCapture || s == RowPerMetric || s == RowPerAthlete }

// Needs is the permission that an export of the shape takes besides those of all exports, to be asked for and to be
// read; "" for none. Other rows tell the names of athletes and nothing else of them.
func (s Shape) Needs() organization.Permission {
	if s == RowPerAthlete {
		return organization.AthletesRead
	}
	return ""
}

// Request says what is to be exported.
type Request struct {
	Start, End *time.Time // half-open; nil: no bound
	Captures   []string   // session ids, none twice; none: all
	Athletes   []string   // lower-case UUIDs, none twice; none: all
	Activity   string     // folded; "" for any
	Movement   string     // the same
	DateMode   DateMode
	Metrics    []string // names of columns to keep, in their order; none: all
	Shape      Shape    `json:",omitempty"`
	RowFilter  string   // EveryFrame, FrameZero or an event column, whose row 0 is kept
}

// requestFields reads each field of a request.
var requestFields = map[string]func(*Request, *fault.Problems, payload.Value){
	"startTime": func(r *Request, p *fault.Problems, v payload.Value) { r.Start = readTime(p, "startTime", v) },
	"endTime":   func(r *Request, p *fault.Problems, v payload.Value) { r.End = readTime(p, "endTime", v) },
	"captures":  (*Request).readCaptures,
	"athletes":  (*Request).readAthletes,
	"activity": func(r *Request, p *fault.Problems,
		v payload.Value) {
		r.Activity = readLabel(p, "activity", v)
	},
	"movement": func(r *Request, p *fault.Problems,
		v payload.Value) {
		r.Movement = readLabel(p, "movement", v)
	},
	"dateMode":          (*Request).readDateMode,
	"metrics":           (*Request).readMetrics,
	"row_filter_column": (*Request).readRowFilter,
	"shape":             (*Request).readShape,
}

// NewRequest reads the body of a request. null counts as absent. The error is a
// fault.BadRequest with every problem of the body.
func NewRequest(body payload.Object) (Request, error) {
	var p fault.Problems
	r := Request{DateMode: ByCaptureTime}
	for _, m := range body.Members() {
		if read, ok := requestFields[m.Name]; !ok {
			p.Add(m.Name, "%s is not a field of an export request; it has %s", payload.Quote(m.Name),
				strings.Join(slices.Sorted(maps.Keys(requestFields)), ", "))
		} else if !m.Value.Null() {
			read(&r, &p, m.Value)
		}
	}
	if r.Start != nil && r.End != nil && !r.Start.Before(*r.End) && len(p) == 0 {
		p.Add("endTime", "endTime must be after startTime")
	}
	if r.Shape == RowPerAthlete {
		r.athletesAlone(&p, body)
	} else if r.Shape.Whole() && r.RowFilter != EveryFrame {
		p.Add("row_filter_column",
			"row_filter_column chooses among frames, and with the shape %s no row is a frame: leave it out, or ask "+
				"for the shape frames", string(r.Shape))
	}
	return r, p.Err()
}

// athletesAlone refuses the fields that choose among captures where a row is an athlete.
func (r *Request) athletesAlone(p *fault.Problems, body payload.Object) {
	for _, m := range body.Members() {
		if _, ok := requestFields[m.Name]; ok && m.Name != "shape" && m.Name != "athletes" && !m.Value.Null() {
			p.Add(m.Name, "%s chooses among captures, and with the shape athletes no row is about one: leave it out",
				m.Name)
		}
	}
}

// milliseconds is from where on a number of a time counts milliseconds: as seconds
// it would be in the year 5138.
const milliseconds = 1e11

// earliest and latest are the first and the last millisecond of the years that a text
// can name, 1 to 9999.
const (
	earliest = -62_135_596_800_000
	latest   = 253_402_300_799_999
)

// ParseTime reads a date and time of ISO 8601, as captures have them, or a date alone,
// which is its first moment in UTC.
func ParseTime(s string) (time.Time, bool) {
	if len(s) == len(time.DateOnly) {
		s += "T00:00:00Z"
	}
	return capture.ParseTime(s)
}

// readTime reads epoch seconds, epoch milliseconds or an ISO 8601 text. It gives nil
// beside a problem.
func readTime(p *fault.Problems, name string, v payload.Value) *time.Time {
	var t time.Time
	ok := false
	switch v.Kind() {
	case payload.KindNumber:
		var f float64
		if f, ok = v.Float(); ok {
			if math.Abs(f) < milliseconds {
				f *= 1000
			}
			f = math.Round(f)
			if f < earliest || f > latest {
				p.Add(name, "%s must be of the years 1 to 9999: a number counts seconds, and from 100,000,000,000 on "+
					"milliseconds", name)
				return nil
			}
			t = time.UnixMilli(int64(f)).UTC()
		}
	case payload.KindString:
		t, ok = ParseTime(v.String())
	default:
	}
	if !ok {
		p.Add(name, "%s must be epoch seconds, epoch milliseconds or an ISO 8601 date or date and time such as "+
			"2026-05-13T12:00:00.000Z", name)
		return nil
	}
	return &t
}

// readCaptures reads the ids of captures as paths have them. A list without any is refused: a program that found no
// capture does not mean all of them.
func (r *Request) readCaptures(p *fault.Problems, v payload.Value) {
	const name = "captures"
	if v.Kind() != payload.KindArray {
		p.Add(name, "captures must be an array of capture ids, not %s", v.Kind().Article())
		return
	}
	elements := v.Elements()
	if len(elements) == 0 || len(elements) > MaxRequestCaptures {
		p.Add(name, "captures must hold 1 to %d ids; leave it out for all captures", MaxRequestCaptures)
		return
	}
	seen := make(map[string]bool, len(elements))
	for i, e := range elements {
		id, err := organization.ParseName(name, e.String())
		if err != nil || e.Kind() != payload.KindString {
			p.Add(name, "captures must hold ids of captures, strings of 1 to 255 characters (number %d is not one)",
				i+1)
			continue
		}
		if !seen[id] {
			seen[id] = true
			r.Captures = append(r.Captures, id)
		}
	}
}

func (r *Request) readAthletes(p *fault.Problems, v payload.Value) {
	const name = "athletes"
	if v.Kind() != payload.KindArray {
		p.Add(name, "athletes must be an array of athlete ids, not %s", v.Kind().Article())
		return
	}
	elements := v.Elements()
	if len(elements) > MaxRequestAthletes {
		p.Add(name, "athletes must hold at most %d ids", MaxRequestAthletes)
		return
	}
	seen := make(map[string]bool, len(elements))
	for i, e := range elements {
		id, ok := organization.ParseUUID(e.String())
		if !ok {
			p.Add(name, "athletes must hold UUIDs of 36 characters (number %d is not one)", i+1)
			continue
		}
		if !seen[id] {
			seen[id] = true
			r.Athletes = append(r.Athletes, id)
		}
	}
}

// readLabel reads a label as the list's filters are read: trimmed, then measured,
// then folded. A blank one filters nothing.
func readLabel(p *fault.Problems, name string, v payload.Value) string {
	if v.Kind() != payload.KindString {
		p.Add(name, "%s must be a string, not %s", name, v.Kind().Article())
		return ""
	}
	label := strings.TrimSpace(v.String())
	if utf8.RuneCountInString(label) > capture.MaxLabel {
		p.Add(name, "%s must be at most %d characters long", name, capture.MaxLabel)
		return ""
	}
	return capture.Fold(label)
}

func (r *Request) readDateMode(p *fault.Problems, v payload.Value) {
	r.DateMode = DateMode(v.String())
	if r.DateMode != ByCaptureTime && r.DateMode != ByLastModified {
		p.Add("dateMode", "dateMode must be capture_time or last_modified")
	}
}

func (r *Request) readMetrics(p *fault.Problems, v payload.Value) {
	const name = "metrics"
	if v.Kind() != payload.KindArray {
		p.Add(name, "metrics must be an array of column names, not %s", v.Kind().Article())
		return
	}
	elements := v.Elements()
	if len(elements) > MaxMetrics {
		p.Add(name, "metrics must hold at most %d names", MaxMetrics)
		return
	}
	seen := map[string]bool{}
	for i, e := range elements {
		if column, ok := readColumn(e); !ok {
			p.Add(name, "metrics must hold names of columns of 1 to %d characters (number %d is not one)",
				MaxColumnName, i+1)
		} else if !seen[column] {
			seen[column] = true
			r.Metrics = append(r.Metrics, column)
		}
	}
}

func (r *Request) readRowFilter(p *fault.Problems, v payload.Value) {
	column, ok := readColumn(v)
	if !ok {
		p.Add("row_filter_column",
			"row_filter_column must be frame or the name of an event column, of 1 to %d characters", MaxColumnName)
	}
	r.RowFilter = column
}

func (r *Request) readShape(p *fault.Problems, v payload.Value) {
	r.Shape = Shape(v.String())
	if r.Shape != RowPerFrame && !r.Shape.Whole() {
		p.Add("shape", "shape must be frames, for a row a frame, captures, for a row a capture and athlete, "+
			"metrics, for a row a metric of these, or athletes, for a row an athlete")
	}
}

func readColumn(v payload.Value) (string, bool) {
	name := v.String()
	n := utf8.RuneCountInString(name)
	return name, n >= 1 && n <= MaxColumnName
}
