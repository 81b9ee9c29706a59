package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	_ "github.com/kinebase/kinebase/internal/cli" // so that a change of the program makes these tests run again
	"github.com/kinebase/kinebase/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// program builds the program as people run it, without the race detector, once
// for all tests, unless scripts/test has. The file has no name left when it is first run,
// so that nothing stays behind however the tests end.
var program = sync.OnceValues(func() (string, error) {
	if built, err := os.Open(os.Getenv("KINEBASE_TEST_PROGRAM")); err == nil {
		return running(built), nil
	}
	dir, err := os.MkdirTemp("", "kb-e2e-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "kinebase")
	build := exec.Command("go", "build", "-trimpath", "-o", file, "github.com/kinebase/kinebase/cmd/kinebase")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	open, err := os.Open(file)
	if err != nil {
		return "", err
	}
	return running(open), nil
})

// running keeps the program open and gives a path to it that needs no name.
func running(open *os.File) string {
	kept = open
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), open.Fd())
}

// kept holds the built program open.
var kept *os.File

// seeded is chance that can be repeated: a failed test prints what it grew from.
func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	if text := os.Getenv("KINEBASE_TEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("KINEBASE_TEST_SEED must be a number: %v", err)
		}
	}
	t.Logf("KINEBASE_TEST_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
