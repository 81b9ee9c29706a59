package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// TestTheServiceLetsLittleThroughAndSystemdKnowsAllThatItsUnitSays holds the unit of the packages, and the one that
// people copy from docs/operate.md, to systemd itself: it passes over a line that it does not know, and then the line
// protects nothing.
func TestTheServiceLetsLittleThroughAndSystemdKnowsAllThatItsUnitSays(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		need.Missing(t, "this test needs systemd-analyze: install it (Debian: apt-get install systemd)")
	}
	packed, err := os.ReadFile("../../deploy/linux/kinebase.service")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```ini\n(\\[Unit\\].*?)```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("docs/operate.md shows no unit")
	}
	for name, unit := range map[string][]byte{"of the packages": packed, "of docs/operate.md": shown[1]} {
		// The program need not be installed here.
		file := filepath.Join(t.TempDir(), "kinebase.service")
		unit = regexp.MustCompile(`(?m)^ExecStart=\S+`).ReplaceAll(unit, []byte("ExecStart=/bin/true"))
		if err := os.WriteFile(file, unit, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), analyze, "verify", "--recursive-errors=no",
			file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("the unit %s: %v\n%s", name, err, out)
		}
		if name != "of the packages" {
			continue
		}
		// In tenths: less than 3 of 10.
		if out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--threshold=29",
			"--no-pager", file).CombinedOutput(); err != nil {
			t.Errorf("the unit %s lets too much through: %v\n%s", name, err, out)
		}
	}
}
