//go:build campaign

package e2e

import "sync"

// nthCall counts calls, the Nth of which fails.
type nthCall struct {
	lock  sync.Mutex
	calls int
	at    int  // 0: none
	done  bool // it is done first, and its caller does not hear of it
	hit   int
}

// arm begins to count, and names the call that fails.
func (n *nthCall) arm(at int, done bool) {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.calls, n.hit, n.at, n.done = 0, 0, at, done
}

// next counts a call, and says what becomes of it.
func (n *nthCall) next() (fails, done bool) {
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.calls++; n.calls != n.at {
		return false, false
	}
	n.hit++
	return true, n.done
}

// counts is how many calls there were, and how many of them have failed.
func (n *nthCall) counts() (calls, failed int) {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.calls, n.hit
}
