// Package table reads tables of text, one row a moment: the files that exports
// of Kinebase are, those of Vicon Nexus, which have several tables one under the
// other, and plain ones with a line of names.
//
// Cells are set apart by commas, semicolons or tabs, whichever the line of names has
// most of, and may stand in quotation marks. With semicolons or tabs, numbers may
// have a comma for the point.
package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Read reads a table of that many bytes with all its numbers. The error is a
// *quality.Unreadable when the file is to blame, and r's own when reading failed.
func Read(r io.Reader, size int64) (*record.Recording, error) {
	s := &source{lines: text.NewLines(r), size: size}
	rec, err := s.read()
	var unreadable *quality.Unreadable
	if err != nil && !errors.As(err, &unreadable) {
		return nil, fmt.Errorf("reading the table: %w", err)
	}
	return rec, err
}

// source is the file as it is gone through.
type source struct {
	lines *text.Lines
	size  int64
	sep   byte
	cells [][]byte // of the line split last
}

func (s *source) read() (*record.Recording, error) {
	line, err := s.filled("the names of its columns")
	if errors.Is(err, errEmpty) {
		return nil, quality.Empty()
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
		return nil, &quality.Unreadable{Reason: "The text is in UTF-16", Line: 1, Hint: "Save it again as plain text or UTF-8."}
	}
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if title, ok := section(line); ok {
		return s.readNexus(title)
	}
	s.sep = separator(line)
	return s.readPlain(s.names(line))
}

var errEmpty = errors.New("nothing but blank lines")

// filled gives the next line with anything on it; what it should hold goes into
// the error when there is none.
func (s *source) filled(what string) ([]byte, error) {
	for {
		line, err := s.lines.Next()
		if errors.Is(err, io.EOF) {
			if s.lines.Number() == 0 {
				return nil, errEmpty
			}
			return nil, &quality.Unreadable{Reason: "The file ends before " + what, Line: s.lines.Number(), Hint: quality.CopyAgain}
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
func blank(line []byte) bool { return len(bytes.Trim(line, " ,;\t\x00")) == 0 }

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
	for {
		var cell []byte
		more := false
		if trimmed := bytes.TrimLeft(line, " "); len(trimmed) > 0 && trimmed[0] == '"' {
			cell, line, more = s.quoted(trimmed[1:])
		} else {
			cell, line, more = bytes.Cut(line, []byte{s.sep})
			cell = bytes.Trim(cell, " \x00")
		}
		s.cells = append(s.cells, cell)
		if !more {
			return s.cells
		}
	}
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
			if bare = strings.TrimSpace(name[:open]); bare != "" {
				return bare, strings.TrimSpace(name[open+1 : len(name)-1])
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

func (g *garbled) report(w *quality.Warnings) {
	if g.count > 0 {
		w.Add(quality.CellsUnreadable, "%s cells hold something other than a number and were taken for missing; the first is in line %d.", quality.Thousands(int64(g.count)), g.at)
	}
}
