package housetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// computer is a folder of programs that scripts/need takes for all there are: who runs
// it, and a sh that installs a package by making a program of its name.
type computer struct {
	*testing.T
	programs string
	log      string // what was run with rights
}

func newComputer(t *testing.T, user string, programs map[string]string) computer {
	t.Helper()
	m := computer{t, t.TempDir(), filepath.Join(t.TempDir(), "log")}
	for _, real := range []string{"bash", "env", "touch", "chmod"} {
		path, err := exec.LookPath(real)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(m.programs, real)); err != nil {
			t.Fatal(err)
		}
	}
	m.program("id", "echo "+user)
	m.program("apt-get", "exit 1") // the one that installs is the sh below
	m.program("sh", `shift 3; echo "installs $*" >>"`+m.log+`"; for p; do touch "`+m.programs+
		`/program-of-$p"; chmod 755 "`+m.programs+`/program-of-$p"; done`)
	for name, text := range programs {
		m.program(name, text)
	}
	return m
}

func (m computer) program(name, text string) {
	m.Helper()
	if err := os.WriteFile(filepath.Join(m.programs, name), []byte("#!/usr/bin/env bash\n"+text+"\n"), 0o700); err !=
		nil {
		m.Fatal(err)
	}
}

// need runs the script and gives what it says, what was installed, and whether the
// target may go on.
func (m computer) need(env string, wants ...string) (said, installed string, ok bool) {
	m.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", "scripts", "need"))
	if err != nil {
		m.Fatal(err)
	}
	cmd := exec.Command("/bin/bash", append([]string{script}, wants...)...)
	cmd.Env = []string{"PATH=" + m.programs, env}
	out, err := cmd.CombinedOutput()
	log, _ := os.ReadFile(m.log)
	return string(out), string(log), err == nil
}

var wanted = []string{"bash:bash", "program-of-redis:redis", "program-of-gcc!:gcc"}

func TestWhatIsMissingIsInstalledByRoot(t *testing.T) {
	said, installed, ok := newComputer(t, "0", nil).need("ALLOW_SKIPS=", wanted...)
	if !ok || installed != "installs redis gcc\n" || !strings.Contains(said, "redis gcc") {
		t.Errorf("%v, installed %q: %s", ok, installed, said)
	}
}

func TestWhatIsMissingIsInstalledBySudoThatAsksNothing(t *testing.T) {
	sudo := map[string]string{"sudo": `[ "$1" = -n ] && shift && exec "$@"`, "true": ""}
	if said, installed, ok := newComputer(t, "1000", sudo).need("ALLOW_SKIPS=", wanted...); !ok ||
		installed != "installs redis gcc\n" {
		t.Errorf("%v, installed %q: %s", ok, installed, said)
	}
}

func TestWithoutRightsATargetStopsWithTheOneCommandToType(t *testing.T) {
	for who, sudo := range map[string]map[string]string{"without sudo": nil,
		"with a sudo that asks": {"sudo": "exit 1"}} {
		said, installed, ok := newComputer(t, "1000", sudo).need("ALLOW_SKIPS=", wanted...)
		if ok || installed != "" ||
			!strings.Contains(said, "\n    sudo apt-get install --no-install-recommends redis gcc\n") {
			t.Errorf("%s: %v, installed %q: %s", who, ok, installed, said)
		}
	}
}

func TestAnInstallationThatFailsStopsATarget(t *testing.T) {
	if said, _, ok := newComputer(t, "0", map[string]string{"sh": "exit 1"}).need("ALLOW_SKIPS=", wanted...); ok ||
		!strings.Contains(said, "redis gcc") {
		t.Errorf("%v: %s", ok, said)
	}
}

func TestAllowedSkipsInstallNothingAndGoOnWithoutWhatCanBeMissed(t *testing.T) {
	m := newComputer(t, "0", nil)
	if said, installed, ok := m.need("ALLOW_SKIPS=1", wanted[:2]...); !ok || installed != "" ||
		!strings.Contains(said, "redis") {
		t.Errorf("%v, installed %q: %s", ok, installed, said)
	}
	if said, installed, ok := m.need("ALLOW_SKIPS=1", wanted...); ok || installed != "" ||
		!strings.Contains(said, "gcc") {
		t.Errorf("without a compiler: %v, installed %q: %s", ok, installed, said)
	}
}

func TestWithAllThatIsNeededNothingIsSaid(t *testing.T) {
	languages := map[string]string{"python3": `[ "$2" = "import ensurepip" ]`,
		"Rscript": `[ "$*" = "--vanilla -e find.package('httr2')" ]`}
	m := newComputer(t, "1000", languages)
	if said, installed, ok := m.need("ALLOW_SKIPS=", "bash!:bash", "python3/ensurepip:python3-venv",
		"Rscript/httr2:r-cran-httr2"); !ok || installed != "" || said != "" {
		t.Errorf("%v, installed %q: %s", ok, installed, said)
	}
	if said, _, ok := m.need("ALLOW_SKIPS=", "Rscript/other:r-cran-other"); ok ||
		!strings.Contains(said, "r-cran-other") {
		t.Errorf("a package that R does not have: %v: %s", ok, said)
	}
	if said, _, ok := m.need("ALLOW_SKIPS=", "python3/other:python3-other"); ok ||
		!strings.Contains(said, "python3-other") {
		t.Errorf("a module that Python does not have: %v: %s", ok, said)
	}
}
