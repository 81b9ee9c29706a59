package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/kinebase/kinebase/fault"
)

// Line is one line of a manifest.
type Line struct {
	Number int    // from 1
	Text   []byte // without its end; valid until the next line is asked for
	Size   int64  // bytes with the end, so that the sizes add up to the file's
	Err    error  // set when the line is longer than MaxLine, or reading failed
}

// Lines reads a manifest line by line in the memory of one line. Blank lines,
// and a byte order mark before the first, are passed over. A line that is too
// long is given with a fault and the next one follows; any other error ends the
// sequence.
func Lines(r io.Reader) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		in := bufio.NewReaderSize(r, MaxLine+2) // a line and its CR LF
		var passed int64                        // bytes of blank lines, counted to the next one
		for number := 1; ; number++ {
			text, err := in.ReadSlice('\n')
			line := Line{Number: number, Size: passed + int64(len(text))}
			passed = 0
			if errors.Is(err, bufio.ErrBufferFull) {
				var rest int64
				rest, err = skipLine(in)
				line.Size += rest
				line.Err = tooLong()
			} else {
				if number == 1 {
					text = bytes.TrimPrefix(text, []byte("\ufeff"))
				}
				line.Text = bytes.TrimRight(text, "\r\n")
			}
			if err != nil && err != io.EOF {
				line.Err = err
				yield(line)
				return
			}
			if line.Err == nil && len(bytes.TrimSpace(line.Text)) == 0 {
				passed = line.Size
			} else if !yield(line) {
				return
			}
			if err == io.EOF {
				return
			}
		}
	}
}

func tooLong() error { return fault.New(fault.BadRequest, "the line is longer than 1 MiB") }

// skipLine reads to the end of a line that did not fit.
func skipLine(in *bufio.Reader) (int64, error) {
	for n := int64(0); ; {
		part, err := in.ReadSlice('\n')
		n += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}
