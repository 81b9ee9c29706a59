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
// program. The oldest and the newest Python of this machine that the client supports run them, with the client of its
// wheel.
func TestThePythonClientDoesWhatItSays(t *testing.T) {
	testkit.Long(t)
	pythons := absolute(t, "..", "..", ".tools", "pythons")
	if _, err := os.Stat(filepath.Join(pythons, "installed")); err != nil {
		need.Missing(t, "no httpx and pandas for the Python client; to run this test: make .tools/pythons/installed")
	}
	client := absolute(t, "..", "..", "clients", "python")
	wheel := pythonWheel(t, filepath.Join(pythons, "newest", "bin", "python"), client)
	source := []string{"PYTHONPATH=" + wheel, "PYTHONDONTWRITEBYTECODE=1"}
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

// pythonWheel has the types of the client checked, makes its wheel as it is handed out, and gives a folder that has
// what is in it.
func pythonWheel(t *testing.T, interpreter, client string) (folder string) {
	t.Helper()
	python(t, interpreter, client, nil, "-m", "mypy", "--cache-dir="+t.TempDir())
	made, folder := t.TempDir(), t.TempDir()
	python(t, interpreter, client, nil, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps",
		"--no-build-isolation", "-w", made, ".")
	wheels, err := filepath.Glob(filepath.Join(made, "kinebase-*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("the wheels are %q: %v", wheels, err)
	}
	python(t, interpreter, client, nil, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps",
		"--no-index", "--target", folder, wheels[0])
	if _, err := os.Stat(filepath.Join(folder, "kinebase", "py.typed")); err != nil {
		t.Errorf("who installs the wheel has no types: %v", err)
	}
	return folder
}
