package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
)

// LabChart writes no line of names, but settings whose names end with an equals sign, and below
// them rows that begin with a time:
//
//	Interval=	0.001 s
//	ChannelTitle=	EMG	Force
//	UnitName=	mV	N
//	0.000	1.5	2.5

// labChart takes the titles of channels for the names of the columns behind that of the time, if
// there are as many.
func (s *source) labChart(l *layout) bool {
	titles, unit, interval := -1, -1, false
	for i := range s.head[:l.first] {
		if len(s.head[i].cells) == 0 {
			continue
		}
		switch strings.ToLower(label.Clean(s.head[i].cells[0])) {
		case "channeltitle=":
			titles = i
		case "unitname=":
			unit = i
		case "interval=":
			interval = true
		}
	}
	first, above := l.first, s.above(l.first)
	for above > titles && len(s.head[above].shape.kinds) > 1 && (s.head[above].shape.kinds[0] == numeral ||
		s.head[above].shape.kinds[0] == clocked) { // past rows with comments
		first, above = above, s.above(above)
	}
	if titles < 0 || !interval || above < 0 || !strings.HasSuffix(label.Clean(s.head[above].cells[0]), "=") {
		return false
	}
	names := s.texts(titles)[1:]
	n, width := len(names)+1, 0
	for _, h := range s.head[first:] { // a comment may stand behind the numbers of a row
		k := h.shape.kinds
		if len(k) == 0 || k[0] != numeral && k[0] != clocked {
			continue
		}
		if width = max(width, min(len(k), n)); len(k) > n &&
			slices.ContainsFunc(k[n:], func(k kind) bool { return k != empty && k != word }) {
			return false
		}
	}
	if n != width || slices.Contains(names, "") {
		return false
	}
	l.first, l.width = first, n
	l.names, l.line = append([]string{"time"}, names...), s.head[titles].number
	l.units = make([]string, len(l.names))
	if unit >= 0 {
		copy(l.units[1:], s.texts(unit)[1:])
	}
	if c := cell(s.head[l.first].cells, 0); kindOf(c) == numeral {
		l.units[0] = "s"
	}
	for c, u := range l.units {
		if u == "*" { // a channel that has no unit
			l.units[c] = ""
		}
	}
	return true
}
