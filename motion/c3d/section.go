package c3d

import (
	"errors"
	"io"
)

// block is the unit in which a C3D file is laid out; pointers count blocks from 1.
const block = 512

// chunk is how much of the parameter section is fetched at a time, at most; the
// first fetch is one block, the next as much again as is there already.
const chunk = 32 << 10

// section is the part of a file in which parameters may lie. It is fetched as it
// is read, because nobody can be trusted to say how long it is, and the data
// behind it may be gigabytes.
type section struct {
	r     io.ReaderAt
	start int64 // where it begins in the file
	limit int   // how long it can be at most
	buf   []byte
}

// at gives n bytes from pos on, or false when the section ends before; an error
// is one of the disk.
func (s *section) at(pos, n int) ([]byte, bool, error) {
	if pos > s.limit || n > s.limit-pos {
		return nil, false, nil
	}
	for len(s.buf) < pos+n {
		more := make([]byte, min(max(block, len(s.buf)), chunk, s.limit-len(s.buf)))
		got, err := readAt(s.r, more, s.start+int64(len(s.buf)))
		if err != nil {
			return nil, false, err
		}
		s.buf = append(s.buf, more[:got]...)
		if got < len(more) { // the file is shorter than we were told
			s.limit = len(s.buf)
			return s.at(pos, n)
		}
	}
	return s.buf[pos : pos+n], true, nil
}

// readAt reads as much of b as there is; the end of the file is no error.
func readAt(r io.ReaderAt, b []byte, off int64) (int, error) {
	n, err := r.ReadAt(b, off)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, err
	}
	return n, nil
}
