package testkit

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	reading "github.com/kinebase/kinebase/internal/process"
)

// ending is what has to be undone when the test process ends.
var ending struct {
	sync.Mutex
	open  bool // Main runs, so what is added will be undone
	steps []func()
}

// Main runs a package's tests, stops every server that they started, and exits.
// Tests that passed but left a goroutine behind fail: in a server such a
// goroutine is a leak. Options name goroutines that may stay.
//
// A server reads motion files in children of its own program. In a test that is the program
// that scripts/test has built: a child with the race detector and all that tests import takes six
// times as long to begin, and the tests of internal/process watch what children do. Without it
// the test is its own child: such a child runs no tests.
func Main(m *testing.M, allowed ...goleak.Option) {
	if len(os.Args) > 1 && (os.Args[1] == reading.Verb || os.Args[1] == reading.Confine) {
		os.Exit(reading.Main(os.Args[1:]))
	}
	if built := os.Getenv("KINEBASE_TEST_PROGRAM"); built != "" {
		if _, err := os.Stat(built); err == nil {
			reading.Program = func() string { return built }
		}
	}
	ending.Lock()
	ending.open = true
	ending.Unlock()

	code := m.Run()

	undoAll()
	// Kept-alive connections of the default client belong to nobody's test.
	http.DefaultClient.CloseIdleConnections()
	if code == 0 {
		if err := goleak.Find(allowed...); err != nil {
			fmt.Fprintln(os.Stderr, "the tests passed, but left goroutines running:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// atEnd notes a step for the end of the test process; the last one noted runs
// first. It refuses when nobody will run it, for then a server would outlive its
// tests' cleanup and leave a folder behind.
func atEnd(t testing.TB, step func()) {
	t.Helper()
	ending.Lock()
	defer ending.Unlock()
	if !ending.open {
		step()
		t.Fatal("this package's tests use a server of testkit: add func TestMain(m *testing.M) { testkit.Main(m) }")
	}
	ending.steps = append(ending.steps, step)
}

func undoAll() {
	ending.Lock()
	steps := ending.steps
	ending.steps, ending.open = nil, false
	ending.Unlock()
	for _, step := range slices.Backward(steps) {
		step()
	}
}

// Long leaves a test out of a short run (go test -short): it takes about a second of processor time or more, or waits
// for several.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long, and this is a short run")
	}
}
