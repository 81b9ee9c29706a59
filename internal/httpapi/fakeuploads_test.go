package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// uploads keeps files and reservations in memory.
type uploads struct {
	upload.Store
	mu      sync.Mutex
	files   map[string][]byte
	waiting map[string]bool      // sessions
	coming  map[string]time.Time // names, and until when they are expected
	arrived map[string]string    // session → name, size and hash
	full    bool                 // the disk
	room    upload.Room          // of the organization
	stored  map[string]upload.Stored
}

func newUploads(waiting ...string) *uploads {
	s := &uploads{files: map[string][]byte{}, waiting: map[string]bool{}, coming: map[string]time.Time{},
		arrived: map[string]string{}, stored: map[string]upload.Stored{}}
	for _, session := range waiting {
		s.waiting[session] = true
	}
	return s
}

func (s *uploads) Expect(_ context.Context, _ organization.Scope, session, name string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.arrived[session] != "":
		return fault.New(fault.Conflict, "a file has been uploaded already")
	case !s.waiting[session]:
		return fault.New(fault.NotFound, "there is no such capture")
	}
	s.coming[name] = until
	return nil
}

func (s *uploads) Room(context.Context, organization.Scope) (upload.Room, error) { return s.room, nil }

func (s *uploads) Arrive(_ context.Context, _ organization.Scope, session, name string, size int64, sum string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.arrived[session] != "" {
		return fault.New(fault.Conflict, "a file has been uploaded already")
	}
	s.arrived[session] = fmt.Sprintf("%s %d %s", name, size, sum)
	delete(s.coming, name)
	return nil
}

func (s *uploads) Forget(_ context.Context, _ organization.Scope, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		delete(s.coming, name)
		delete(s.files, name)
	}
	return nil
}

func (s *uploads) Put(_ context.Context, name string, r io.Reader, _ int64) (int64, error) {
	if s.full {
		return 0, fault.Busy(syscall.ENOSPC, 5*time.Second, "The server's disk is full. Nothing was stored.")
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = b
	return int64(len(b)), nil
}

type openFile struct{ *bytes.Reader }

func (openFile) Close() error { return nil }

func (s *uploads) Open(_ context.Context, name string) (upload.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.files[name]
	if !ok {
		return nil, upload.ErrNoFile
	}
	return openFile{bytes.NewReader(b)}, nil
}

func (s *uploads) Erase(_ context.Context, name string) error {
	delete(s.files, name)
	return nil
}

func (s *uploads) Stored(_ context.Context, _ organization.Scope, session string) (upload.Stored, error) {
	one, ok := s.stored[session]
	if !ok {
		return one, fault.New(fault.NotFound, "there is no such capture")
	}
	return one, nil
}

// nothing says that an upload left nothing behind.
func (s *uploads) nothing(t *testing.T, what string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files)+len(s.coming)+len(s.arrived) > 0 {
		t.Errorf("%s leaves %d files, expects %v, has %v", what, len(s.files), s.coming, s.arrived)
	}
}
