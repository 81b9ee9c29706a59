package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/text"
)

// checked is an error for a file of that many bytes that is no text at all, by name. A
// text is in UTF-8, in UTF-16, or byte by byte in whatever else it is in.
func checked(r io.ReaderAt, size int64) error {
	begin := make([]byte, min(size, 512))
	n, err := r.ReadAt(begin, 0)
	if err != nil && err != io.EOF {
		return err
	}
	begin = begin[:n]
	if wide, _ := text.Wide(begin); wide {
		return nil
	}
	if what := foreign(bytes.TrimPrefix(begin, []byte("\xef\xbb\xbf"))); what != "" {
		return &quality.Unreadable{Reason: "The file is " + what + " and no table of text",
			Hint: "Save it as CSV, or export it again."}
	}
	return nil
}

// foreign names what a file is that is no text.
func foreign(begin []byte) string {
	start := bytes.TrimLeft(begin, " \t\r\n")
	for _, known := range []struct{ begins, what string }{
		{"PK\x03\x04", "a zip archive, as Excel workbooks (.xlsx) are,"},
		{"\xd0\xcf\x11\xe0", "an Excel workbook of the older kind (.xls)"},
		{"%pdf", "a PDF document"}, {"\x1f\x8b", "a gzip archive"}, {"{\\rtf", "a text document (.rtf)"},
		{"<!doctype", "a web page (HTML)"}, {"<html", "a web page (HTML)"}, {"<?xml", "an XML document"},
		{"\x89png", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"\x89hdf", "an HDF5 file"},
		{"matlab 5.0", "a MATLAB file"},
		{"{", "JSON"}, {"[{", "JSON"},
	} {
		if n := len(known.begins); len(start) >= n &&
			(string(start[:n]) == known.begins || known.begins[0] < 0x80 && known.begins[len(known.begins)-1] < 0x80 &&
				strings.EqualFold(string(start[:n]), known.begins)) {
			return known.what
		}
	}
	if n := bytes.Count(begin, []byte{0}); n > len(begin)/8 && n > 8 {
		return fmt.Sprintf("binary (%d of its first %d bytes are 0)", n, len(begin))
	}
	return ""
}
