package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// rClient installs the R client and gives the library that has it.
func rClient(t testing.TB) string {
	t.Helper()
	if err := exec.Command("Rscript", "--vanilla", "-e", "find.package(c('httr2', 'jsonlite'))").Run(); err != nil {
		need.Missing(t, "no R with httr2 and jsonlite; to run this test: apt-get install r-base-core r-cran-httr2 "+
			"r-cran-jsonlite")
	}
	library := t.TempDir()
	inR(t, library, nil, "R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "--no-byte-compile",
		"--library="+library, absolute(t, "..", "..", "clients", "r"))
	return library
}

// inR runs a program of R to its end and gives what it prints.
func inR(t testing.TB, folder string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q ended with %v:\n%s", name, args, err, out)
	}
	return string(out)
}

// offCRAN has R ask nothing of CRAN, nor of a clock elsewhere: the environment for it.
func offCRAN(t *testing.T, folder string) []string {
	t.Helper()
	repository := filepath.Join(folder, "cran", "src", "contrib")
	profile := filepath.Join(folder, "profile.R")
	for _, err := range []error{
		os.MkdirAll(repository, 0o700),
		os.WriteFile(filepath.Join(repository, "PACKAGES"), nil, 0o600),
		os.WriteFile(profile, fmt.Appendf(nil, "options(repos = c(CRAN = 'file://%s'))\n",
			filepath.Join(folder, "cran")), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []string{"R_PROFILE=" + profile, "_R_CHECK_CRAN_INCOMING_=false", "_R_CHECK_SYSTEM_CLOCK_=false"}
}

// TestTheRClientDoesWhatItSays has R check the package as it is handed out, with its examples
// and tests against the real program on SQLite, and runs the tests on PostgreSQL too.
func TestTheRClientDoesWhatItSays(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	library, folder := rClient(t), t.TempDir()
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, secret := m.token(m.organization())
		env := []string{"KINEBASE_URL=" + m.serve().url, "KINEBASE_TOKEN=" + secret}
		if e == apptest.PostgreSQL {
			inR(t, folder, append(env, "R_LIBS="+library), "Rscript",
				absolute(t, "..", "..", "clients", "r", "tests", "server.R"))
			return
		}
		inR(t, folder, nil, absolute(t, "..", "..", "scripts", "r"), folder)
		packages, err := filepath.Glob(filepath.Join(folder, "kinebase_*.tar.gz"))
		if err != nil || len(packages) != 1 {
			t.Fatalf("the packages are %q: %v", packages, err)
		}
		env = append(env, offCRAN(t, folder)...)
		told := inR(t, folder, env, "R", "CMD", "check", "--as-cran", "--no-manual", packages[0])
		if !strings.Contains(told, "Status: OK") || !strings.Contains(told, "checking examples ... OK") {
			t.Errorf("the check says:\n%s", told)
		}
		said, err := os.ReadFile(filepath.Join(folder, "kinebase.Rcheck", "tests", "server.Rout"))
		if err != nil || strings.Contains(string(said), "\nKINEBASE_URL and") {
			t.Errorf("the tests did not ask the server: %v\n%s", err, said)
		}
	})
}
