package table

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/units"
)

// next gives the next line: those that were looked at before come once more.
func (s *source) next() ([]byte, error) {
	if s.place < len(s.head) {
		l := &s.head[s.place]
		s.place++
		s.number, s.numerals.line = l.number, l.number
		return l.text, nil
	}
	line, number, err := s.readLine()
	s.number, s.numerals.line = number, number
	if s.tail {
		line = tailed(line)
	}
	return line, err
}

// filled gives the next line with anything on it; what it should hold goes into
// the error when there is none.
func (s *source) filled(what string) ([]byte, error) {
	for {
		line, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil, &quality.Unreadable{Reason: "The file ends before " + what, Line: s.number,
				Hint: quality.CopyAgain}
		}
		if err != nil {
			return nil, err
		}
		if !blank(line) {
			return line, nil
		}
	}
}

// blank says whether a line has nothing but separators.
func blank(line []byte) bool { return len(bytes.Trim(line, " ,;\t|\"\x00")) == 0 }

// separator is what sets the cells of a line apart. What stands in quotation marks
// does not count, unless one of them is never closed.
func separator(line []byte) byte {
	if bytes.Count(line, []byte{'"'})%2 == 0 {
		parts := bytes.Split(line, []byte{'"'})
		line = nil
		for i := 0; i < len(parts); i += 2 {
			line = append(line, parts[i]...)
		}
	}
	best, most := byte(','), 0
	for _, sep := range []byte(",\t;") {
		if n := bytes.Count(line, []byte{sep}); n > most {
			best, most = sep, n
		}
	}
	return best
}

// split takes a line apart. The cells are good until the next line.
func (s *source) split(line []byte) [][]byte {
	s.cells = s.cells[:0]
	if s.sep == ' ' {
		line = bytes.Trim(line, " \t\x00")
	}
	for {
		var cell []byte
		more := false
		if isQuoted(line) {
			cell, line, more = s.quoted(bytes.TrimLeft(line, " ")[1:])
		} else {
			if at := bytes.IndexByte(line, s.sep); at >= 0 {
				cell, line, more = line[:at], line[at+1:], true
			} else {
				cell, line = line, nil
			}
			cell = trim(cell)
		}
		if s.sep == ' ' {
			line = bytes.TrimLeft(line, " ")
		}
		s.cells = append(s.cells, cell)
		if !more {
			return s.cells
		}
	}
}

// isQuoted says whether a line goes on with a quotation mark.
func isQuoted(line []byte) bool {
	for _, c := range line {
		if c != ' ' {
			return c == '"'
		}
	}
	return false
}

// trim takes blanks and zeros off a cell, of which few have any.
func trim(cell []byte) []byte {
	for len(cell) > 0 && (cell[0] == ' ' || cell[0] == 0) {
		cell = cell[1:]
	}
	for len(cell) > 0 && (cell[len(cell)-1] == ' ' || cell[len(cell)-1] == 0) {
		cell = cell[:len(cell)-1]
	}
	return cell
}

// quoted gives a cell in quotation marks, of which two stand for one, and what is
// behind the separator that follows.
func (s *source) quoted(line []byte) (cell, rest []byte, more bool) {
	doubled := false
	for at := 0; at < len(line); at++ {
		if line[at] != '"' {
			continue
		}
		if at+1 < len(line) && line[at+1] == '"' {
			doubled = true
			at++
			continue
		}
		cell = line[:at]
		if doubled {
			cell = bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`))
		}
		_, rest, more = bytes.Cut(line[at+1:], []byte{s.sep})
		return cell, rest, more
	}
	return line, nil, false // the mark is never closed
}

// names splits a line of names; empty ones at the end are separators too many.
func (s *source) names(line []byte) []string {
	var names []string
	for _, cell := range s.split(line) {
		names = append(names, label.Clean(cell))
	}
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	return names
}

// unitOf takes a unit in brackets off a name: "Fz (N)", "knee [deg]".
func unitOf(name string) (bare, unit string) {
	for _, brackets := range []string{"()", "[]"} {
		open := strings.LastIndexByte(name, brackets[0])
		if open > 0 && strings.HasSuffix(name, brackets[1:]) {
			if bare = strings.TrimSpace(name[:open]); bare != "" &&
				kindOf([]byte(name[open+1:len(name)-1])) != numeral {
				return bare, strings.TrimSpace(name[open+1 : len(name)-1])
			}
		}
		end := strings.IndexByte(name, brackets[1])
		if open = strings.IndexByte(name, brackets[0]); open > 0 && end > open && end < len(name)-1 {
			// Force (N) Run #1
			before, unit, behind := strings.TrimSpace(name[:open]), strings.TrimSpace(name[open+1:end]),
				strings.TrimSpace(name[end+1:])
			if before != "" && unit != "" && name[end+1] == ' ' && units.Known(unit) &&
				!strings.ContainsAny(behind, "()[]") {
				return before + " " + behind, unit
			}
		}
	}
	return name, ""
}

// garbled counts cells that are no numbers.
type garbled struct{ count, at int }

func (g *garbled) note(line int) {
	if g.count++; g.count == 1 {
		g.at = line
	}
}

// merge adds what another one counted.
func (g *garbled) merge(other garbled) {
	if other.count > 0 && (g.count == 0 || other.at < g.at) {
		g.at = other.at
	}
	g.count += other.count
}

func (g *garbled) report(w *quality.Warnings) {
	if g.count > 0 {
		w.Add(quality.CellsUnreadable,
			"%s cells hold something other than a number and were taken for missing; the first is in line %d.",
			quality.Thousands(int64(g.count)), g.at)
	}
}
