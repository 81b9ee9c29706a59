package table

import (
	"strings"

	"github.com/kinebase/kinebase/motion/label"
)

// qualisys reads the names of markers of an export of Qualisys Track Manager, which
// stand among its settings.
func (s *source) qualisys(l *layout) ([]string, bool) {
	for i := range s.head[:l.first] {
		h := &s.head[i]
		if len(h.cells) < 2 {
			continue
		}
		if names, ok := s.channels(i, l); ok {
			return names, true
		}
		if !strings.EqualFold(label.Clean(h.cells[0]), "MARKER_NAMES") {
			continue
		}
		if above := s.above(l.first); above >= 0 && len(s.head[above].cells) > 1 &&
			isLeadName(label.Clean(s.head[above].cells[0])) {
			l.zeros = true
			if l.settings.length == "" {
				l.settings.length = "mm"
			}
			return nil, false // names above the columns
		}
		markers := s.texts(i)[1:]
		var names []string
		switch l.width {
		case 3 * len(markers):
		case 3*len(markers) + 1:
			names = []string{"frame"}
		case 3*len(markers) + 2:
			names = []string{"frame", "time"}
		default:
			return nil, false
		}
		for _, m := range markers {
			names = append(names, m+"_x", m+"_y", m+"_z")
		}
		l.settings.length, l.zeros = "mm", true
		return names, true
	}
	return nil, false
}

// channels reads the names of analog channels of an export of Qualisys Track Manager in a
// line of its head, where no names stand above the columns themselves.
func (s *source) channels(i int, l *layout) ([]string, bool) {
	if !strings.EqualFold(label.Clean(s.head[i].cells[0]), "CHANNEL_NAMES") {
		return nil, false
	}
	if above := s.above(l.first); above != i && s.head[above].shape.count[word] > 1 {
		return nil, false
	}
	names := s.texts(i)[1:]
	switch l.width - len(names) {
	case 0:
		return names, true
	case 1:
		return append([]string{"sample"}, names...), true
	case 2:
		return append([]string{"sample", "time"}, names...), true
	}
	return nil, false
}
