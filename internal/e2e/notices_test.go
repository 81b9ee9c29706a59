package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// noted is a test that notes what it is told, so that a test can hold a reader to fail.
type noted struct {
	testing.TB
	faults []string
}

func (n *noted) Errorf(format string, args ...any) {
	n.faults = append(n.faults, fmt.Sprintf(format, args...))
}

func (n *noted) Fatalf(format string, args ...any) { n.Errorf(format, args...) }
func (n *noted) Failed() bool                      { return len(n.faults) > 0 }

// TestAReaderNoticesWhatDoesNotWork types blocks that must not pass.
func TestAReaderNoticesWhatDoesNotWork(t *testing.T) {
	testkit.Long(t)
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err = os.Mkdir(filepath.Join(folder, "bin"), 0o700); err == nil {
		err = os.Symlink(file, filepath.Join(folder, "bin", "kinebase"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		typed []block
		fault string // the beginning of it; "" for none
	}{
		"a variable and a function stay": {typed: []block{{"sh", "a=1; f() { echo $a; }\n", "p:1"},
			{"sh", "f\n", "p:2"}, {"text output", "1\n", "p:3"}}},
		"a variable that is not set": {[]block{{"sh", "echo $athlete\n", "p:1"}}, "p:1: a command failed"},
		"a command that fails":       {[]block{{"sh", "false\necho on\n", "p:1"}}, "p:1: a command failed"},
		"in a pipe":                  {[]block{{"sh", "false | cat\n", "p:1"}}, "p:1: a command failed"},
		"in a later block": {[]block{{"sh", "true\n", "p:1"}, {"sh", "bin/kinebase exprot\n", "p:2"}},
			"p:2: a command failed"},
		"a complaint": {[]block{{"sh", "echo kinebase: no >&2\n", "p:1"}},
			"p:1: complains: kinebase: no"},
		"another output": {[]block{{"sh", "echo 12\n", "p:1"}, {"text output", "1…3\n", "p:2"}},
			"p:2: shows"},
		"an output with any middle": {typed: []block{{"sh", "echo 123\n", "p:1"},
			{"text output", "1…3\n", "p:2"}}},
		"no JSON":           {[]block{{"json", "{\n", "p:1"}}, "p:1: is no JSON"},
		"a fault in Python": {[]block{{"python", "print(x)\n", "p:1"}}, "p:1: a command failed"},
		"Python with the variables": {typed: []block{{"sh", "export X=7\n", "p:1"},
			{"python", "import os\nprint(os.environ['X'])\n", "p:2"}, {"text output", "7\n", "p:3"}}},
		"a form that is none": {[]block{{"sh admin", "if\n", "p:1"}},
			"p:1: the shell does not understand it"},
		"a flag that is none": {
			[]block{{"sh admin", "sudo -u kinebase kinebase org list --date x\n", "p:1"}},
			"p:1: kinebase org list has no --date"},
		"a verb that is none": {[]block{{"sh admin", "kinebase exprot -o x\n", "p:1"}},
			"p:1: kinebase exprot: exit status 2"},
		"flags that there are": {
			typed: []block{{"sh admin",
				"A=b sudo -u kinebase kinebase org list --data x && journalctl -u kinebase -f\n", "p:1"}}},
		"a file without a name": {[]block{{"python save", "import os\n", "p:1"}},
			"p:1: the first line is no remark"},
	} {
		t.Run(name, func(t *testing.T) {
			n := &noted{TB: t}
			r := newReader(n, folder, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()},
				strings.NewReplacer())
			r.read(c.typed)
			if got := strings.Join(n.faults, "\n"); c.fault == "" && got != "" || !strings.HasPrefix(got, c.fault) {
				t.Errorf("the faults are %q, want %q", got, c.fault)
			}
		})
	}
}
