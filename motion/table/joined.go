package table

import (
	"bytes"
	"errors"
	"io"
)

// A cell in quotation marks may have line ends in it: then a row is several lines of the
// file. A cell that is still open at the end of a line goes on in the next ones if one of
// them closes it properly, in front of a separator or at its end. A mark that nothing
// closes is part of its cell.

// How many lines and bytes a cell is followed for.
const (
	joinedLines = 16
	joinedBytes = 64 << 10
)

// physical is one line of the file.
type physical struct {
	text   []byte
	number int
}

// readLine gives the next row of the file and the number of its first line. The bytes are
// good until the next call.
func (s *source) readLine() ([]byte, int, error) {
	first, number, err := s.readPhysical()
	if err != nil || bytes.IndexByte(first, '"') < 0 || !isOpen(first, false) {
		return first, number, err
	}
	first = bytes.Clone(first)
	whole := bytes.Clone(first)
	var ahead []physical
	for len(ahead) < joinedLines && len(whole) < joinedBytes {
		line, n, err := s.readPhysical()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, number, err
		}
		ahead = append(ahead, physical{bytes.Clone(line), n})
		whole = append(append(whole, ' '), line...)
		if bytes.IndexByte(line, '"') >= 0 && !isOpen(line, true) {
			return whole, number, nil
		}
	}
	s.ahead = append(ahead, s.ahead...)
	return first, number, nil
}

// readPhysical gives the next line of the file.
func (s *source) readPhysical() ([]byte, int, error) {
	if len(s.ahead) > 0 {
		l := s.ahead[0]
		s.ahead = s.ahead[1:]
		return l.text, l.number, nil
	}
	line, err := s.lines.Next()
	return line, s.lines.Number(), err
}

// isOpen says whether a cell in quotation marks goes on behind the end of a line, which
// begins inside of one or not. A mark inside of a cell that neither is doubled nor stands
// at its end makes no such cell.
func isOpen(line []byte, inside bool) bool {
	from, begin := inside, !inside // begin: of a cell
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case inside && c == '"' && i+1 < len(line) && line[i+1] == '"':
			i++
		case inside && c == '"':
			rest := bytes.TrimLeft(line[i+1:], " ")
			if len(rest) > 0 && !isSeparator(rest[0]) {
				return from // what stands here closes nothing
			}
			inside = false
		case inside:
		case isSeparator(c):
			begin = true
		case c == '"' && begin:
			inside, begin = true, false
		case c != ' ':
			begin = false
		}
	}
	return inside
}

// isSeparator says whether a byte may set cells apart.
func isSeparator(c byte) bool { return c == ',' || c == ';' || c == '\t' || c == '|' }
