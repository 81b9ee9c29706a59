package capture

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// The limits of a capture's fields, in code points where they measure text.
const (
	MaxAthletes  = 16
	MaxLabel     = 128 // activity, movement and every dimension
	MaxErrorText = 1024
	MaxSource    = 64
	// what is slower is no motion, and its times could be beyond all numbers; the readers of files hold the
	// same bounds
	MinFPS = 1e-3
	MaxFPS = 1e6
)

// FPS says whether so many frames a second can be.
func FPS(f float64) bool { return f >= MinFPS && f <= MaxFPS }

// dimensionNames is DimensionNames, made once.
var dimensionNames = DimensionNames()

// FromImport reads a capture from a line of an import. A field that is null
// counts as absent, a capture without an id keeps SessionID empty, and one
// without a source has SourceImport. Everything wrong is told at once: the error
// carries every problem with its field.
//
// Values are kept as they are given, so that what was exported elsewhere comes
// back the same; refused is only what could not be stored, shown or asked for.
func FromImport(o payload.Object) (Capture, error) {
	var p fault.Problems
	c := Capture{Source: SourceImport}
	for _, m := range o.Members() {
		switch f := named[m.Name]; {
		case m.Name == "type": // read by whoever chose this noun
		case f == nil:
			p.Add(m.Name, "%s is not a field of a capture", payload.Quote(m.Name))
		case !m.Value.Null():
			f.read(&c, &p, m.Value)
		}
	}
	if s, _ := o.Get("status"); s.Null() {
		p.Add("status", "status is required")
	}
	if err := p.Err(); err != nil {
		return Capture{}, err
	}
	return c, nil
}

func importID(p *fault.Problems, v payload.Value) string {
	if v.Kind() != payload.KindString {
		p.Add("session_id", "session_id must be a string")
		return ""
	}
	id, err := organization.ParseName("session_id", v.String())
	p.Blame("session_id", err)
	return id
}

func importStatus(p *fault.Problems, v payload.Value) string {
	s := v.String()
	if !slices.Contains(Statuses, Status(s)) {
		p.Add("status", "status must be one of awaiting_upload, processing, completed, error")
	}
	return s
}

func importTime(p *fault.Problems, v payload.Value) *time.Time {
	t, ok := ParseTime(v.String())
	if !ok {
		p.Add("capture_time", "capture_time must be an ISO 8601 date and time such as 2026-05-13T12:00:00.000Z")
	}
	return &t
}

func importFPS(p *fault.Problems, v payload.Value) *float64 {
	f, ok := v.Float()
	if !ok || !FPS(f) {
		p.Add("fps_detected", "fps_detected must be a number from 0.001 to 1000000")
	}
	return &f
}

// ReadAthletes reads athlete_ids: at most 16 UUIDs, none twice. Whether there are
// such athletes is for the store to say.
func ReadAthletes(p *fault.Problems, v payload.Value) []string {
	const name = "athlete_ids"
	if v.Kind() != payload.KindArray {
		p.Add(name, "athlete_ids must be an array of athlete ids")
		return nil
	}
	elements := v.Elements()
	if len(elements) > MaxAthletes {
		p.Add(name, "athlete_ids must hold at most %d ids", MaxAthletes)
		return nil
	}
	var ids []string
	for i, e := range elements {
		id, ok := organization.ParseUUID(e.String())
		switch {
		case !ok:
			p.Add(name, "athlete_ids must hold UUIDs of 36 characters (number %d is not one)", i+1)
		case slices.Contains(ids, id):
			p.Add(name, "athlete_ids must not hold an id twice (number %d)", i+1)
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

func importLabel(name string) reader[*string] {
	return func(p *fault.Problems, v payload.Value) *string {
		if v.Kind() != payload.KindString {
			p.Add(name, "%s must be a string", name)
			return nil
		}
		label := v.String()
		if rule := labelRule(label); rule != "" {
			p.Add(name, "%s %s", name, rule)
		}
		return &label
	}
}

// labelRule is the rule that a label breaks. It is measured trimmed, because
// that is how it is asked for, and kept as given.
func labelRule(label string) string {
	trimmed := strings.TrimSpace(label)
	switch {
	case hasControl(label):
		return "must not hold control characters"
	case trimmed == "":
		return "must not be blank"
	case utf8.RuneCountInString(trimmed) > MaxLabel:
		return "must be at most 128 characters long"
	case utf8.RuneCountInString(label) > 2*MaxLabel:
		return "must be at most 256 characters long with the white space around it"
	}
	return ""
}

func importDimensions(p *fault.Problems, v payload.Value) map[string]string {
	if v.Kind() != payload.KindObject {
		p.Add("dimensions", "dimensions must be an object of strings")
		return nil
	}
	var d map[string]string
	for _, m := range v.Object().Members() {
		field := "dimensions." + m.Name
		if _, ok := slices.BinarySearch(dimensionNames, m.Name); !ok {
			p.Add(field, "%s is not a movement dimension", payload.Quote(m.Name))
			continue
		}
		value := m.Value.String()
		switch n := utf8.RuneCountInString(value); {
		case m.Value.Null():
			continue
		case m.Value.Kind() != payload.KindString:
			p.Add(field, "%s must be a string", field)
		case n == 0:
			p.Add(field, "%s must not be empty", field)
		case n > MaxLabel:
			p.Add(field, "%s must be at most %d characters long", field, MaxLabel)
		case hasControl(value):
			p.Add(field, "%s must not hold control characters", field)
		default:
			if d == nil {
				d = map[string]string{}
			}
			d[m.Name] = value
		}
	}
	return d
}

// importError reads the error summary. An empty one says nothing and counts as
// absent. Lines and tabs are kept: summaries are often a program's own output.
func importError(p *fault.Problems, v payload.Value) *string {
	text := v.String()
	switch {
	case v.Kind() != payload.KindString:
		p.Add("error", "error must be a string")
	case utf8.RuneCountInString(text) > MaxErrorText:
		p.Add("error", "error must be at most %d characters long", MaxErrorText)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		p.Add("error", "error must not hold control characters other than line feed and tab")
	case text != "":
		return &text
	}
	return nil
}

func importSource(p *fault.Problems, v payload.Value) string {
	source := v.String()
	switch n := utf8.RuneCountInString(source); {
	case v.Kind() != payload.KindString:
		p.Add("source", "source must be a string")
	case strings.TrimSpace(source) == "":
		p.Add("source", "source must not be blank")
	case n > MaxSource:
		p.Add("source", "source must be at most %d characters long", MaxSource)
	case strings.ContainsFunc(source, func(r rune) bool { return !unicode.IsPrint(r) }):
		p.Add("source", "source must hold printable characters only")
	}
	return source
}

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// ErrorText makes a text fit the error of a capture: one line, of at most
// MaxErrorText code points.
func ErrorText(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(text); len(runes) > MaxErrorText {
		text = string(runes[:MaxErrorText-1]) + "…"
	}
	return text
}
