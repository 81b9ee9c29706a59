// Package text is what the codecs of text files have in common: lines however they
// end, numbers however they are written, and columns that grow row by row.
package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/kinebase/kinebase/motion/quality"
)

// longest is the length of a line beyond which a file is not taken for text: a
// row of 10,000 markers with 25 characters a number fits.
const longest = 1 << 20

// Lines gives a text line by line, whichever way its lines end: LF, CR LF, CR
// alone, and CR CR LF, which comes of writing CR LF through a Windows program
// that adds a CR again. Its memory is one line.
type Lines struct {
	r      *bufio.Reader
	number int  // of the line given last, from 1
	ended  bool // the line given last had an end, and was not just the rest of the file
	buf    []byte

	doubled bool
}

// Number is the number of the line given last, from 1; 0 before the first.
func (l *Lines) Number() int { return l.number }

// Ended says whether the line given last had an end, and was not just the rest of
// the file.
func (l *Lines) Ended() bool { return l.ended }

// Doubled says whether some line so far ended in CR CR LF.
func (l *Lines) Doubled() bool { return l.doubled }

// NewLines reads lines from r, whose text Plain takes to UTF-8.
func NewLines(r io.Reader) *Lines { return &Lines{r: buffered(Plain(r))} }

// Next gives the next line without its end; the bytes are good until the next
// call. At the end of the text it gives io.EOF.
func (l *Lines) Next() ([]byte, error) {
	l.buf, l.ended = l.buf[:0], false
	for {
		ahead, err := l.fill()
		if err != nil {
			if errors.Is(err, io.EOF) && len(l.buf) > 0 {
				l.number++
				return l.buf, nil
			}
			return nil, err
		}
		end := bytes.IndexAny(ahead, "\r\n")
		text := ahead
		if end >= 0 {
			text = ahead[:end]
		}
		if len(l.buf)+len(text) > longest {
			return nil, &quality.Unreadable{
				Reason: fmt.Sprintf("The line is longer than %s bytes, so this is no table of numbers",
					quality.Thousands(longest)),
				Line: l.number + 1, Hint: quality.ExportAgain,
			}
		}
		l.buf = append(l.buf, text...)
		if end < 0 {
			if _, err := l.r.Discard(len(text)); err != nil {
				return nil, err
			}
			continue
		}
		cr := ahead[end] == '\r'
		if _, err := l.r.Discard(end + 1); err != nil {
			return nil, err
		}
		l.number, l.ended = l.number+1, true
		if cr {
			return l.buf, l.finish()
		}
		return l.buf, nil
	}
}

// fill gives what is buffered, and waits for more when nothing is.
func (l *Lines) fill() ([]byte, error) {
	if l.r.Buffered() == 0 {
		if _, err := l.r.Peek(1); err != nil {
			return nil, err
		}
	}
	return l.r.Peek(l.r.Buffered())
}

// finish skips what still belongs to a line end that began with CR.
func (l *Lines) finish() error {
	ahead, err := l.r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case bytes.HasPrefix(ahead, []byte("\n")):
		_, err = l.r.Discard(1)
	case bytes.HasPrefix(ahead, []byte("\r\n")):
		l.doubled = true
		_, err = l.r.Discard(2)
	default:
		err = nil
	}
	return err
}
