package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/units"
)

// settings is what the lines above the names say of the whole table.
type settings struct {
	rates    rates
	length   string // unit of positions; "" where none is stated
	recorded recorded
	euler    bool     // rotations are angles in degrees
	timed    bool     // the column X_Value has times
	counts   []int    // of the rows
	scaling  []string // settings that ask to multiply or shift numbers, as the file writes them
}

// counting are the names of settings that count the rows of the very file.
var counting = []string{"no_of_frames", "no_of_samples", "total exported frames", "number of frames",
	"number of samples", "num frames", "numframes", "no. of frames", "no of frames", "frame count", "framecount"}

// tellCounts warns of settings that count other rows than there are. Where one of several is right,
// the others are of something else.
func (o *settings) tellCounts(rows int, w *quality.Warnings) {
	if len(o.counts) > 0 && !slices.Contains(o.counts, rows) {
		w.Add(quality.FramesDisagree, "The lines above the names count %s frames, but the table has %s.",
			quality.Thousands(int64(o.counts[0])), quality.Thousands(int64(rows)))
	}
}

// scaling is a name of a setting that asks to multiply numbers, or to shift them.
var scaling = regexp.MustCompile(`(?i)\b(?:scale|scaling|scalefactor|scale_factor|multiplier|multiply|gain|` +
	`amplification|sensitivity|factor|offset)\b`)

// full are names of settings that have such a word in them and are about a range.
var full = regexp.MustCompile(`(?i)full[ _-]?scale|time[ _-]?scale|date|time`)

// unchanged are values of such settings that change nothing.
var unchanged = regexp.MustCompile(`(?i)^(?:[+-]?0+(?:[.,]0+)?(?: ?dB)?|1(?:[.,]0+)?(?: ?x)?|x ?1|100(?:[.,]0+)? ?%)$`)

// noteScaling notes a setting that asks to multiply or shift numbers, with one value for all or one for each column,
// but for one that changes nothing.
func (o *settings) noteScaling(name string, values []string) {
	if len(name) > mostOfScaling || !scaling.MatchString(name) || full.MatchString(name) {
		return
	}
	for _, value := range values {
		if value = strings.TrimSpace(value); !strings.ContainsAny(value, "0123456789") {
			return
		}
		if !unchanged.MatchString(value) {
			o.scaling = append(o.scaling, name+": "+value)
			return
		}
	}
}

// mostOfScaling is how long such a name is at the most: a sentence is none.
const mostOfScaling = 40

// tellScaling warns of settings that ask to multiply or shift numbers: whether the file's numbers are from before or
// after that, and which of them it concerns, is not known.
func (o *settings) tellScaling(w *quality.Warnings) {
	if len(o.scaling) > 0 {
		w.Add(quality.ScaleIgnored,
			"The lines above the names say %q; numbers were kept as the file has them, for it does not say whether "+
				"they are multiplied already.", o.scaling[0])
	}
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
		out.summary(s.head[:i], h)
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
			out.noteScaling(strings.Trim(strings.ToLower(name), "#% "), cells[c+1:])
			out.recorded.note(strings.ToLower(name), value, unit)
		}
	}
	return out
}

// summary takes a line of values into account that stands right below a line of names, as
// those of a whole training session do: Name, Date, Start time, Duration.
func (o *settings) summary(above []headLine, h *headLine) {
	if len(above) == 0 || h.shape.count[word] == 0 || h.shape.count[numeral]+h.shape.count[clocked] == 0 {
		return
	}
	names := &above[len(above)-1]
	if len(names.shape.kinds) < max(3, len(h.shape.kinds)) || names.shape.filled() != names.shape.count[word] {
		return
	}
	for c := range h.shape.kinds {
		name, beside := strings.ToLower(label.Clean(names.cells[c])), ""
		if c+1 < len(h.shape.kinds) {
			if _, ok := recordingName(strings.ToLower(label.Clean(names.cells[c+1]))); ok {
				beside = label.Clean(h.cells[c+1])
			}
		}
		o.recorded.note(name, label.Clean(h.cells[c]), beside)
	}
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
	case name == "units" || name == "unit" || strings.HasSuffix(name, "length units") ||
		strings.HasSuffix(name, "length unit") || strings.HasSuffix(name, "position units") ||
		strings.HasSuffix(name, "position unit"),
		name == "measure unit" || name == "measurement unit" || name == "measurement units" || name == "marker units" ||
			name == "coordinate units":
		if _, ok := units.Metres(value); ok {
			o.length = value
		}
	case name == "x_dimension": // of LabVIEW, whose first column is called X_Value
		o.timed = strings.EqualFold(value, "time")
	case slices.Contains(counting, name):
		if n, ok := small(value, 999_999_999); ok && n > 0 {
			o.counts = append(o.counts, int(n))
		}
	case name == "rotation type":
		o.euler = !strings.Contains(strings.ToLower(value), "quat")
	}
}
