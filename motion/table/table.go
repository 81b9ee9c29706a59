// Package table reads tables of text, one row a moment: the files that exports of
// Kinebase are, and those of motion capture systems, of force plates, of wearable
// sensors and of pose estimation.
//
// A file is read in steps. The text is decoded (decode.go) and taken apart into lines
// and cells (cells.go). Its first lines are read as a whole (head.go): they show what
// separates cells, where the rows of numbers begin, and which lines above them are names
// (names.go) or settings (settings.go). Then every row is read as it comes
// (plain.go), and the columns become points, angles and channels (points.go).
//
// The file is read a second time for what only the whole file shows: that a comma
// separates thousands (numerals.go), or that a row is only one point of a frame (long.go).
package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Read reads a table of that many bytes with all its numbers. The error is a
// *quality.Unreadable when the file is to blame, and r's own when reading failed.
func Read(r io.ReaderAt, size int64) (*record.Recording, error) {
	var k known
	for {
		rec, err := read(r, size, k)
		var again *again
		if errors.As(err, &again) && again.known != k {
			k = again.known
			continue
		}
		var unreadable *quality.Unreadable
		if err != nil && !errors.As(err, &unreadable) {
			return nil, fmt.Errorf("reading the table: %w", err)
		}
		return rec, err
	}
}

// known is what was found out about a file by reading it.
type known struct {
	told  bool    // whether group is known
	group [2]bool // see numerals
	long  bool    // a row is one thing of a frame, see long.go
}

// again says that a file must be read once more, by what is known now.
type again struct{ known known }

func (*again) Error() string { return "the table must be read once more" }

func read(r io.ReaderAt, size int64, k known) (*record.Recording, error) {
	if size == 0 {
		return nil, quality.Empty()
	}
	if err := checked(r, size); err != nil {
		return nil, err
	}
	s := &source{lines: text.NewLines(io.NewSectionReader(r, 0, size)), size: size, known: k,
		numerals: numerals{group: k.group}}
	rec, err := s.read()
	if err != nil {
		return nil, err
	}
	if b := s.numerals.bracketed; b.count > 0 {
		rec.Warnings.Add(quality.NegativesBracketed,
			"%s numbers stand in parentheses, as spreadsheets write negative ones, and were taken for negative; the "+
				"first is in line %s.",
			quality.Thousands(int64(b.count)), quality.Thousands(int64(b.at)))
	}
	s.numerals.beyond.Report(&rec.Warnings)
	if k.told {
		return rec, nil
	}
	group, err := s.numerals.verdict()
	if err != nil {
		return nil, err
	}
	for sign, line := range s.numerals.either {
		if line > 0 && group[sign] != k.group[sign] {
			k.told, k.group = true, group
			return nil, &again{k}
		}
	}
	if line := s.numerals.assumed(); line > 0 {
		rec.Warnings.Add(quality.DecimalsUnclear,
			"All numbers with a comma have three digits behind it, the first in line %s; the comma was taken for the "+
				"decimal sign, but may stand between thousands.", quality.Thousands(int64(line)))
	}
	return rec, nil
}

// source is the file as it is gone through.
type source struct {
	lines    *text.Lines
	ahead    []physical // lines that were read in search of the end of a cell
	size     int64
	known    known
	numerals numerals

	alone  bool // the table has one column, with decimal commas
	tail   bool // lines end in semicolons that set nothing apart
	sep    byte
	cells  [][]byte // of the line split last
	head   []headLine
	place  int // in head, of the next line
	number int // of the line given last
}

func (s *source) read() (*record.Recording, error) {
	if err := s.look(); err != nil {
		return nil, err
	}
	if at := s.sections(); at >= 0 {
		return s.readNexus(at)
	}
	l, err := s.layout()
	if err != nil {
		return nil, err
	}
	if l.long || s.known.long {
		return s.readLong(l)
	}
	return s.readPlain(l)
}
