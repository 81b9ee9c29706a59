package intake

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/organization"
)

// Elsewhere takes motion files to another place than a store, such as a server.
type Elsewhere interface {
	people
	naming
	// Take takes a file there, or finds it there, and gives what is known of it then. The error of Unfit refuses
	// the file; any other one ends the import.
	Take(ctx context.Context, f Found) (*Capture, error)
}

// people are who can be linked.
type people interface {
	Athlete(ctx context.Context, s organization.Scope, id string) (athlete.Athlete, error)
	Athletes(ctx context.Context, s organization.Scope, q athlete.Query) (athlete.Page, error)
}

// Found is a motion file that was found in a folder.
type Found struct {
	ID    string // manifest.FileID of its path and bytes, without an organization
	Name  string // as it is called from now on, without a path
	Size  int64
	Given capture.Capture // what is known of it beside it
	Dry   bool            // nothing is to be written
	// File reads it. It fails with the error of Unfit when the file has changed since its ID was made.
	File io.ReaderAt
	// Moved is told how many of its bytes have come there.
	Moved func(bytes int64)
}

// Unfit makes the error that refuses a file, and the rest goes on.
func Unfit(why string) error { return &refusedFile{why} }

// IsUnfit says whether an error refuses a file, and not what follows.
func IsUnfit(err error) bool {
	var refused *refusedFile
	return errors.As(err, &refused)
}

// block is how much of a file is held against its first reading at a time, in bytes.
const block = 1 << 20

// blocks is an io.Writer that makes the SHA-256 of each block of what is written.
type blocks struct {
	sums [][sha256.Size]byte
	last hash.Hash // of the block that is not whole yet; nil between blocks
	came int       // bytes of that
}

// Write never fails.
func (b *blocks) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if b.last == nil {
			b.last = sha256.New()
		}
		n := min(block-b.came, len(rest))
		b.last.Write(rest[:n])
		rest = rest[n:]
		if b.came += n; b.came == block {
			b.end()
		}
	}
	return len(p), nil
}

// end ends the last block, which may be shorter.
func (b *blocks) end() {
	if b.last != nil {
		b.sums = append(b.sums, [sha256.Size]byte(b.last.Sum(nil)))
		b.last, b.came = nil, 0
	}
}

// steadyFile reads a file that must stay as it was: every byte that it gives is held against the first reading, of
// which the file's id was made.
type steadyFile struct {
	file *os.File
	was  fs.FileInfo
	sums [][sha256.Size]byte // of its blocks, when it was first read

	mu   sync.Mutex
	at   int64  // the number of the block in memory
	held []byte // that block; nil for none
}

// ReadAt is io.ReaderAt.
func (s *steadyFile) ReadAt(p []byte, off int64) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n < len(p) {
		if off >= s.was.Size() {
			return n, io.EOF
		}
		at := off / block
		if s.held == nil || s.at != at {
			if err := s.load(at); err != nil {
				return n, err
			}
		}
		came := copy(p[n:], s.held[off-at*block:])
		n, off = n+came, off+int64(came)
	}
	return n, nil
}

// load reads a block, and refuses the file when it is another one.
func (s *steadyFile) load(at int64) error {
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return &refusedFile{cannotRead(err).Error()}
	case info.Size() != s.was.Size() || !info.ModTime().Equal(s.was.ModTime()):
		return errChanging
	}
	held := s.held[:0]
	if s.held = nil; cap(held) == 0 {
		held = make([]byte, 0, min(block, s.was.Size()))
	}
	held = held[:min(block, s.was.Size()-at*block)]
	switch _, err := s.file.ReadAt(held, at*block); {
	case err == io.EOF:
		return errChanging
	case err != nil:
		return &refusedFile{cannotRead(err).Error()}
	case sha256.Sum256(held) != s.sums[at]: // also where size and time are as they were
		return errChanging
	}
	s.at, s.held = at, held
	return nil
}

// elsewhere has the file taken elsewhere.
func (s *stay) elsewhere(was fs.FileInfo, read *blocks) (*Capture, error) {
	if err := s.reading.Acquire(s.ctx, 1); err != nil {
		return nil, err
	}
	var once atomic.Bool
	release := func() {
		if once.CompareAndSwap(false, true) {
			s.reading.Release(1)
		}
	}
	defer release()
	came := int64(0)
	defer func() { s.moving.Add(-came) }()
	return s.Folders.Elsewhere.Take(s.ctx, Found{ID: s.id, Name: s.fileName(), Size: s.file.size, Given: s.task.given,
		Dry: s.Dry, File: &steadyFile{file: s.file.file, was: was, sums: read.sums}, Moved: func(bytes int64) {
			s.moving.Add(bytes - came)
			if came = bytes; came == s.file.size {
				release() // another one may come while the server reads this one
			}
		}})
}

// glance is how often progress is told while files move.
const glance = 200 * time.Millisecond
