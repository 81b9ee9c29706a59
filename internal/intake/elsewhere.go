package intake

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
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

// steadyFile reads a file that must stay as it was.
type steadyFile struct {
	file *os.File
	was  fs.FileInfo
}

// ReadAt is io.ReaderAt.
func (s *steadyFile) ReadAt(p []byte, off int64) (int, error) {
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return 0, &refusedFile{cannotRead(err).Error()}
	case info.Size() != s.was.Size() || !info.ModTime().Equal(s.was.ModTime()):
		return 0, errChanging
	}
	n, err := s.file.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = &refusedFile{cannotRead(err).Error()}
	}
	return n, err
}

// elsewhere has the file taken elsewhere.
func (s *stay) elsewhere(was fs.FileInfo) (*Capture, error) {
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
		Dry: s.Dry, File: &steadyFile{s.file.file, was}, Moved: func(bytes int64) {
			s.moving.Add(bytes - came)
			if came = bytes; came == s.file.size {
				release() // another one may come while the server reads this one
			}
		}})
}

// glance is how often progress is told while files move.
const glance = 200 * time.Millisecond
