package sending_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/testkit"
)

// TestMain makes the test program the reader of motion files, as kinebase is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == process.Verb {
		syscall.Exit(process.Main(os.Args[1:]))
	}
	testkit.Main(m)
}
