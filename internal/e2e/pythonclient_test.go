package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// TestThePythonClientDoesWhatItSays runs the tests of clients/python: those of single calls, and those against the real
// program. The oldest and the newest Python of this machine that the client supports run them.
func TestThePythonClientDoesWhatItSays(t *testing.T) {
	testkit.Long(t)
	pythons := absolute(t, "..", "..", ".tools", "pythons")
	if _, err := os.Stat(filepath.Join(pythons, "installed")); err != nil {
		need.Missing(t, "no httpx and pandas for the Python client; to run this test: make .tools/pythons/installed")
	}
	client := absolute(t, "..", "..", "clients", "python")
	source := []string{"PYTHONPATH=" + filepath.Join(client, "src"), "PYTHONDONTWRITEBYTECODE=1"}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		url := m.serve().url
		for _, age := range []string{"oldest", "newest"} {
			interpreter := filepath.Join(pythons, age, "bin", "python")
			t.Logf("the %s is %s", age, python(t, interpreter, client, nil, "--version"))
			python(t, interpreter, client, source, "-m", "unittest", "discover", "-s", "tests")
			_, secret := m.token(m.organization())
			env := append([]string{"KINEBASE_URL=" + url, "KINEBASE_TOKEN=" + secret}, source...)
			python(t, interpreter, client, env, filepath.Join("tests", "server.py"))
		}
	})
}
