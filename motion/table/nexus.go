package table

import (
	"bytes"
	"errors"
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
var titles = []string{trajectories, "Model Outputs", "Devices", "Joints", "Segments"}

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
	first    int // number of the first frame
	perFrame int // rows of a frame
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
}

// partsMost bounds the sections; a file has each kind once.
const partsMost = 100

func (s *source) readNexus(title string) (*record.Recording, error) {
	n := &nexus{source: s, rec: &record.Recording{}, title: title}
	for n.title != "" {
		title := n.title
		n.title = ""
		var err error
		switch {
		case title == events:
			err = n.readEvents()
		case len(n.parts) == partsMost:
			return nil, &quality.Unreadable{Reason: "The file has more than a hundred sections", Line: s.lines.Number(), Hint: quality.ExportAgain}
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
			n.rec.Warnings.Add(quality.SectionsSkipped, "%s lines stand outside of every known section and were left out.", quality.Thousands(int64(skipped)))
		}
	}()
	for {
		line, err := n.lines.Next()
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
	rate, ok := text.Number(bytes.Trim(line, " ,;\t\""))
	if !ok || !record.Usable(rate) {
		return 0, &quality.Unreadable{Reason: "No rate stands under the title of a section", Line: n.lines.Number(), Hint: quality.ExportAgain}
	}
	return rate, nil
}

// next gives the next line of a section, or false when the section is over.
func (n *nexus) next() ([]byte, bool, error) {
	line, err := n.lines.Next()
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

func (n *nexus) readPart(title string) error {
	p := &part{title: title, perFrame: 1}
	var err error
	if p.rate, err = n.rate(); err != nil {
		return err
	}
	heads := make([][]string, 3)
	for i := range heads {
		line, err := n.lines.Next() // the names of things may all be empty
		if errors.Is(err, io.EOF) {
			return &quality.Unreadable{Reason: "The file ends before the names of its columns", Line: n.lines.Number(), Hint: quality.CopyAgain}
		}
		if err != nil {
			return err
		}
		if i == 0 {
			n.sep = separator(line)
		}
		heads[i] = n.names(line)
	}
	if len(heads[1]) < 3 || !strings.EqualFold(heads[1][0], "Frame") {
		return &quality.Unreadable{Reason: "The columns of a section do not begin with Frame and Sub Frame", Line: n.lines.Number() - 1, Hint: quality.ExportAgain}
	}
	p.name(heads)
	p.columns = text.NewColumns(len(p.names), n.size)
	for i, name := range p.names {
		p.columns.About(i, name, p.units[i])
	}
	frame, sub := 0, 0
	for {
		line, more, err := n.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		cells := n.split(line)
		number, ok := text.Number(cells[0])
		if !ok || math.Abs(number) > 1<<31 {
			p.words.note(n.lines.Number())
			continue
		}
		if p.rows == 0 {
			p.first, frame = int(number), int(number)
		}
		if at := int(number); at == frame {
			sub++
		} else {
			p.turn(sub, frame)
			p.uneven = p.uneven || at != frame+1
			frame, sub = at, 1
		}
		for i, cell := range cells[min(2, len(cells)):] {
			if i == len(p.names) {
				break
			}
			v, ok := text.Cell(cell)
			if !ok {
				p.words.note(n.lines.Number())
			}
			if v == v {
				p.columns.Set(i, v)
			}
		}
		p.rows++
		if err := p.columns.EndRow(n.lines.Number()); err != nil {
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

// name takes the three lines of names.
func (p *part) name(heads [][]string) {
	thing := ""
	for i := 2; i < len(heads[1]); i++ {
		at := func(names []string) string {
			if i < len(names) {
				return names[i]
			}
			return ""
		}
		if name := at(heads[0]); name != "" {
			thing = name
		}
		p.things, p.names, p.units = append(p.things, thing), append(p.names, at(heads[1])), append(p.units, at(heads[2]))
	}
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
	n.sep = separator(line)
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
		time, ok := text.Seconds(get("time"), 1)
		if !ok {
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
