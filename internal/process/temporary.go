package process

import (
	"errors"
	"io"
	"os"

	"github.com/kinebase/kinebase/upload"
)

// temporary makes a file without a name: whoever is killed, nothing is left of it.
func (r *Runner) temporary() (*os.File, error) {
	dir := r.Dir
	if dir == "" {
		dir = os.TempDir()
	}
	// Some file systems do not know files without a name.
	if f, ok := nameless(dir); ok {
		return f, nil
	}
	f, err := os.CreateTemp(dir, ".kinebase-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// held is a temporary file as an upload.File.
type held struct {
	*os.File
	size int64
}

// Size is how many bytes it has.
func (h held) Size() int64 { return h.size }

// kept gives a temporary file that something was written to; nil when nothing was.
// It is closed when that fails.
func kept(f *os.File) (upload.File, error) {
	info, err := f.Stat()
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil || info.Size() == 0 {
		return nil, errors.Join(err, f.Close())
	}
	return held{f, info.Size()}, nil
}

// input gives a file of the disk with the bytes of f, and what closes it.
func (r *Runner) input(f upload.File) (*os.File, func() error, error) {
	switch own := f.(type) {
	case interface{ File() *os.File }:
		return own.File(), func() error { return nil }, nil
	case held:
		return own.File, func() error { return nil }, nil
	}
	copied, err := r.temporary()
	if err != nil {
		return nil, nil, err
	}
	if _, err := io.Copy(copied, io.NewSectionReader(f, 0, f.Size())); err != nil {
		return nil, nil, errors.Join(err, copied.Close())
	}
	return copied, copied.Close, nil
}
