package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/cli"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

type summary struct {
	Athletes   int `json:"athletes"`
	Captures   int `json:"captures"`
	ExportJobs int `json:"export_jobs"`
	Failed     int `json:"failed"`
}

// file writes a file and gives its path.
func (s *shell) file(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func TestAManifestIsImportedAndImportingItAgainChangesNothing(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	o := fixture.Organization{ID: org, Athletes: 150, Captures: 2500, Jobs: 8, Shared: 0.03}
	var text bytes.Buffer
	if err := o.WriteNDJSON(&text); err != nil {
		t.Fatal(err)
	}
	text.WriteString(strings.Repeat(`{"type":"capture","status":"completed","activity":"jump"}`+"\n", 3))
	path := s.file("m.ndjson", text.String())
	for range 2 {
		var got summary
		r := s.run("import", "--org", org, "--json", path)
		if r.into(&got); got != (summary{150, 2503, 8, 0}) || r.err != "" {
			t.Errorf("%s printed %+v and %q", r.command, got, r.err)
		}
	}
	if r := s.run("import", "--org", org, path).ok(); r.out != "Imported 150 athletes, 2,503 captures and 8 export jobs; 0 refused.\n" {
		t.Errorf("printed %q", r.out)
	}
}

func TestARefusedLineIsReportedAndTheExitCodeIsOne(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	const nobody = "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"
	path := s.file("m.ndjson", `{"type":"athlete","first_name":"Ann"}
{"type":"capture","status":"completed","activity":" ","x\u001b[31m":1}
{"type":"capture","status":"completed","athlete_ids":["`+nobody+`"]}
{"type":"capture","status":"completed"}
`)
	r := s.run("import", "--org", org, "--json", path, path+".missing")
	if r.code != 1 || r.out != `{"athletes":1,"captures":1,"export_jobs":0,"failed":3}`+"\n" {
		t.Errorf("ended with %d and printed %s", r.code, r.out)
	}
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	for i, want := range []string{
		path + ":2: activity: must not be blank",
		path + ":2: x\ufffd[31m: ",
		path + ":3: athlete_ids: ",
		path + ".missing: cannot be read: no such file or directory",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d of the report is not %q:\n%s", i+1, want, r.err)
		}
	}
	if len(lines) != 4 || strings.Contains(r.err, "\x1b") {
		t.Errorf("the report is %q", r.err)
	}
}

func TestADryRunOfAnImportWritesNothing(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	var lines strings.Builder
	lines.WriteString(`{"type":"athlete","id":"0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f","first_name":"Ann"}` + "\n")
	for i := range 2500 { // more than one batch links the athlete
		lines.WriteString(`{"type":"capture","session_id":"` + strconv.Itoa(i) + `","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"]}` + "\n")
	}
	var got summary
	s.run("import", "--org", org, "--json", "--dry-run", s.file("a.ndjson", lines.String())).into(&got)
	if got != (summary{Athletes: 1, Captures: 2500}) {
		t.Errorf("printed %+v", got)
	}
	link := s.file("b.ndjson", `{"type":"capture","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"]}`)
	if r := s.run("import", "--org", org, link); r.code != 1 {
		t.Errorf("the athlete of the dry run is there: %s%s", r.out, r.err)
	}
}

func TestAManifestIsReadFromStandardInput(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	var out, err bytes.Buffer
	w := &cli.World{In: strings.NewReader(`{"type":"athlete","first_name":"Ann"}`), Out: &out, Err: &err, Env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok }}
	if code := cli.Main(t.Context(), []string{"import", "--org", org, "-"}, w); code != 0 || !strings.HasPrefix(out.String(), "Imported 1 athlete, 0 captures") {
		t.Errorf("ended with %d, %q, %q", code, out.String(), err.String())
	}
}

func TestAFolderListsWhatItSkips(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	folder := filepath.Dir(s.file("notes.txt", "x"))
	if err := os.WriteFile(filepath.Join(folder, "walk.c3d"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.run("import", "--org", org, "--json", folder).ok()
	if r.out != `{"athletes":0,"captures":1,"export_jobs":0,"failed":0}`+"\n" || !strings.Contains(r.err, "notes.txt: skipped: not a motion file") {
		t.Errorf("printed %s and %s", r.out, r.err)
	}
}

func TestAnImportNeedsAnOrganizationThatExists(t *testing.T) {
	s := newShell(t)
	path := s.file("m.ndjson", "")
	s.run("import", "--org", "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f", path).fails(1, "there is no organization")
	s.run("import", "--org", "lab", path).fails(2, "--org must be a UUID")
}
