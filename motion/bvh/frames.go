package bvh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// frames reads the numbers behind Frame Time. Nearly all programs write a line for each
// frame. There a line with too few or too many numbers is one lost frame, for nobody
// knows which of them is missing, and the frames behind it are whole. Some write frames
// over several lines, or several in one; then the first line is none.
type frames struct {
	channels  int
	announced float64
	columns   *text.Columns // nil when only the header is asked for

	count        int // frames so far
	lines, whole int // that have numbers, and as many as a frame

	lost, lostAt       int // lines with another number of them
	skipped, skippedAt int // lines without any number
	garbled, garbledAt int // words that are no numbers
	beyond             text.Beyond
	cells              text.Cells

	row  []text.Figure // of the line read last
	cut  int           // numbers of a last line or frame that stops before its end
	read []byte        // its words, with a blank behind each

	held  []line // all lines, where the first does not have the numbers of a frame
	words []byte // of those lines, as read has them; their numbers would take far more
}

// line is how many numbers a line has, and which it is.
type line struct {
	numbers, at int
	ended       bool // not just the rest of the file
}

// readFrames reads to the end of the file.
func (h *Header) readFrames(w *words, f *frames) error {
	for {
		if err := f.next(w); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		l := line{len(f.row), w.lines.Number(), w.lines.Ended()}
		if l.numbers == 0 {
			continue
		}
		if f.lines++; l.numbers == f.channels {
			f.whole++
		}
		if f.lines == 1 && f.whole == 0 || len(f.held) > 0 {
			f.held, f.words = append(f.held, l), append(f.words, f.read...)
		} else if err := f.take(l, f.row); err != nil {
			return err
		}
	}
	if err := f.settle(); err != nil {
		return err
	}
	if err := f.cells.Mixed(); err != nil {
		return err
	}
	h.Frames = f.count
	f.report(h)
	return nil
}

// take takes a line for a frame.
func (f *frames) take(l line, values []text.Figure) error {
	switch {
	case l.numbers == f.channels:
		return f.add(values, l.at)
	case l.numbers < f.channels && !l.ended:
		f.cut, f.lines = l.numbers, f.lines-1
		return nil
	}
	if f.lost++; f.lost == 1 {
		f.lostAt = l.at
	}
	return f.add(nil, l.at)
}

// settle makes frames of the lines that were held back, and ends in an error where
// most lines are none.
func (f *frames) settle() error {
	if len(f.held) > 0 {
		begins, left := f.flows()
		unended := !f.held[len(f.held)-1].ended
		flows := begins && (f.complete() || f.whole == 0 && (left == 0 || unended)) || f.whole == 0 && f.complete() &&
			f.even()
		if flows && float64(f.lines) != f.announced {
			return f.flow(left)
		}
	}
	for _, l := range f.held {
		if err := f.take(l, f.again(l.numbers)); err != nil {
			return err
		}
	}
	if 2*f.whole < f.lines || 2*f.whole == f.lines && f.lines > 0 && float64(f.lines) != f.announced {
		return f.uncertain()
	}
	return nil
}

// flows says whether every frame begins a line, and how many numbers the last lacks
// an end of.
func (f *frames) flows() (begins bool, left int) {
	for _, l := range f.held {
		if left > 0 && left+l.numbers > f.channels || left == 0 && l.numbers > f.channels && l.numbers%f.channels != 0 {
			return false, 0
		}
		left = (left + l.numbers) % f.channels
	}
	return true, left
}

// complete says whether there are as many numbers as are announced.
func (f *frames) complete() bool { return float64(f.numbers()) == f.announced*float64(f.channels) }

func (f *frames) numbers() int {
	n := 0
	for _, l := range f.held {
		n += l.numbers
	}
	return n
}

// again gives the next n numbers of the lines that were held back.
func (f *frames) again(n int) []text.Figure {
	f.row = f.row[:0]
	for range n {
		word, rest, _ := bytes.Cut(f.words, []byte(" "))
		v, _ := f.cells.Read(word)
		f.row, f.words = append(f.row, v), rest
	}
	return f.row
}

// even says whether all lines but the last are equally long.
func (f *frames) even() bool {
	return !slices.ContainsFunc(f.held[:len(f.held)-1], func(l line) bool { return l.numbers != f.held[0].numbers })
}

// flow makes frames of the numbers, wherever lines end.
func (f *frames) flow(left int) error {
	f.cut = left
	at := f.held[len(f.held)-1].at
	for n := f.numbers(); n >= f.channels; n -= f.channels {
		if err := f.add(f.again(f.channels), at); err != nil {
			return err
		}
	}
	return nil
}

// next reads the numbers of the next line into row; none of a line in which nothing is one.
func (f *frames) next(w *words) error {
	if len(bytes.TrimSpace(w.line)) == 0 {
		line, err := w.lines.Next()
		if err != nil {
			return err
		}
		w.line = line
	}
	f.row, f.read = f.row[:0], f.read[:0]
	if remark(w.line) {
		w.line = nil
		return nil
	}
	if begins(w.line) {
		return record.Below("The words of another skeleton or its motion stand among the frames", w.lines.Number())
	}
	garbled := 0
	for {
		word := w.word()
		if string(word) == "#" || bytes.HasPrefix(word, []byte("//")) { // a remark
			w.line = nil
			break
		}
		if len(word) == 0 {
			break
		}
		if end := len(word) - 1; end > 0 && (word[end] == ',' || word[end] == ';') {
			word = word[:end] // a separator beside the blank
		}
		v, ok := f.cells.Read(word)
		f.beyond.Note(v, w.lines.Number())
		if !ok {
			garbled++
		}
		f.row, f.read = append(f.row, v), append(append(f.read, word...), ' ')
	}
	switch n := len(f.row); {
	case n > 0 && garbled == n && n != f.channels:
		f.row = f.row[:0]
		if f.skipped++; f.skipped == 1 {
			f.skippedAt = w.lines.Number()
		}
	case garbled > 0:
		if f.garbled == 0 {
			f.garbledAt = w.lines.Number()
		}
		f.garbled += garbled
	}
	return nil
}

// begins says whether a line among the frames begins another recording.
func begins(line []byte) bool {
	word := string(bytes.TrimSpace(line))
	return strings.EqualFold(word, "HIERARCHY") || strings.EqualFold(word, "MOTION")
}

// add takes a frame, of which all values may be missing.
func (f *frames) add(values []text.Figure, at int) error {
	f.count++
	if f.columns == nil {
		return nil
	}
	for i, v := range values {
		if v.Near == v.Near {
			f.columns.Set(i, v)
		}
	}
	return f.columns.EndRow(at)
}

// uncertain is the error for lines of which nobody knows what frame their numbers are of.
func (f *frames) uncertain() error {
	at := f.lostAt
	if f.lost == 0 && len(f.held) > 0 {
		at = f.held[0].at
	}
	return &quality.Unreadable{
		Reason: fmt.Sprintf("Only %s of the %s lines of frames have the %d numbers of a frame, so it is not known "+
			"which number belongs where",
			quality.Thousands(int64(f.whole)), quality.Thousands(int64(f.lines)), f.channels),
		Line: at, Hint: quality.ExportAgain,
	}
}

// report notes what is odd about the lines.
func (f *frames) report(h *Header) {
	if f.lost > 0 {
		h.Warnings.Add(quality.RowsRagged,
			"%s of the %s lines of frames do not have the %d numbers of a frame; each is one frame in which "+
				"everything is missing, and the first is line %d.",
			quality.Thousands(int64(f.lost)), quality.Thousands(int64(f.lines)), f.channels, f.lostAt)
	}
	if f.skipped > 0 {
		h.Warnings.Add(quality.RowsSkipped,
			"%s lines among the frames have no number and were skipped; the first is line %d.",
			quality.Thousands(int64(f.skipped)), f.skippedAt)
	}
	if f.garbled > 0 {
		h.Warnings.Add(quality.CellsUnreadable,
			"%s values are no numbers and were taken for missing; the first is in line %d.",
			quality.Thousands(int64(f.garbled)), f.garbledAt)
	}
	f.beyond.Report(&h.Warnings)
	if f.cut > 0 && f.count > 0 {
		h.Warnings.Add(quality.CutShort, "The last frame has only %d of its %d numbers and was left out.", f.cut,
			f.channels)
	}
}
