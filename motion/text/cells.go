package text

import (
	"bytes"

	"github.com/kinebase/kinebase/motion/quality"
)

// Cells reads the cells of one table, in which a comma must mean the same everywhere.
type Cells struct {
	pointed bool // some cell has a decimal point
	open    bool // one with a comma that may be thousands was read as a decimal, before any had a point
	dotted  bool // one with a point that may be thousands was read as a decimal
	comma   bool // some cell has a comma that can only be the decimal sign
}

// Read is Cell for a cell that may stand in quotation marks. What could be thousands,
// as 1,601 is in quotation marks or beside numbers with a decimal point, is no number:
// one read as 1.601 would be another one.
func (c *Cells) Read(b []byte) (Figure, bool) {
	b, quoted := Unquote(b)
	comma := bytes.IndexByte(b, ',') >= 0
	if comma && (quoted || c.pointed) && thousands(b, ',') {
		return missing(), false
	}
	f, ok := Cell(b)
	if ok && !comma && !c.pointed {
		c.pointed = bytes.IndexByte(b, '.') >= 0
	}
	switch {
	case !ok:
		c.unread(b)
	case comma && thousands(b, ','):
		c.open = true
	case comma:
		c.comma = true
	case !c.dotted && len(b) > 4 && b[len(b)-4] == '.':
		c.dotted = thousands(b, '.')
	}
	return f, ok
}

// unread notes which sign separates thousands in a cell that is no number because of it: 1,234.5.
func (c *Cells) unread(b []byte) {
	for i, sign := range []byte(",.") {
		other := ",."[1-i]
		whole, _, pointed := bytes.Cut(b, []byte{other})
		if at := bytes.IndexByte(whole, sign); at < 0 || !thousands(whole, sign) ||
			!pointed && at == bytes.LastIndexByte(whole, sign) {
			continue
		}
		if sign == ',' {
			c.pointed = true
		} else {
			c.comma = true
		}
	}
}

// Mixed is the error for a table of which numbers that may be thousands were read as decimals, and others have
// another decimal sign: a *quality.Unreadable, or nil.
func (c *Cells) Mixed() error {
	sign, other := "comma", "point"
	switch {
	case c.open && c.pointed:
	case c.dotted && c.comma:
		sign, other = other, sign
	default:
		return nil
	}
	return &quality.Unreadable{
		Reason: "It cannot be told whether a " + sign + " with three digits behind it is a decimal sign or stands " +
			"between thousands, for other numbers have a decimal " + other,
		Hint: "Export it again with decimal points and nothing between thousands.",
	}
}

// Point notes that a cell read elsewhere, such as a time, has a decimal point.
func (c *Cells) Point(b []byte) {
	c.pointed = c.pointed || bytes.IndexByte(b, '.') >= 0 && bytes.IndexByte(b, ',') < 0
}

// Unquote takes quotation marks off a cell that begins and ends with one.
func Unquote(b []byte) ([]byte, bool) {
	b = bytes.TrimSpace(b)
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return bytes.TrimSpace(b[1 : len(b)-1]), true
	}
	return b, false
}

// thousands says whether exactly three digits stand behind each sign, and one to
// three, not 0 alone, before the first.
func thousands(b []byte, sign byte) bool {
	parts := bytes.Split(bytes.TrimLeft(bytes.TrimSpace(b), "+-"), []byte{sign})
	for i, part := range parts {
		if len(bytes.Trim(part, "0123456789")) > 0 || len(part) != 3 && (i > 0 || len(part) == 0 || len(part) > 3) {
			return false
		}
	}
	return parts[0][0] != '0'
}

// Separator is what sets the cells of a line apart: a tab where it has one, else a
// semicolon or a comma where the first cell is one of those wanted, else blanks (' ').
func Separator(line []byte, first func(cell string) bool) byte {
	if bytes.IndexByte(line, '\t') >= 0 {
		return '\t'
	}
	for _, by := range []byte{';', ','} {
		if cell, _, ok := bytes.Cut(line, []byte{by}); ok {
			if cell, _ = Unquote(cell); first(string(cell)) {
				return by
			}
		}
	}
	return ' '
}

// Split gives what takes the next cell off a line of which the cells are set apart by a
// semicolon or a comma, but where they stand in quotation marks.
func Split(by byte) func(line []byte) (cell, rest []byte) {
	return func(line []byte) (cell, rest []byte) {
		quoted := false
		for i, b := range line {
			switch {
			case b == '"':
				quoted = !quoted
			case b == by && !quoted:
				return bytes.TrimSpace(line[:i]), line[i+1:]
			}
		}
		return bytes.TrimSpace(line), nil
	}
}
