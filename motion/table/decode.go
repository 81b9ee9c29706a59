package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kinebase/kinebase/motion/quality"
)

// decoded is the text of a file of that many bytes, in UTF-8 or, byte by byte, in
// whatever else it is in: UTF-16 is taken to UTF-8, and a byte order mark goes. What
// is no text at all is refused by name.
func decoded(r io.ReaderAt, size int64) (io.Reader, error) {
	begin := make([]byte, min(size, 512))
	n, err := r.ReadAt(begin, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	begin = begin[:n]
	all := func(from int64) io.Reader { return io.NewSectionReader(r, from, size-from) }
	switch {
	case bytes.HasPrefix(begin, []byte("\xef\xbb\xbf")):
		return all(3), nil
	case bytes.HasPrefix(begin, []byte("\xff\xfe")):
		return &wide{from: all(2)}, nil
	case bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return &wide{from: all(2), big: true}, nil
	case len(begin) >= 16 && zeros(begin, 1) && !zeros(begin, 0):
		return &wide{from: all(0)}, nil
	case len(begin) >= 16 && zeros(begin, 0) && !zeros(begin, 1):
		return &wide{from: all(0), big: true}, nil
	}
	if what := foreign(begin); what != "" {
		return nil, &quality.Unreadable{Reason: "The file is " + what + " and no table of text", Hint: "Save it as CSV, or export it again."}
	}
	return all(0), nil
}

// zeros says whether every second byte is 0 from one on, as in UTF-16 of Latin letters.
func zeros(b []byte, from int) bool {
	for i := from; i < len(b); i += 2 {
		if b[i] != 0 {
			return false
		}
	}
	return true
}

// foreign names what a file is that is no text.
func foreign(begin []byte) string {
	text := bytes.TrimLeft(begin, " \t\r\n")
	for _, known := range []struct{ begins, what string }{
		{"PK\x03\x04", "a zip archive, as Excel workbooks (.xlsx) are,"},
		{"\xd0\xcf\x11\xe0", "an Excel workbook of the older kind (.xls)"},
		{"%pdf", "a PDF document"}, {"\x1f\x8b", "a gzip archive"}, {"{\\rtf", "a text document (.rtf)"},
		{"<!doctype", "a web page (HTML)"}, {"<html", "a web page (HTML)"}, {"<?xml", "an XML document"},
		{"\x89png", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"\x89hdf", "an HDF5 file"}, {"matlab 5.0", "a MATLAB file"},
		{"{", "JSON"}, {"[{", "JSON"},
	} {
		if n := len(known.begins); len(text) >= n && (string(text[:n]) == known.begins || strings.EqualFold(string(text[:n]), known.begins)) {
			return known.what
		}
	}
	if n := bytes.Count(begin, []byte{0}); n > len(begin)/8 && n > 8 {
		return fmt.Sprintf("binary (%d of its first %d bytes are 0)", n, len(begin))
	}
	return ""
}

// wide takes UTF-16 to UTF-8.
type wide struct {
	from io.Reader
	big  bool
	raw  [4096]byte
	kept int // bytes of raw that belong to a character that is not whole yet
	out  []byte
	err  error
}

// Read is io.Reader.
func (w *wide) Read(p []byte) (int, error) {
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

func (w *wide) convert(raw []byte) {
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
