package db

import (
	"errors"
	"os"
	"sync"
)

// presence tells the processes that use a data folder of each other: every one of them holds a
// shared lock of the folder. It guards nothing, for SQLite has locks of its own. A process that
// is killed leaves no lock behind.
type presence struct {
	lock   sync.Mutex
	folder *os.File // nil where the folder cannot be locked: nobody is alone there
}

func present(dir string) *presence {
	f, err := os.Open(dir)
	if err != nil {
		return &presence{}
	}
	if lockShared(f) != nil {
		_ = f.Close()
		return &presence{}
	}
	return &presence{folder: f}
}

// alone says whether no other process uses the folder. Two that ask at the same moment may both hear
// that they are not.
func (p *presence) alone() bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.folder == nil {
		return false
	}
	alone, err := lockAlone(p.folder)
	// A lock that could not be had has cost the one that was held.
	if lockShared(p.folder) != nil {
		_ = p.Close()
		return false
	}
	return alone && err == nil
}

func (p *presence) end() error {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.Close()
}

func (p *presence) Close() error {
	if p.folder == nil {
		return nil
	}
	f := p.folder
	p.folder = nil
	if err := f.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
