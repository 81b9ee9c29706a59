package store

import (
	"context"
	"sync"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// watchers are those who wait for a change of their organization.
type watchers struct {
	mu      sync.Mutex
	waiting map[db.ID]chan struct{}
}

// Changed gives a channel that is closed at the organization's next change.
func (s *Store) Changed(sc organization.Scope) <-chan struct{} {
	org := sc.Organization
	w := &s.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[db.ID]chan struct{}{}
	}
	if w.waiting[org] == nil {
		w.waiting[org] = make(chan struct{})
	}
	return w.waiting[org]
}

// ring tells those who wait for an organization.
func (w *watchers) ring(org db.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.waiting[org]; c != nil {
		close(c)
		delete(w.waiting, org)
	}
}

// ringAll tells everybody.
func (w *watchers) ringAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for org, c := range w.waiting {
		close(c)
		delete(w.waiting, org)
	}
}

func (w *watchers) some() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.waiting) > 0
}

// watchEvery is how often the store looks for changes that other processes have made, while somebody waits.
const watchEvery = 500 * time.Millisecond

// watchLoop tells those who wait of what other processes have changed.
func (s *Store) watchLoop(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	seen, open := int64(-1), false
	for {
		select {
		case <-ctx.Done():
			s.watchers.ringAll()
			return
		case <-tick.C:
		}
		if !s.watchers.some() {
			seen = -1 // whoever comes next has read after what was changed until then, or is told once for nothing
			continue
		}
		ended, given, err := s.engine.Settled(ctx, db.ID{})
		if err != nil {
			if ctx.Err() == nil && !breaker.Silent(err) {
				s.log.Warn("looking for changes of other servers failed; it is tried again", "error", err)
			}
			continue
		}
		// A transaction that had its number when it was looked last may have committed since.
		if given != seen || open {
			s.watchers.ringAll()
		}
		seen, open = given, ended < given
	}
}
