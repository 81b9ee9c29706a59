package table

import (
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
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
		if names, ok := s.bodies(i, l); ok {
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

// bodies reads the names above the columns of bodies of an export of Qualisys Track Manager, of
// which only the first of each body has its name: Bat X, Y, Z, Roll, Pitch, Yaw, Residual, Rot[0].
func (s *source) bodies(i int, l *layout) ([]string, bool) {
	above := s.above(l.first)
	if !strings.EqualFold(label.Clean(s.head[i].cells[0]), "BODY_NAMES") || above <= i {
		return nil, false
	}
	names, bodies, next := s.texts(above), s.texts(i)[1:], 0
	for c, name := range names {
		switch {
		case next < len(bodies) && strings.EqualFold(name, bodies[next]+" X"):
			next++
		case next > 0 && !strings.HasPrefix(name, bodies[next-1]+" "):
			names[c] = bodies[next-1] + " " + name
		}
	}
	if next == 0 || next < len(bodies) || len(names) != l.width {
		return nil, false
	}
	l.zeros = true
	if l.settings.length == "" {
		l.settings.length = "mm"
	}
	return names, true
}

// marks reads the events of an export of Qualisys Track Manager, which stand among its settings:
// EVENT, the label, the number of the frame from 1 and the seconds from the first one.
func (s *source) marks(l *layout) []mark {
	var marks []mark
	for i := range s.head[:l.first] {
		h := &s.head[i]
		if first, ok := small(label.Clean(cell(h.cells, 1)), 999_999_999); ok && first > 0 &&
			label.Clean(h.cells[0]) == "FIRST_SAMPLE" {
			l.firstSample = int(first)
		}
		if len(h.shape.kinds) != 4 || label.Clean(h.cells[0]) != "EVENT" {
			continue
		}
		frame, ok := small(label.Clean(h.cells[2]), 999_999_999)
		time, timed := text.Number(h.cells[3])
		if name := label.Clean(h.cells[1]); ok && timed && frame > 0 && time >= 0 && time < 1e9 && name != "" {
			marks = append(marks, mark{name, int(frame), time})
		}
	}
	return marks
}

// mark is an event among settings.
type mark struct {
	name  string
	frame int
	time  float64
}

// tellMarks makes events of them. Their times count from frame 1. Where rows without times begin with a
// later frame, these begin at 0 s, and the numbers of the frames tell. The numbers of events in an
// export of samples are those of frames even so: there the number of the first sample, in its row or
// among the settings, tells how late the rows begin.
func (p *plain) tellMarks() {
	rec, outside := p.rec, 0
	for _, m := range p.layout.marks {
		time := m.time
		switch {
		case p.time >= 0 || rec.Rate == 0:
		case p.frame >= 0 && rec.FirstFrame > 1:
			time = rec.Start + float64(m.frame-rec.FirstFrame)/rec.Rate
		case p.frame < 0:
			time += rec.Start - float64(p.samplesBefore())/rec.Rate
		}
		if half := 0.5 / rec.Rate; time < rec.Start-half || time > rec.Start+rec.Duration()+half {
			outside++
		}
		rec.Events = append(rec.Events, record.Event{Label: m.name, Context: record.General, Time: time})
	}
	if outside > 0 {
		rec.Warnings.Add(quality.EventsDisagree,
			"%d of the %d events lie outside of the rows, by their times; the rows may begin later than they say.",
			outside, len(p.layout.marks))
	}
}

// samplesBefore is how many samples the rows of an export leave out at the beginning, by the number in
// the first of them.
func (p *plain) samplesBefore() int {
	for i := range p.rec.Analogs {
		c := &p.rec.Analogs[i]
		if !strings.EqualFold(c.Name, "sample") || len(c.Values) == 0 {
			continue
		}
		if first := at(c, 0); first > 1 && first < 1<<31 && first == math.Trunc(first) {
			return int(first) - 1
		}
	}
	return max(0, p.layout.firstSample-1)
}

// at is a number of a channel, with all digits that are kept.
func at(c *record.Channel, i int) float64 {
	if c.Wide != nil {
		return c.Wide[i]
	}
	return float64(c.Values[i])
}
