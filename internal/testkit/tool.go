package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// tool gives the program of a name that the Makefile built of tools. Without it the test is skipped (see
// need.Missing), with a word on what it needs the program as.
func tool(t testing.TB, name, as string) string {
	t.Helper()
	// A test runs in the folder of its package.
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		built := filepath.Join(dir, ".tools", name)
		if _, err := os.Stat(built); err == nil {
			return built
		}
		break
	}
	need.Missing(t, "this test needs %s, and there is no %s: run make .tools/%s", as, name, name)
	return ""
}
