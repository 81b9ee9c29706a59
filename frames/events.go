package frames

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/label"
)

// EventColumn is an event as a column: the frame at which it lies. Its numbers are
// those of the frames counted from it, 0 at it.
type EventColumn struct {
	Name  string
	Frame int
}

// EventColumns gives the events of a recording that lie within it, each under a name
// of its own: context and label in small letters, with underscores between words
// ("left_foot_strike"). An event that comes again has the suffix _2, _3 and so on, in
// the order of time. A column of the recording that is called so keeps its name.
func (i Info) EventColumns() []EventColumn {
	events := slices.DeleteFunc(slices.Clone(i.Events), func(e Event) bool { return e.Frame == nil })
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Time, b.Time) })
	names := slices.Clone(Reserved)
	for _, c := range i.Channels {
		names = append(names, c.Columns...)
	}
	taken := len(names)
	for _, e := range events {
		words := e.Label
		if e.Context != "" && !strings.EqualFold(e.Context, "general") {
			words = e.Context + " " + words
		}
		names = append(names, snake(words))
	}
	names, _, _ = label.Distinct(names, len(names))
	list := make([]EventColumn, len(events))
	for n, e := range events {
		list[n] = EventColumn{names[taken+n], *e.Frame}
	}
	return list
}

// snake writes a label in small letters with single underscores for everything that
// is neither a letter nor a digit.
func snake(label string) string {
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "event"
	}
	return strings.Join(words, "_")
}
