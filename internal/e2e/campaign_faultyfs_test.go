//go:build campaign

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// faultyDisk is a folder behind a file system whose calls can be made to fail; tools/faultyfs
// says what it understands.
type faultyDisk struct {
	t    *testing.T
	dir  string
	in   io.WriteCloser
	said *bufio.Scanner
}

func mountFaulty(t *testing.T) *faultyDisk {
	t.Helper()
	program := absolute(t, "..", "..", ".tools", "faultyfs")
	if _, err := os.Stat(program); err != nil {
		need.Missing(t, "no faulty file system; to run this test: make .tools/faultyfs")
	}
	home := t.TempDir()
	behind, d := filepath.Join(home, "behind"), &faultyDisk{t: t, dir: filepath.Join(home, "disk")}
	for _, dir := range []string{behind, d.dir} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, behind, d.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	var err error
	if d.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.said = bufio.NewScanner(out)
	t.Cleanup(func() {
		_ = d.in.Close() // which ends it
		if err := cmd.Wait(); err != nil {
			t.Errorf("the faulty file system ended with %v", err)
		}
	})
	if !d.said.Scan() || d.said.Text() != "ready" {
		t.Fatalf("the faulty file system says %q", d.said.Text())
	}
	return d
}

func (d *faultyDisk) command(line string) string {
	d.t.Helper()
	if _, err := fmt.Fprintln(d.in, line); err != nil || !d.said.Scan() {
		d.t.Fatalf("the faulty file system does not answer %q: %v", line, err)
	}
	return d.said.Text()
}

// fail has the Nth call from now on fail, and the next ones too.
func (d *faultyDisk) fail(at, times int, errno string) {
	d.t.Helper()
	if got := d.command(fmt.Sprintf("fail %d %d %s", at, times, errno)); got != "armed" {
		d.t.Fatalf("the faulty file system says %q", got)
	}
}

// counts is how many calls there were since, and how many of them have failed.
func (d *faultyDisk) counts() (calls, failed int) {
	d.t.Helper()
	if _, err := fmt.Sscan(d.command("calls"), &calls, &failed); err != nil {
		d.t.Fatal(err)
	}
	return calls, failed
}
