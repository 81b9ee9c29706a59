package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// TestThePythonClientDoesWhatItSays runs the tests of clients/python: those of single calls, and
// those against the real program.
func TestThePythonClientDoesWhatItSays(t *testing.T) {
	testkit.Long(t)
	readers := absolute(t, "..", "..", ".tools", "readers")
	if _, err := os.Stat(filepath.Join(readers, "installed")); err != nil {
		need.Missing(t, "no httpx and pandas for the Python client; to run this test: make .tools/readers/installed")
	}
	interpreter, client := filepath.Join(readers, "bin", "python"), absolute(t, "..", "..", "clients", "python")
	source := "PYTHONPATH=" + filepath.Join(client, "src")
	python(t, interpreter, client, []string{source, "PYTHONDONTWRITEBYTECODE=1"}, "-m", "unittest", "discover", "-s",
		"tests")
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, secret := m.token(m.organization())
		env := []string{source, "PYTHONDONTWRITEBYTECODE=1", "KINEBASE_URL=" + m.serve().url,
			"KINEBASE_TOKEN=" + secret}
		python(t, interpreter, client, env, filepath.Join("tests", "server.py"))
	})
}
