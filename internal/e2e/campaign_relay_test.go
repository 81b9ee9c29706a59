//go:build campaign

package e2e

import (
	"net"
	"sync"
	"testing"
	"time"
)

// way is how a neighbour is reached through a relay.
type way int

const (
	well     way = iota
	gone         // connections are closed, and new ones too
	late         // whatever is said arrives late
	halfOpen     // connections stay open, and nothing that is said arrives; they stay so when all is well again
)

// delay is by how much, in each direction.
const delay = 300 * time.Millisecond

// relay stands between servers and a neighbour.
type relay struct {
	network, real string
	listener      net.Listener
	lock          sync.Mutex
	way           way
	open          map[net.Conn]bool // false: nothing passes any more
	ended         bool
	all           sync.WaitGroup
}

// relayed listens at an address, and passes on to another one of the same network.
func relayed(t *testing.T, network, at, real string) *relay {
	t.Helper()
	l, err := net.Listen(network, at)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{network: network, real: real, listener: l, open: map[net.Conn]bool{}}
	r.all.Go(func() {
		for {
			caller, err := l.Accept()
			if err != nil {
				return
			}
			r.all.Go(func() { r.serve(caller) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		r.lock.Lock()
		r.ended = true
		r.closeAll()
		r.lock.Unlock()
		r.all.Wait()
	})
	return r
}

// address is where it listens.
func (r *relay) address() string { return r.listener.Addr().String() }

// set has the neighbour reached in another way from now on.
func (r *relay) set(to way) {
	r.lock.Lock()
	defer r.lock.Unlock()
	switch r.way = to; to {
	case gone:
		r.closeAll()
	case halfOpen:
		for c := range r.open {
			r.open[c] = false
		}
	}
}

func (r *relay) closeAll() {
	for c := range r.open {
		_ = c.Close()
	}
}

// keep notes a connection; false where there can be none.
func (r *relay) keep(c net.Conn) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.ended || r.way == gone {
		_ = c.Close()
		return false
	}
	r.open[c] = r.way != halfOpen
	return true
}

func (r *relay) drop(c net.Conn) {
	r.lock.Lock()
	defer r.lock.Unlock()
	delete(r.open, c)
	_ = c.Close()
}

// passes says whether what comes by a connection arrives, and whether late.
func (r *relay) passes(c net.Conn) (arrives, slowly bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.open[c], r.way == late
}

func (r *relay) serve(caller net.Conn) {
	if !r.keep(caller) {
		return
	}
	defer r.drop(caller)
	neighbour, err := net.Dial(r.network, r.real)
	if err != nil {
		return
	}
	if !r.keep(neighbour) {
		return
	}
	defer r.drop(neighbour)
	var back sync.WaitGroup
	back.Go(func() { r.pump(caller, neighbour) })
	r.pump(neighbour, caller)
	back.Wait()
}

// pump passes on what comes until either side has ended. An end does not arrive either where nothing does.
func (r *relay) pump(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		arrives, slowly := r.passes(from)
		if arrives && slowly && n > 0 {
			<-time.After(delay)
			arrives, _ = r.passes(from)
		}
		if arrives && n > 0 {
			_, _ = to.Write(buffer[:n]) // an error is met again by reading
		}
		if err != nil {
			if arrives {
				_ = to.Close()
			}
			return
		}
	}
}
