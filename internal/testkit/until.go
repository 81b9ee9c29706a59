package testkit

import (
	"testing"
	"time"
)

// Patience bounds a wait for what must happen, so that a test of a program that hangs
// ends. It is no rule of the product's: on a machine that is busy with other work
// anything may take a while, so no test may pass or fail by how long something took. Motion of
// a video takes 20 s of a core, and minutes where ten others want it too.
const Patience = 10 * time.Minute

// Until asks again and again until it holds: for what another process or a loop behind
// the scenes does, which can send no signal. The test ends when that does not happen.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !until(Patience, holds) {
		t.Fatalf("waited in vain until %s", what)
	}
}

// Receive waits for a signal and gives it.
func Receive[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(Patience):
		t.Fatalf("waited in vain until %s", what)
		panic("unreachable")
	}
}
