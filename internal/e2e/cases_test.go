//go:build corpus_cases

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// TestFilesThatAreEasilyReadWrongAreReadRight uploads and imports the files of cases.json
// by the run.py that lies beside it, in the folder that KINEBASE_TEST_CASES names, and
// demands that no answer is wrong.
func TestFilesThatAreEasilyReadWrongAreReadRight(t *testing.T) {
	folder := corpus.Folder(t, "KINEBASE_TEST_CASES")
	python, err := exec.LookPath("python3")
	if err != nil {
		need.Missing(t, "no python3 for the run.py of KINEBASE_TEST_CASES; to run this test: apt-get install "+
			"python3-minimal")
	}
	m := newMachine(t, apptest.SQLite)
	org := m.organization()
	_, token := m.token(org)
	s := m.serve()
	command := m.onStore("import", "--org", org)
	quoted := make([]string, len(command.Args))
	for i, word := range command.Args {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*testkit.Patience) // it gives each file two minutes
	defer cancel()
	run := exec.CommandContext(ctx, python, filepath.Join(folder, "run.py"), s.url, token,
		filepath.Join(folder, "cases.json"),
		"--import", strings.Join(quoted, " "), "--show")
	run.Env = command.Env
	out, err := run.CombinedOutput()
	var cases, failed int
	last := bytes.TrimSpace(out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:])
	if _, scan := fmt.Sscanf(string(last), "cases %d failed %d", &cases, &failed); err != nil || scan != nil ||
		cases == 0 || failed > 0 {
		t.Errorf("run.py ended with %v:\n%s", err, out)
	}
	t.Logf("%d cases", cases)
	if n := s.logged(`"panic"`); n != 0 {
		t.Errorf("%d panics:\n%s", n, tail(s.logs()))
	}
}
