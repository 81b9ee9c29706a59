package table

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// LabVIEW writes what it knows of the channels in lines above their names, a cell for each, and the
// times in a column X_Value, in one for each channel, or not at all:
//
//	Y_Unit_Label	Volts	N
//	X_Dimension	Time	Time
//	Delta_X	0.001	0.001
//	***End_of_Header***
//	X_Value	EMG	Force	Comment
//	0	1.5	2.5

// labVIEW gives the columns of a table of LabVIEW the units that stand above them, and says which
// of them are times.
func (s *source) labVIEW(l *layout) error {
	xs := 0
	var channels []int
	for c, name := range l.names {
		switch strings.ToLower(name) {
		case "x_value":
			xs++
		case "comment", "":
		default:
			channels = append(channels, c)
		}
	}
	if xs == 0 || len(channels) == 0 || !s.isLabVIEW(l.first) {
		return nil
	}
	about := s.aboutChannels(l.first)
	for k, c := range channels {
		if own := about["y_unit_label"]; len(own) == len(channels) && l.units[c] == "" {
			l.units[c] = own[k]
		}
	}
	dimensions, deltas := about["x_dimension"], about["delta_x"]
	if len(dimensions) == 0 ||
		slices.ContainsFunc(dimensions, func(d string) bool { return !strings.EqualFold(d, "time") }) {
		return nil
	}
	if s.isEmpty(l, 0) && xs == 1 { // the rows have no times
		if len(deltas) == 0 {
			return nil
		}
		if slices.ContainsFunc(deltas, func(d string) bool { return d != deltas[0] }) {
			return &quality.Unreadable{
				Reason: "The channels have different times from one sample to the next, and the rows have no times",
				Line:   l.line, Hint: "Export the table with a column of times for each channel.",
			}
		}
		l.drop(0)
		l.settings.rates.add(rateName{of: ofExport, period: true}.ratesOf(deltas[0]+" s", "")...)
		return nil
	}
	for c, name := range l.names {
		if strings.EqualFold(name, "x_value") {
			l.names[c], l.units[c] = "time", "s"
		}
	}
	return nil
}

// labVIEWSeparator is what sets cells apart by the settings of LabVIEW, 0 where none says so.
func (s *source) labVIEWSeparator() byte {
	if len(s.head) == 0 || !bytes.HasPrefix(bytes.TrimLeft(s.head[0].text, `" `), []byte("LabVIEW Measurement")) {
		return 0
	}
	for _, l := range s.head {
		name, value, _ := strings.Cut(strings.Map(func(r rune) rune {
			if strings.ContainsRune(",;\t", r) {
				return ' '
			}
			return r
		}, string(l.text)), " ")
		if name != "Separator" {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(value)) {
		case "tab":
			return '\t'
		case "comma":
			return ','
		case "semicolon":
			return ';'
		}
	}
	return 0
}

// isLabVIEW says whether the lines above a row say that LabVIEW wrote the table.
func (s *source) isLabVIEW(first int) bool {
	return slices.ContainsFunc(s.head[:first], func(h headLine) bool {
		return len(h.cells) > 0 && strings.EqualFold(label.Clean(h.cells[0]), "***End_of_Header***")
	})
}

// aboutChannels gives the cells behind the names of settings, in small letters, without empty ones.
func (s *source) aboutChannels(first int) map[string][]string {
	about := map[string][]string{}
	for i := range s.head[:first] {
		texts := s.texts(i)
		if len(texts) < 2 {
			continue
		}
		about[strings.ToLower(texts[0])] = slices.DeleteFunc(texts[1:], func(text string) bool { return text == "" })
	}
	return about
}

// isEmpty says whether a column has no cell with anything in it.
func (s *source) isEmpty(l *layout, column int) bool {
	return !slices.ContainsFunc(s.rows(l.first), func(h headLine) bool { return len(cell(h.cells, column)) > 0 })
}

// drop leaves a column out.
func (l *layout) drop(column int) {
	for len(l.dropped) <= column {
		l.dropped = append(l.dropped, false)
	}
	l.dropped[column] = true
}
