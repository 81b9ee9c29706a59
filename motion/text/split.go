package text

import (
	"bytes"
	"fmt"

	"github.com/kinebase/kinebase/motion/quality"
)

// Splitter gives what takes the next cell off a line: cells are set apart by tabs
// when there are any, else by blanks.
func Splitter(line []byte) func(line []byte) (cell, rest []byte) {
	if bytes.IndexByte(line, '\t') >= 0 {
		return tabs
	}
	return blanks
}

func tabs(line []byte) (cell, rest []byte) {
	cell, rest, _ = bytes.Cut(line, []byte("\t"))
	return bytes.Trim(cell, " \x00"), rest
}

func blanks(line []byte) (cell, rest []byte) {
	line = bytes.TrimLeft(line, " ")
	if end := bytes.IndexByte(line, ' '); end >= 0 {
		return line[:end], bytes.TrimLeft(line[end:], " ")
	}
	return line, nil
}

// Lost is a sentence about rows of a wrong number of cells that blanks set apart, which
// do not tell which cell is missing; none for none. A blank stands before it.
func Lost(rows int) string {
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf(" In %s of them blanks set the cells apart and do not tell which is missing, so the whole row "+
		"was taken for missing.", quality.Thousands(int64(rows)))
}
