package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// settings is what the lines above the names say of the whole table.
type settings struct {
	rates    []float64 // that the file states, each once, that of the export first
	length   string    // unit of positions; "" where none is stated
	chosen   bool      // the first of the rates is that of the export
	recorded recorded
	euler    bool // rotations are angles in degrees
}

// settings reads what stands above the rows: a name and a value in cells side by side,
// or in one cell with a colon between them.
func (s *source) settings(first int) settings {
	var out settings
	for i := range s.head[:first] {
		h := &s.head[i]
		var cells []string
		for _, cell := range h.cells {
			cells = append(cells, label.Clean(cell))
		}
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
			name := strings.ToLower(strings.Trim(cells[c], " :="))
			out.note(name, value, unit)
			out.recorded.note(name, value, unit)
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
func (o *settings) note(name, value, unit string) {
	switch {
	case isRateName(name):
		if rate, ok := rateOf(value, unit, name); ok {
			switch at := slices.Index(o.rates, rate); {
			case strings.Contains(name, "export"):
				o.rates, o.chosen = slices.Insert(o.rates, 0, rate), true
			case at < 0:
				o.rates = append(o.rates, rate)
			}
		}
	case name == "units" || name == "unit" || strings.HasSuffix(name, "length units") || strings.HasSuffix(name, "length unit") || strings.HasSuffix(name, "position units") || strings.HasSuffix(name, "position unit"):
		if _, ok := units.Metres(value); ok {
			o.length = value
		}
	case name == "rotation type":
		o.euler = !strings.Contains(strings.ToLower(value), "quat")
	}
}

// isRateName says whether a setting is the rate of the rows.
func isRateName(name string) bool {
	if bare, unit := unitOf(name); strings.EqualFold(unit, "hz") || strings.EqualFold(unit, "khz") {
		name = bare
	}
	name = strings.NewReplacer("_", " ", "-", " ").Replace(name)
	for _, other := range []string{"cut", "filter", "pass", "heart", "baud", "bit", "analog", "video", "drop", "refresh", "respiratory"} {
		if strings.Contains(name, other) {
			return false
		}
	}
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > 4 {
		return false
	}
	switch last := words[len(words)-1]; last {
	case "fps", "hz", "rate", "frequency", "freq", "samplerate", "framerate", "outputrate", "updaterate", "samplefrequency", "samplingrate", "abtastrate", "messfrequenz", "frequenz":
		return true
	}
	return false
}

// rateOf reads a rate with or without its unit.
func rateOf(value, unit, name string) (float64, bool) {
	digits := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/ ")
	if own := strings.TrimSpace(value[len(digits):]); own != "" {
		unit = own
	}
	_, inName := unitOf(name)
	times := 1.0
	switch strings.ToLower(unit) {
	case "khz":
		times = 1e3
	case "ms", "s", "bpm", "%", "min":
		return 0, false
	default:
		if strings.EqualFold(inName, "khz") {
			times = 1e3
		}
	}
	var n numerals
	rate, ok := n.number([]byte(strings.TrimSpace(digits)), -1)
	rate *= times
	return rate, ok && record.Usable(rate)
}
