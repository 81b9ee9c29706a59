package video

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/kinebase/kinebase/motion/quality"
)

// box is a piece of the file: its kind, and where its content lies. Boxes lie in
// boxes.
type box struct {
	kind       string
	start, end int64
}

// file is a file of boxes.
type file struct {
	r     io.ReaderAt
	size  int64
	boxes int  // looked at so far
	cut   bool // some box should go on behind the end of the file
}

// most bounds the boxes of a file. A recording of a day in fragments of a second
// has fewer.
const most = 4 << 20

// each goes through the boxes between two places. A box that announces more than
// there is ends where what it lies in ends.
func (f *file) each(start, end int64, visit func(box) error) error {
	for at := start; at+8 <= end; {
		var head [16]byte
		n, err := readAt(f.r, head[:min(16, end-at)], at)
		if err != nil {
			return fmt.Errorf("reading the video: %w", err)
		}
		if n < 8 {
			f.cut = true
			return nil
		}
		size, content := int64(binary.BigEndian.Uint32(head[:])), at+8
		switch {
		case size == 1 && n == 16: // its size takes 8 bytes behind the kind
			size, content = int64(binary.BigEndian.Uint64(head[8:])), at+16
		case size == 0: // it goes on to the end
			size = end - at
		}
		if size < content-at { // among others, a size beyond all bounds is negative here
			return &quality.Unreadable{
				Reason: fmt.Sprintf("The part %q of the file is damaged: it says that it is %d bytes long",
					kind(head[4:8]), size), Offset: at, Hint: quality.CopyAgain,
			}
		}
		b := box{kind: string(head[4:8]), start: content, end: end}
		if size <= end-at {
			b.end = at + size
		} else {
			f.cut = true
		}
		if f.boxes++; f.boxes > most {
			return &quality.Unreadable{Reason: "The file consists of more than four million parts", Offset: at,
				Hint: quality.ExportAgain}
		}
		if err := visit(b); err != nil {
			return err
		}
		at = b.end
	}
	return nil
}

// kind makes the kind of a box fit into a sentence.
func kind(b []byte) string {
	s := make([]byte, len(b))
	for i, c := range b {
		if s[i] = c; c < ' ' || c > '~' {
			s[i] = '?'
		}
	}
	return string(s)
}

// content gives the first n bytes of a box, or false when it has fewer.
func (f *file) content(b box, n int) ([]byte, bool, error) {
	if int64(n) > b.end-b.start {
		return nil, false, nil
	}
	buf := make([]byte, n)
	got, err := readAt(f.r, buf, b.start)
	if err != nil {
		return nil, false, fmt.Errorf("reading the video: %w", err)
	}
	return buf, got == n, nil
}

// table goes through the entries of a table in a box. They begin head bytes into
// it, which need not have so many, and are each of them wide bytes; there are at most
// as many as have room.
func (f *file) table(b box, head, wide int, count uint32, visit func([]byte)) error {
	n := min(int64(count), max(0, b.end-b.start-int64(head))/int64(wide))
	if n < int64(count) {
		f.cut = true
	}
	const atOnce = 4096
	buf := make([]byte, min(n, atOnce)*int64(wide))
	for from := int64(0); from < n; from += atOnce {
		part := buf[:min(n-from, atOnce)*int64(wide)]
		got, err := readAt(f.r, part, b.start+int64(head)+from*int64(wide))
		if err != nil {
			return fmt.Errorf("reading the video: %w", err)
		}
		for part = part[:got]; len(part) >= wide; part = part[wide:] {
			visit(part[:wide])
		}
	}
	return nil
}

// readAt reads as much of b as there is; the end of the file is no error.
func readAt(r io.ReaderAt, b []byte, off int64) (int, error) {
	n, err := r.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, err
	}
	return n, nil
}
