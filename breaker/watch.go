package breaker

import (
	"sync"
	"time"
)

// Watch is the watch over one exchange with a neighbour. A nil Watch watches nothing.
type Watch struct {
	b      *Breaker
	limit  time.Duration
	silent func()

	mu    sync.Mutex
	stop  func() bool
	moved bool          // since the last look
	quiet time.Duration // how long nothing has moved, as far as is known
	ended bool
}

// Watch begins to watch an exchange. When nothing has moved for Patience, the neighbour
// is asked. When nothing has moved for limit, silent is called once and the watch ends; a
// limit of 0 is none. Time is counted in steps of Patience, so that both may come one
// step later.
func (b *Breaker) Watch(limit time.Duration, silent func()) *Watch {
	if b == nil {
		return nil
	}
	w := &Watch{b: b, limit: limit, silent: silent}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop = b.options.After(Patience, w.look)
	return w
}

// Moved says that something was sent or received.
func (w *Watch) Moved() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moved = true
}

// End ends the watch; calling it again does nothing.
func (w *Watch) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.stop()
}

// look is called every Patience.
func (w *Watch) look() {
	if w.late() {
		w.silent()
	}
}

// late notes another step, and says whether it was the last that the exchange has.
func (w *Watch) late() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.ended:
		return false
	case w.moved:
		w.moved, w.quiet = false, 0
	default:
		w.quiet += Patience
		w.b.suspect()
		if w.limit > 0 && w.quiet >= w.limit {
			w.ended = true
			return true
		}
	}
	w.stop = w.b.options.After(Patience, w.look)
	return false
}
