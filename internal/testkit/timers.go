package testkit

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Timers are a clock for what is waited for at most so long: no time passes but what the
// test says. The zero value is ready.
type Timers struct {
	mu   sync.Mutex
	wait []*timer
}

type timer struct {
	d time.Duration
	f func()
}

// After notes that f is to be called after d; stop takes it back, and says whether it was
// in time.
func (c *Timers) After(d time.Duration, f func()) (stop func() bool) {
	t := &timer{d, f}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wait = append(c.wait, t)
	return func() bool { return c.take(t) }
}

func (c *Timers) take(t *timer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.wait, t)
	if i >= 0 {
		c.wait = slices.Delete(c.wait, i, i+1)
	}
	return i >= 0
}

// Pass lets d pass for all who wait for just that long, and says whether there were any.
func (c *Timers) Pass(d time.Duration) bool {
	c.mu.Lock()
	var due []*timer
	c.wait = slices.DeleteFunc(c.wait, func(t *timer) bool {
		if t.d == d {
			due = append(due, t)
		}
		return t.d == d
	})
	c.mu.Unlock()
	for _, t := range due {
		t.f()
	}
	return len(due) > 0
}

// Await waits until somebody waits for d, and lets it pass. Meanwhile it lets pass what
// others wait for that leads there.
func (c *Timers) Await(t testing.TB, d time.Duration, others ...time.Duration) {
	t.Helper()
	Until(t, "something waits for "+d.String(), func() bool {
		if c.Pass(d) {
			return true
		}
		for _, other := range others {
			c.Pass(other)
		}
		return false
	})
}
