package httpapi

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// room is an amount of something that callers hold for a while: bytes, numbers, places.
// Organizations share it. Its last quarter is kept for organizations that hold little,
// so that one that holds all that it can get makes only its own calls wait; and whoever
// waits is served by how little the organization holds, then in the order of arrival.
type room struct {
	size    int64
	reserve int64 // the part for organizations that hold little
	little  int64 // how much that is

	mu      sync.Mutex
	used    int64
	held    map[string]int64 // by organization; those that hold something
	waiting []*waiter        // in the order of arrival
}

// waiter is a call that waits for its part.
type waiter struct {
	organization string
	n            int64
	granted      chan struct{} // closed when it has its part
}

// newRoom makes a room whose last quarter is kept for organizations that hold little.
func newRoom(size int64) *room {
	return &room{size: size, reserve: size / 4, little: size / 16, held: map[string]int64{}}
}

// newPlaces makes a room of a few places, which are held for a bounded time only: none
// of them is kept free.
func newPlaces(n int64) *room { return &room{size: n, held: map[string]int64{}} }

// fits says whether an organization may have n more now.
func (r *room) fits(organization string, n int64) bool {
	if r.held[organization]+n <= r.little {
		return r.used+n <= r.size
	}
	return r.used+n <= r.size-r.reserve
}

func (r *room) give(organization string, n int64) {
	r.used += n
	r.held[organization] += n
}

// take takes n for an organization if it may have them now, before everybody who waits.
func (r *room) take(organization string, n int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.fits(organization, n) {
		return false
	}
	r.give(organization, n)
	return true
}

// put gives back what was taken.
func (r *room) put(organization string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= n
	if r.held[organization] -= n; r.held[organization] == 0 {
		delete(r.held, organization)
	}
	r.serve()
}

// serve gives those who wait what they may have.
func (r *room) serve() {
	for {
		next := -1
		for i, w := range r.waiting {
			if r.fits(w.organization, w.n) && (next < 0 || r.held[w.organization] < r.held[r.waiting[next].organization]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := r.waiting[next]
		r.waiting = slices.Delete(r.waiting, next, next+1)
		r.give(w.organization, w.n)
		close(w.granted)
	}
}

// acquire waits a while for n, or for all that one organization may have when that is
// less, and is a fault.Unavailable with the message when they do not come free. leave
// gives them back; calling it again does nothing.
func (r *room) acquire(ctx context.Context, organization string, n int64, message string) (leave func(), err error) {
	n = min(n, r.size-r.reserve)
	w := &waiter{organization, n, make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
	r.serve()
	r.mu.Unlock()
	leave = sync.OnceFunc(func() { r.put(organization, n) })
	timeout := time.NewTimer(roomWait)
	defer timeout.Stop()
	select {
	case <-w.granted:
		return leave, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timeout.C:
		err = fault.Busy(nil, time.Second, message)
	}
	if !r.forget(w) { // it was granted at the last moment
		leave()
	}
	return nil, err
}

// forget takes a call out of those who wait, and says whether it still waited.
func (r *room) forget(w *waiter) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.waiting, w)
	if i < 0 {
		return false
	}
	r.waiting = slices.Delete(r.waiting, i, i+1)
	return true
}
