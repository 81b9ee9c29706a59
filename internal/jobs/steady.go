package jobs

import (
	"context"
	"io"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/upload"
)

// steady are files for work that nobody waits for: while the bucket does not answer, the
// work waits, keeps its lease, and goes on where it was.
type steady struct {
	upload.Files
	bucket *breaker.Breaker
}

// afterOutage is how long work is put off that cannot wait where it is.
const afterOutage = time.Second

// steadily makes a call as often as the bucket does not answer it.
func steadily(ctx context.Context, bucket *breaker.Breaker, call func() error) error {
	for {
		if err := bucket.Await(ctx); err != nil {
			return err
		}
		if err := call(); !breaker.Silent(err) {
			return err
		}
	}
}

// Put begins again with what can be read again. Of anything else the error is the
// caller's.
func (s steady) Put(ctx context.Context, name string, r io.Reader, size int64) (n int64, err error) {
	again, ok := r.(io.Seeker)
	if !ok {
		if err := s.bucket.Await(ctx); err != nil {
			return 0, err
		}
		return s.Files.Put(ctx, name, r, size)
	}
	err = steadily(ctx, s.bucket, func() (err error) {
		if _, err = again.Seek(0, io.SeekStart); err != nil {
			return err
		}
		n, err = s.Files.Put(ctx, name, r, size)
		return err
	})
	return n, err
}

// Open gives a file that is read as steadily.
func (s steady) Open(ctx context.Context, name string) (f upload.File, err error) {
	err = steadily(ctx, s.bucket, func() (err error) {
		f, err = s.Files.Open(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return steadyFile{f, s, ctx}, nil
}

// Erase removes a file.
func (s steady) Erase(ctx context.Context, name string) error {
	return steadily(ctx, s.bucket, func() error { return s.Files.Erase(ctx, name) })
}

type steadyFile struct {
	upload.File
	s   steady
	ctx context.Context
}

// ReadAt is io.ReaderAt.
func (f steadyFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = steadily(f.ctx, f.s.bucket, func() error {
		var more int
		more, err = f.File.ReadAt(p[n:], off+int64(n))
		n += more
		return err
	})
	return n, err
}
