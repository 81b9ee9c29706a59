package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestTheFilesOfTheDemoCanBeImported(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	org, folder := s.organization("A"), filepath.Join(t.TempDir(), "files")
	s.run("demo", "--files", folder).ok()
	for range 2 {
		var got summary
		if s.run("import", "--org", org, "--json", folder).into(&got); got != (summary{Captures: 11}) {
			t.Errorf("imported %+v, want 11 captures without a warning", got)
		}
	}
	s.run("demo", "--files", folder).fails(1, "not empty")
	s.run("demo", "--files", folder, "--env", "x").fails(2, "--files serves nothing")
	s.run("demo", "--files", folder, "--json").fails(2, "--files serves nothing")
}
