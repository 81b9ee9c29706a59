package text

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain takes a text to UTF-8 without a byte order mark, where it is in UTF-8 or UTF-16,
// with a mark or without. Any other text stays as it is, byte by byte.
func Plain(r io.Reader) io.Reader { return &plain{from: buffered(r)} }

// buffered reads through as much memory as a large file is read fastest with, and through no
// more than a text has whose size r tells.
func buffered(r io.Reader) *bufio.Reader {
	const most = 64 << 10
	size := int64(most)
	switch known := r.(type) {
	case interface{ Size() int64 }:
		size = known.Size()
	case interface{ Len() int }:
		size = int64(known.Len())
	}
	return bufio.NewReaderSize(r, int(min(most, max(looked, size)))) // it must hold all bytes that are peeked at
}

// looked is how many bytes from the beginning of a text tell UTF-16 without a mark.
const looked = 512

// plain finds out what a text is in when it is read first.
type plain struct {
	from *bufio.Reader
	to   io.Reader
}

// Size is how much memory is worth to read a text of this size with, see buffered.
func (p *plain) Size() int64 { return int64(p.from.Size()) }

// Read is io.Reader.
func (p *plain) Read(b []byte) (int, error) {
	if p.to == nil {
		begin, err := p.from.Peek(looked)
		if err != nil && err != io.EOF {
			return 0, err
		}
		p.to = p.from
		mark := 0
		switch wide, big := Wide(begin); {
		case wide:
			if bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff")) {
				mark = 2
			}
			p.to = &utf16Reader{from: p.from, big: big}
		case bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")):
			// Programs that save a file again add another one.
			for bytes.HasPrefix(begin[mark:], []byte("\xef\xbb\xbf")) {
				mark += 3
			}
		}
		if _, err := p.from.Discard(mark); err != nil {
			return 0, err
		}
	}
	return p.to.Read(b)
}

// Wide says whether a text that begins so is in UTF-16, and whether its high bytes come
// first: by its byte order mark, or because most characters of any table are Latin
// letters, digits and blanks, of which every second byte is 0.
func Wide(begin []byte) (wide, big bool) {
	begin = begin[:min(len(begin), looked)]
	switch {
	case bytes.HasPrefix(begin, []byte("\xff\xfe")):
		return true, false
	case bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return true, true
	case len(begin) < 16:
		return false, false
	}
	var zeros [2]int
	for i, b := range begin {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most := len(begin) / 2 * 3 / 4
	return zeros[0] == 0 && zeros[1] >= most || zeros[1] == 0 && zeros[0] >= most, zeros[0] > 0
}

// utf16Reader takes UTF-16 to UTF-8.
type utf16Reader struct {
	from io.Reader
	big  bool
	raw  [4096]byte
	kept int // bytes of raw that belong to a character that is not whole yet
	out  []byte
	err  error
}

// Read is io.Reader.
func (w *utf16Reader) Read(p []byte) (int, error) {
	for len(w.out) == 0 {
		if w.err != nil {
			return 0, w.err
		}
		n, err := w.from.Read(w.raw[w.kept:])
		w.err = err
		w.convert(w.raw[:w.kept+n])
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

func (w *utf16Reader) convert(raw []byte) {
	w.out = w.out[:0]
	unit := func(i int) rune {
		if w.big {
			return rune(raw[i])<<8 | rune(raw[i+1])
		}
		return rune(raw[i+1])<<8 | rune(raw[i])
	}
	i := 0
	for ; i+1 < len(raw); i += 2 {
		c := unit(i)
		if utf16.IsSurrogate(c) {
			if i+3 >= len(raw) && w.err == nil {
				break
			}
			if i+3 < len(raw) {
				if pair := utf16.DecodeRune(c, unit(i+2)); pair != utf8.RuneError {
					c, i = pair, i+2
				}
			}
		}
		w.out = utf8.AppendRune(w.out, c)
	}
	w.kept = copy(w.raw[:], raw[i:])
}
