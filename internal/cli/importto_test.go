package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestAFolderIsSentToAServerElsewhere(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	_, secret := s.token(org, "--role", "editor")
	a := apptest.Start(t, apptest.SQLite, apptest.At(map[string]string{"data": s.env["KINEBASE_DATA"]}))
	people := s.file("a.ndjson", `{"type":"athlete","first_name":"Ada","last_name":"Berg"}`)
	token := s.file("token", secret+"\n")
	report := filepath.Join(t.TempDir(), "report.tsv")
	away := &shell{t, map[string]string{"HOME": t.TempDir()}} // a machine that has no store
	send := []string{"import", "--to", a.URL, "--token-file", token}

	var got summary
	away.run(append(send, "--json", "--report", report, people, folder)...).into(&got)
	if got != (summary{Athletes: 1, Captures: 3, Warnings: 2}) {
		t.Errorf("printed %+v", got)
	}
	text, err := os.ReadFile(report)
	if err != nil || strings.Count(string(text), "\tcompleted\t119.88\t\tcreated\t1\n") != 2 ||
		!strings.Contains(string(text), "\terror\t\tThe file is empty") {
		t.Errorf("the report is\n%s", text)
	}
	away.env["KINEBASE_TOKEN"] = secret
	r := away.run("import", "--to", a.URL, "--athlete", "Ada Berg", folder).ok()
	if !strings.Contains(r.out, "Motion files: 0 new, 3 changed, 0 as before; 2 warnings.") ||
		!strings.Contains(r.err, "b.c3d: stored with status error: The file is empty") {
		t.Errorf("said\n%s%s", r.out, r.err)
	}
	r = away.run("import", "--to", a.URL, people, folder).ok()
	if !strings.Contains(r.out, "1 athlete, 3 captures") || !strings.Contains(r.out, "0 new, 0 changed, 3 as before") {
		t.Errorf("said\n%s%s", r.out, r.err)
	}
	if entries, err := os.ReadDir(away.env["HOME"]); err != nil || len(entries) > 0 {
		t.Errorf("it has written %v here, %v", entries, err)
	}

	away.run("import", "--to", a.URL, "--athlete", "Cleo", folder).fails(1, `--athlete names "Cleo"`)
	away.run("import", folder).fails(2, "--org=ID, or --to=URL")
	away.run("import", "--to", a.URL, "--org", org, folder).fails(2, "--to is for a server elsewhere")
	away.run("import", "--to", a.URL, "--data", "x", folder).fails(2, "--to is for a server elsewhere")
	away.run("import", "--org", org, "--token-file", token, folder).fails(2, "--token-file is for --to")
	away.run("import", "--to", "ftp://x", folder).fails(2, "must be like http://HOST:PORT/v1")
	away.run("import", "--to", a.URL, "--token-file", people+"x", folder).fails(1, "the token cannot be read")
	away.run("import", "--to", a.URL, "--token-file", report, folder).fails(1, "must have one word")
	delete(away.env, "KINEBASE_TOKEN")
	away.run("import", "--to", a.URL, folder).fails(2, "no token is given")
	if r := away.run("import", "--to", a.URL, "--token", secret, folder); r.code != 2 {
		t.Errorf("a token on the command line is taken: %s", r.out)
	}
	viewer := s.file("viewer", func() string { _, secret := s.token(org, "--role", "viewer"); return secret }())
	if err := os.WriteFile(filepath.Join(folder, "new.c3d"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := away.run("import", "--to", a.URL, "--token-file", viewer, folder); r.code != 1 ||
		!strings.Contains(r.err, "403") {
		t.Errorf("with a token that may not, it ends with %d: %s", r.code, r.err)
	}
}
