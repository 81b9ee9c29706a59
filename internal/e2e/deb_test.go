package e2e

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

//go:embed testdata/deb.sh
var typedForADeb string

// intoARoot has commands typed in a file system root of its own: what this machine has lies below, and all that is
// written into it lies in memory and goes with the process.
const intoARoot = `set -eu
mount -t tmpfs -o mode=755 layers "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
for folder in tmp run; do mount -t tmpfs -o mode=1777 "$folder" "$1/root/$folder"; done
cp "$2" "$1/root/tmp/kinebase.deb"
exec chroot "$1/root" /bin/sh -c "$3"`

// TestTheDebIsInstalledStartedUpgradedAndRemoved does so on this machine as it would be with a root of its own. make
// try-deb does more on a bare Debian with a service manager.
func TestTheDebIsInstalledStartedUpgradedAndRemoved(t *testing.T) {
	testkit.Long(t)
	for _, tool := range []string{"dpkg", "unshare", "setpriv", "curl"} {
		if _, err := exec.LookPath(tool); err != nil || os.Getuid() != 0 {
			need.Missing(t, "this test needs root on a Debian with %s", tool)
		}
	}
	pack, err := filepath.Abs("../../.tools/deb")
	if _, missing := os.Stat(pack); err != nil || missing != nil {
		need.Missing(t, "this test needs what makes a deb: run make .tools/deb")
	}
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	deb := filepath.Join(t.TempDir(), "kinebase.deb")
	if out, err := exec.CommandContext(t.Context(), pack, "../..", file, deb).CombinedOutput(); err != nil {
		t.Fatalf("make the deb: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
		intoARoot, "sh", t.TempDir(), deb, typedForADeb)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the deb does not do what it should: %v\n%s", err, out)
	}
}
