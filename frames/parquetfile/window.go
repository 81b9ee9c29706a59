package parquetfile

import "io"

// Window is a part of a file in memory, from the byte At of the file on.
type Window struct {
	Bytes []byte
	At    int64
}

// ReadAt is io.ReaderAt of the file, as far as it is in memory.
func (w Window) ReadAt(p []byte, off int64) (int, error) {
	if off -= w.At; off < 0 || off >= int64(len(w.Bytes)) {
		return 0, io.EOF
	}
	n := copy(p, w.Bytes[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Part gives the bytes [begin, end) of the file, which are in memory.
func (w Window) Part(begin, end int64) []byte { return w.Bytes[begin-w.At : end-w.At] }
