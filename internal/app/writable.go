package app

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	writeEvery = time.Second     // how often /readyz has something written, at most
	writeLimit = 5 * time.Second // how long a write may take
)

var errSlowWrite = errors.New("a write has not ended in time")

// writable says whether the store can be written, by a write of its own: at most one
// a second, however many ask, and one at a time.
type writable struct {
	write func(context.Context) error
	now   func() time.Time

	mu    sync.Mutex
	begun time.Time     // the last write
	done  chan struct{} // closed when it has ended; nil once it has
	err   error         // of the last write that has ended
}

// check gives the error of the last write, and waits for the one under way until ctx
// ends. One that takes longer than ctx changes nothing until it has taken too long.
func (p *writable) check(ctx context.Context) error {
	done := p.begin()
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done != nil && p.now().Sub(p.begun) >= writeLimit {
		return errSlowWrite
	}
	return p.err
}

// begin begins a write when one is due, and gives what ends the one under way.
func (p *writable) begin() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done != nil || p.now().Sub(p.begun) < writeEvery {
		return p.done
	}
	done := make(chan struct{})
	p.begun, p.done = p.now(), done
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
		defer cancel()
		err := p.write(ctx)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.err, p.done = err, nil
		close(done)
	}()
	return done
}
