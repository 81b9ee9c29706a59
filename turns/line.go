// Package turns shares bounded amounts among organizations: connections, the writer's
// queue, bytes of bodies, numbers, places. A caller who finds nothing left waits for a turn.
// Organizations take turns, waiting is bounded for callers, and when more wait than can
// be served in time the newest are refused.
package turns

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// How long a caller waits for its turn.
const (
	ToRead  = time.Second
	ToWrite = 5 * time.Second
)

// retry is how long a refused caller is told to wait.
const retry = time.Second

// Line is an amount of something that is held for a while. A key names each
// organization that shares it. Waiting calls are served by how little their
// organization holds, then in the order of arrival.
type Line[K comparable] struct {
	size    int64         // all there is
	reserve int64         // the part for organizations that hold little
	little  int64         // how much that is
	each    int64         // the most that one organization has
	wait    time.Duration // how long a caller waits

	mu      sync.Mutex
	used    int64
	held    map[K]int64     // those that hold something
	waiting map[K][]*waiter // by organization, in the order of arrival
	callers int             // how many callers wait
	arrived uint64
	pace    pace
}

// waiter is a call that waits for its part.
type waiter struct {
	n       int64
	number  uint64        // in the order of arrival
	caller  bool          // somebody waits for an answer: may be refused
	ended   chan struct{} // closed when the call has its part or is refused
	refused bool          // set before ended is closed
}

func newLine[K comparable](size, each int64, wait time.Duration) *Line[K] {
	return &Line[K]{size: size, each: each, wait: wait, held: map[K]int64{}, waiting: map[K][]*waiter{}}
}

// NewPlaces makes a line of n places, each held for a bounded time only: an organization
// may hold all of them while nobody else waits.
func NewPlaces[K comparable](n int64, wait time.Duration) *Line[K] { return newLine[K](n, n, wait) }

// NewRoom makes a line of an amount that may be held for long. Its last quarter is kept
// for organizations that hold at most a sixteenth of it, so that one that holds all that
// it can get makes only its own calls wait.
func NewRoom[K comparable](size int64, wait time.Duration) *Line[K] {
	l := newLine[K](size, size-size/4, wait)
	l.reserve, l.little = size/4, size/16
	return l
}

// NewShares makes a line in which each organization has n places of its own.
func NewShares[K comparable](n int64, wait time.Duration) *Line[K] {
	return newLine[K](math.MaxInt64, n, wait)
}

// Holds says how much of the line is held, and by how many organizations.
func (l *Line[K]) Holds() (amount int64, organizations int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used, len(l.held)
}

// Waits says how many calls wait.
func (l *Line[K]) Waits() (calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, queue := range l.waiting {
		calls += len(queue)
	}
	return calls
}

// fits says whether an organization may have n more now.
func (l *Line[K]) fits(who K, n int64) bool {
	switch has := l.held[who] + n; {
	case has <= l.little:
		return n <= l.size-l.used
	default:
		return has <= l.each && n <= l.size-l.reserve-l.used
	}
}

func (l *Line[K]) give(who K, n int64) {
	l.used += n
	l.held[who] += n
}

// Take takes n for an organization if it may have them now, before everybody who waits.
func (l *Line[K]) Take(who K, n int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.fits(who, n) {
		return false
	}
	l.give(who, n)
	return true
}

// Put gives back what was taken.
func (l *Line[K]) Put(who K, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used -= n
	if l.held[who] -= n; l.held[who] == 0 {
		delete(l.held, who)
	}
	if len(l.waiting) > 0 {
		l.serve(time.Now())
	}
}

// Acquire is Wait for all that one organization may have when n is more. leave gives
// back what was taken; calling it again does nothing.
func (l *Line[K]) Acquire(ctx context.Context, who K, n int64, message string) (leave func(), err error) {
	n = min(n, l.each)
	if err := l.Wait(ctx, who, n, message); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { l.Put(who, n) }), nil
}

// Wait waits for n, which Put gives back. A caller (see ForCaller) waits only so long,
// or not at all when more wait than can be served in time: the error is then a
// fault.Unavailable with the message. Everything else waits until ctx ends.
func (l *Line[K]) Wait(ctx context.Context, who K, n int64, message string) error {
	l.mu.Lock()
	if len(l.waiting) == 0 && l.fits(who, n) {
		l.give(who, n)
		l.mu.Unlock()
		return nil
	}
	w := l.join(who, n, isCaller(ctx))
	l.mu.Unlock()
	late, stop := l.Late(ctx)
	defer stop()
	var err error
	select {
	case <-w.ended:
		if w.refused {
			return Refuse(message)
		}
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-late:
		err = Refuse(message)
	}
	l.mu.Lock()
	waited := l.forget(who, w)
	l.mu.Unlock()
	if !waited && !w.refused { // it had its turn at the last moment
		l.Put(who, n)
	}
	return err
}

// join adds a call to those that wait, and refuses the newest one when they are too many.
func (l *Line[K]) join(who K, n int64, caller bool) *waiter {
	now := time.Now()
	l.arrived++
	w := &waiter{n: n, number: l.arrived, caller: caller, ended: make(chan struct{})}
	if len(l.waiting) == 0 {
		l.pace.begin(now)
	}
	l.waiting[who] = append(l.waiting[who], w)
	if caller {
		l.callers++
	}
	l.serve(now)
	if l.callers > l.pace.served(now, l.wait/2) {
		l.refuseNewest()
	}
	return w
}

// serve gives those who wait what they may have.
func (l *Line[K]) serve(now time.Time) {
	for len(l.waiting) > 0 {
		var next K
		var first *waiter
		for who, queue := range l.waiting {
			head := queue[0]
			if l.fits(who, head.n) && (first == nil || l.held[who] < l.held[next] || l.held[who] == l.held[next] &&
				head.number < first.number) {
				next, first = who, head
			}
		}
		if first == nil {
			return
		}
		l.forget(next, first)
		l.give(next, first.n)
		l.pace.count(now)
		close(first.ended)
	}
}

// refuseNewest refuses the newest caller of the organization that has the most of them
// waiting.
func (l *Line[K]) refuseNewest() {
	var most K
	var newest *waiter
	many := 0
	for who, queue := range l.waiting {
		callers, last := 0, (*waiter)(nil)
		for _, w := range queue {
			if w.caller {
				callers, last = callers+1, w
			}
		}
		if callers > many || callers == many && callers > 0 && last.number > newest.number {
			many, most, newest = callers, who, last
		}
	}
	l.forget(most, newest)
	newest.refused = true
	close(newest.ended)
}

// forget takes a call out of those who wait, and says whether it still waited.
func (l *Line[K]) forget(who K, w *waiter) bool {
	queue := l.waiting[who]
	i := slices.Index(queue, w)
	if i < 0 {
		return false
	}
	if w.caller {
		l.callers--
	}
	if len(queue) == 1 {
		delete(l.waiting, who)
	} else {
		l.waiting[who] = slices.Delete(queue, i, i+1)
	}
	return true
}
