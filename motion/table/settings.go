package table

import (
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/units"
)

// settings is what the lines above the names say of the whole table.
type settings struct {
	rates    rates
	length   string // unit of positions; "" where none is stated
	recorded recorded
	euler    bool // rotations are angles in degrees
}

// settings reads what stands above the rows: a name and a value in cells side by side,
// in one cell with a sign between them, or below each other in two lines.
func (s *source) settings(first int) settings {
	var out settings
	for i := range s.head[:first] {
		h := &s.head[i]
		var cells []string
		for _, cell := range h.cells {
			cells = append(cells, label.Clean(cell))
		}
		out.rates.stated(cells)
		out.rates.below(s.head[:i], h)
		if len(h.shape.kinds) == 1 {
			name, value, ok := cut(cells[0])
			if !ok {
				continue
			}
			cells = []string{name, value}
		}
		for c := 0; c+1 < len(cells); c++ {
			value, unit := cells[c+1], ""
			if c+2 < len(cells) {
				unit = cells[c+2]
			}
			name := strings.Trim(cells[c], " :=")
			out.rates.note(name, value, unit)
			out.note(strings.ToLower(name), value)
			out.recorded.note(strings.ToLower(name), value, unit)
		}
	}
	return out
}

// cut takes a setting apart that stands in one cell.
func cut(text string) (name, value string, ok bool) {
	at := strings.IndexAny(text, ":=")
	if at < 1 {
		return "", "", false
	}
	return text[:at], strings.TrimSpace(text[at+1:]), true
}

// note takes one setting into account.
func (o *settings) note(name, value string) {
	switch {
	case name == "units" || name == "unit" || strings.HasSuffix(name, "length units") || strings.HasSuffix(name, "length unit") || strings.HasSuffix(name, "position units") || strings.HasSuffix(name, "position unit"):
		if _, ok := units.Metres(value); ok {
			o.length = value
		}
	case name == "rotation type":
		o.euler = !strings.Contains(strings.ToLower(value), "quat")
	}
}
