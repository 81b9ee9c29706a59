package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// A file of Vicon Nexus has sections: a line with its title, one with its rate, one
// with the names of things, each above the first of its columns, one with the names
// of the columns, one with their units, and then a row for each moment, which begins
// with the number of its frame and of its part of the frame. A blank line ends it.
// Events are a plain table under their title and rate.

// titles are those of the sections with numbers.
var titles = []string{trajectories, "Model Outputs", "Devices", "Analog", "Joints", "Segments"}

const (
	events       = "Events"
	trajectories = "Trajectories"
)

// section says whether a line is the title of one.
func section(line []byte) (string, bool) {
	title := string(bytes.Trim(line, " ,;\t\""))
	for _, known := range append([]string{events}, titles...) {
		if strings.EqualFold(title, known) {
			return known, true
		}
	}
	return "", false
}

// part is one section of numbers.
type part struct {
	title    string
	rate     float64
	things   []string // name above each column, carried on over those that have none
	names    []string
	units    []string
	columns  *text.Columns
	first    int  // number of the first frame
	perFrame int  // rows of a frame
	lead     int  // columns before the first thing: Frame, Sub Frame
	old      bool // rows are numbered by themselves, at the rate of the section
	rows     int
	words    garbled
	uneven   bool // frames have different numbers of rows
}

// nexus is what is gathered from all sections.
type nexus struct {
	*source
	rec   *record.Recording
	parts []*part
	title string // of the section that a line ended the last one with
	seen  int    // columns of the sections so far
	kept  []byte // the line read last, which comes once more
}

// partsMost bounds the sections; a file has each kind once.
const partsMost = 100

// sections finds the first section of a file that has sections, -1 where it has none:
// a title and, below it, a rate.
func (s *source) sections() int {
	for i := range s.head {
		if _, ok := section(s.head[i].text); !ok {
			continue
		}
		for j := i + 1; j < len(s.head); j++ {
			if blank(s.head[j].text) {
				continue
			}
			if _, ok := s.sectionRate(s.head[j].text); ok || len(s.head[j].cells) < 3 {
				return i
			}
			break
		}
		if i == len(s.head)-1 || len(s.head[i].cells) == 1 && s.above(i) < 0 {
			return i
		}
	}
	return -1
}

// sectionRate reads the rate of a section: 100, or 100,Hz in older files.
func (s *source) sectionRate(line []byte) (float64, bool) {
	text := bytes.Trim(line, " ,;\t\"")
	if at := bytes.IndexAny(text, "Hh"); at > 0 && bytes.EqualFold(text[at:], []byte("hz")) {
		text = bytes.TrimRight(text[:at], " ,;\t\"")
	}
	var n numerals
	rate, ok := n.number(text, -1)
	return rate, ok && record.Usable(rate)
}

// readNexus reads all sections from the one at a place in head on.
func (s *source) readNexus(at int) (*record.Recording, error) {
	title, _ := section(s.head[at].text)
	s.place, s.number = at+1, s.head[at].number
	n := &nexus{source: s, rec: &record.Recording{}, title: title}
	for n.title != "" {
		title := n.title
		n.title = ""
		var err error
		switch {
		case title == events:
			err = n.readEvents()
		case len(n.parts) == partsMost:
			return nil, &quality.Unreadable{Reason: "The file has more than a hundred sections", Line: s.number,
				Hint: quality.ExportAgain}
		default:
			err = n.readPart(title)
		}
		if err != nil {
			return nil, err
		}
		if n.title == "" {
			if err := n.seek(); err != nil {
				return nil, err
			}
		}
	}
	return n.settle()
}

// seek looks for the next section.
func (n *nexus) seek() error {
	skipped := 0
	defer func() {
		if skipped > 0 {
			n.rec.Warnings.Add(quality.SectionsSkipped,
				"%s lines stand outside of every known section and were left out.", quality.Thousands(int64(skipped)))
		}
	}()
	for {
		line, err := n.source.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if title, ok := section(line); ok {
			n.title = title
			return nil
		}
		if !blank(line) {
			skipped++
		}
	}
}

// rate reads the line behind a title.
func (n *nexus) rate() (float64, error) {
	line, err := n.filled("the rate of a section")
	if err != nil {
		return 0, err
	}
	rate, ok := n.sectionRate(line)
	if !ok {
		return 0, &quality.Unreadable{Reason: "No rate stands under the title of a section", Line: n.number,
			Hint: quality.ExportAgain}
	}
	return rate, nil
}

// next gives the next line of a section, or false when the section is over.
func (n *nexus) next() ([]byte, bool, error) {
	if n.kept != nil {
		line := n.kept
		n.kept = nil
		return line, true, nil
	}
	line, err := n.source.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case len(bytes.Trim(line, " \t\x00")) == 0:
		return nil, false, nil
	}
	if title, ok := section(line); ok {
		n.title = title
		return nil, false, nil
	}
	return line, true, nil
}

// heads reads the lines above the rows of a section: names of things, names of
// columns, units. Any of the first and the last may be left out.
func (n *nexus) heads(p *part) ([][]string, error) {
	heads := make([][]string, 3)
	for i := 0; i < 3; i++ {
		line, err := n.source.next() // the names of things may all be empty
		if errors.Is(err, io.EOF) {
			return nil, &quality.Unreadable{Reason: "The file ends before the names of its columns", Line: n.number,
				Hint: quality.CopyAgain}
		}
		if err != nil {
			return nil, err
		}
		names := n.names(line)
		if i == 2 && shapeOf(n.cells).count[word] == 0 && !blank(line) { // no units: this is a row
			n.kept = bytes.Clone(line)
			break
		}
		if i == 0 && isIndex(names) {
			i = 1
		}
		heads[i] = names
	}
	names := heads[1]
	if !isIndex(names) || len(names) < 2 {
		return nil, &quality.Unreadable{Reason: "The columns of a section do not begin with Frame and Sub Frame",
			Line: n.number - 1, Hint: quality.ExportAgain}
	}
	if p.lead = 1; len(names) > 1 && strings.EqualFold(names[1], "Sub Frame") {
		p.lead = 2
	}
	p.old = p.lead == 1
	if len(names) == p.lead {
		return nil, &quality.Unreadable{Reason: "A section has no columns of numbers", Line: n.number - 1,
			Hint: quality.ExportAgain}
	}
	return heads, nil
}

// isIndex says whether a line of names begins with the number of a frame or a sample.
func isIndex(names []string) bool {
	if len(names) == 0 {
		return false
	}
	name := strings.ToLower(strings.TrimRight(names[0], " #."))
	return name == "frame" || name == "field" || name == "sample"
}

func (n *nexus) readPart(title string) error {
	p := &part{title: title, perFrame: 1}
	var err error
	if p.rate, err = n.rate(); err != nil {
		return err
	}
	heads, err := n.heads(p)
	if err != nil {
		return err
	}
	if err := p.name(heads, &n.rec.Warnings, n.number); err != nil {
		return err
	}
	p.columns = text.NewColumns(len(p.names), n.size)
	for i, name := range p.names {
		p.columns.About(i, name, p.units[i])
	}
	frame, sub, base := 0, 0, n.seen
	n.seen += len(p.names) // columns are told apart over all sections
	for {
		line, more, err := n.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		cells := n.split(line)
		number, ok := n.numerals.number(cells[0], -1)
		if !ok || math.Abs(number) > 1<<31 {
			p.words.note(n.number)
			continue
		}
		if p.rows == 0 {
			p.first, frame = int(number), int(number)
		}
		if at := int(number); at == frame {
			sub++
		} else {
			if p.turn(sub, frame); p.uneven || at != frame+1 {
				return p.disorder(frame, at, n.number)
			}
			frame, sub = at, 1
		}
		for i, cell := range cells[min(p.lead, len(cells)):] {
			if i == len(p.names) {
				break
			}
			v, ok := n.numerals.value(cell, base+i)
			if v.Value == v.Value {
				p.columns.Set(i, v)
			} else if !ok {
				p.words.note(n.number)
			}
		}
		p.rows++
		if err := p.columns.EndRow(n.number); err != nil {
			return err
		}
	}
	p.turn(sub, frame)
	if p.rows > 0 {
		n.parts = append(n.parts, p)
	}
	return nil
}

// turn ends a frame that had so many rows: the first one says how many there are.
func (p *part) turn(rows, frame int) {
	if frame == p.first {
		p.perFrame = max(1, rows)
	}
	p.uneven = p.uneven || rows != p.perFrame
}

// disorder refuses a section whose frames do not follow one another, or have different numbers of
// rows: its rows, one after another, would be at other times than they were measured at.
func (p *part) disorder(frame, next, line int) error {
	reason := fmt.Sprintf("In the section %s frame %d follows frame %d", p.title, next, frame)
	if p.uneven {
		reason = fmt.Sprintf("In the section %s frame %d has another number of rows than the first, which has %d",
			p.title, frame, p.perFrame)
	}
	return &quality.Unreadable{Reason: reason + ", so it cannot be told when its rows were measured", Line: line,
		Hint: quality.ExportAgain}
}

// name takes the three lines of names.
func (p *part) name(heads [][]string, w *quality.Warnings, line int) error {
	names, moved, ok := aligned(heads[0], heads[1], p.lead)
	if !ok {
		return besideColumns(line)
	}
	if heads[0] = names; moved {
		w.Add(quality.NamesShifted, "The names of the section %s do not stand above the first of their columns, but "+
			"all equally far behind it; they were taken in their order.", p.title)
	}
	thing := ""
	for i := p.lead; i < len(heads[1]); i++ {
		at := func(names []string) string {
			if i < len(names) {
				return names[i]
			}
			return ""
		}
		if name := at(heads[0]); name != "" {
			thing = name
		}
		p.things, p.names, p.units = append(p.things, thing), append(p.names, at(heads[1])),
			append(p.units, at(heads[2]))
	}
	return nil
}

// readEvents reads the section of events.
func (n *nexus) readEvents() error {
	if _, err := n.rate(); err != nil {
		return err
	}
	line, err := n.filled("the names of the columns of events")
	if err != nil {
		return err
	}
	column := map[string]int{}
	for i, name := range n.names(line) {
		bare, _ := unitOf(name)
		column[strings.ToLower(bare)] = i + 1
	}
	unread := 0
	for {
		line, more, err := n.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		cells := n.split(line)
		get := func(name string) []byte {
			if i := column[name]; i > 0 && i <= len(cells) {
				return cells[i-1]
			}
			return nil
		}
		time, ok := n.numerals.number(get("time"), -1)
		if !ok || math.Abs(time) > 1e20 {
			unread++
			continue
		}
		n.rec.Events = append(n.rec.Events, record.Event{
			Label: label.Clean(get("name")), Context: record.ContextOf(label.Clean(get("context"))), Time: time,
			Subject: label.Clean(get("subject")), Description: label.Clean(get("description")),
		})
	}
	if unread > 0 {
		n.rec.Warnings.Add(quality.EventsDisagree, "%d events have no time and were left out.", unread)
	}
	return nil
}
