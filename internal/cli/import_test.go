package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/cli"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/motion"
)

type summary struct {
	Athletes   int `json:"athletes"`
	Captures   int `json:"captures"`
	ExportJobs int `json:"export_jobs"`
	Failed     int `json:"failed"`
	Warnings   int `json:"warnings"`
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
		if r.into(&got); got != (summary{150, 2503, 8, 0, 0}) || r.err != "" {
			t.Errorf("%s printed %+v and %q", r.command, got, r.err)
		}
	}
	said := regexp.MustCompile(
		`^Imported 150 athletes, 2,503 captures, \d+ of them with status error, and 8 export jobs; 0 refused\.\n$`)
	if r := s.run("import", "--org", org, path).ok(); !said.MatchString(r.out) {
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
	if r.code != 1 || r.out != `{"athletes":1,"captures":1,"export_jobs":0,"failed":3,"warnings":0}`+"\n" {
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
		lines.WriteString(`{"type":"capture","session_id":"` + strconv.Itoa(i) +
			`","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"]}` + "\n")
	}
	var got summary
	s.run("import", "--org", org, "--json", "--dry-run", s.file("a.ndjson", lines.String())).into(&got)
	if got != (summary{Athletes: 1, Captures: 2500}) {
		t.Errorf("printed %+v", got)
	}
	link := s.file("b.ndjson",
		`{"type":"capture","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"]}`)
	if r := s.run("import", "--org", org, link); r.code != 1 {
		t.Errorf("the athlete of the dry run is there: %s%s", r.out, r.err)
	}
}

func TestAManifestIsReadFromStandardInput(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	var out, err bytes.Buffer
	w := &cli.World{In: strings.NewReader(`{"type":"athlete","first_name":"Ann"}`), Out: &out, Err: &err,
		Env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok }}
	if code := cli.Main(t.Context(), []string{"import", "--org", org, "-"}, w); code != 0 ||
		!strings.HasPrefix(out.String(), "Imported 1 athlete, 0 captures") {
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
	if r.out != `{"athletes":0,"captures":1,"export_jobs":0,"failed":0,"warnings":0}`+"\n" ||
		!strings.Contains(r.err, "notes.txt: skipped: not a motion file") {
		t.Errorf("printed %s and %s", r.out, r.err)
	}
}

// trials is a folder with a good file, a damaged one, and one with an odd name.
func trials(t *testing.T) string {
	t.Helper()
	const trc = "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t" +
		"OrigDataStartFrame\tOrigNumFrames\n" +
		"119.88\t119.88\t3\t1\tmm\t119.88\t1\t2\nFrame#\tTime\tLASI\t\t\n\t\tX1\tY1\tZ1\n\n1\t0.0\t1\t2\t3\n2\t" +
		"0.0083\t1\t2\t3\n"
	folder := t.TempDir()
	for name, text := range map[string]string{"a.trc": trc, "b.c3d": "", "c\td.trc": trc, "notes.txt": "x"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestAFolderIsImportedAsFarAsItsFilesFit(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), t.TempDir()
	for name, bytes := range map[string]int{"a.mot": 600, "b.mot": 600, "c.mot": 300} {
		if err := os.WriteFile(filepath.Join(folder, name), make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.env["KINEBASE_FILE_STORAGE"] = "1KiB"
	// Files are stored while others are read, so either of the large ones may be the first.
	refused := regexp.MustCompile(
		`[ab]\.mot: is not imported\. The organization's files take (600 bytes of the 1024 that they may take, so that no file of more than 424|900 bytes of the 1024 that they may take, so that no file of more than 124) bytes fits\.`)
	for range 2 { // what is there already is as before
		r := s.run("import", "--workers", "1", "--org", org, "--json", folder)
		if r.code == 0 || !refused.MatchString(r.err) {
			t.Errorf("ended with %d, %s", r.code, r.err)
		}
		if r.out != `{"athletes":0,"captures":2,"export_jobs":0,"failed":1,"warnings":0}`+"\n" {
			t.Errorf("printed %s", r.out)
		}
	}
	s.env["KINEBASE_FILE_STORAGE"] = "2KiB"
	s.run("import", "--org", org, "--json", folder).ok()
}

func TestAReportSaysWhichFileBecameWhichCapture(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	report := filepath.Join(t.TempDir(), "report.tsv")
	r := s.run("import", "--org", org, "--json", "--report", report, folder).ok()
	if r.out != `{"athletes":0,"captures":3,"export_jobs":0,"failed":0,"warnings":2}`+"\n" {
		t.Errorf("printed %s", r.out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 4 || lines[0] != "file\tsession_id\tstatus\tfps_detected\terror\teffect\twarnings" {
		t.Fatalf("the report is\n%s", text)
	}
	for i, want := range [][]string{
		// its header counts a frame more than there are
		{filepath.Join(folder, "a.trc"), "completed", "119.88", "", "1"},
		{filepath.Join(folder, "b.c3d"), "error", "", "The file is empty", "0"},
		{filepath.Join(folder, `c\td.trc`), "completed", "119.88", "", "1"},
	} {
		cells := strings.Split(lines[i+1], "\t")
		if len(cells) != 7 || cells[0] != want[0] || len(cells[1]) != 36 || cells[2] != want[1] ||
			cells[3] != want[2] || !strings.HasPrefix(cells[4], want[3]) || cells[5] != "created" ||
			cells[6] != want[4] {
			t.Errorf("line %d is %q, want %q", i+2, cells, want)
		}
	}
	again := s.run("import", "--org", org, "--report", "-", folder).ok()
	if again.out != strings.ReplaceAll(string(text), "\tcreated\t", "\tunchanged\t") {
		t.Errorf("the second report is\n%s\nthe first\n%s", again.out, text)
	}
	for _, want := range []string{"Nothing has changed: 0 athletes, 3 captures, 1 of them with status error, and 0 " +
		"export jobs; 0 refused.\n", "Motion files: 0 new, 0 changed, 3 as before; 2 warnings.\n"} {
		if !strings.Contains(again.err, want) {
			t.Errorf("said is %s", again.err)
		}
	}
}

func TestLabelsAndAthletesComeFromOptionsAndATableBesideTheFiles(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	s.run("import", "--org", org, s.file("a.ndjson", `{"type":"athlete","first_name":"Ada","last_name":"Berg"}
{"type":"athlete","first_name":"Ben","last_name":"Lund, Jr.","email":"ben@example.org"}`)).ok()
	if err := os.WriteFile(filepath.Join(folder, "kinebase.csv"),
		[]byte("file;athlete\na.trc;ada berg\nmissing.trc;ben@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	options := []string{"import", "--org", org, "--athlete", "Ben Lund, Jr.", "--activity", "jump", "--movement",
		"squat", "--dimension", "arm_position=arm-swing", "--workers", "2"}
	r := s.run(append(options, folder)...).ok()
	for _, want := range []string{"Motion files: 3 new, 0 changed, 0 as before", filepath.Join(folder, "kinebase.csv") +
		":3: skipped: there is no motion file missing.trc"} {
		if !strings.Contains(r.out+r.err, want) {
			t.Errorf("%s said\n%s%s", r.command, r.out, r.err)
		}
	}
	r = s.run(append(options, "--activity", "hop", folder)...).ok()
	if !strings.Contains(r.out, "Motion files: 0 new, 3 changed, 0 as before") {
		t.Errorf("%s said\n%s%s", r.command, r.out, r.err)
	}
	s.run("import", "--org", org, "--athlete", "Cleo", folder).fails(1,
		`--athlete names "Cleo", but no athlete of the organization is called that`)
	for want, args := range map[string][]string{
		"--activity must not be empty":   {"--activity", " ", folder},
		"--movement must be at most 128": {"--movement", strings.Repeat("x", 129), folder},
		"--dimension must be NAME=VALUE": {"--dimension", "handedness", folder},
		"is not a movement dimension":    {"--dimension", "hand=left", folder},
		"--dimension eyes must not be given twice": {"--dimension", "eyes=open", "--dimension", "eyes=closed",
			folder},
		"--dimension eyes must be at most 128":         {"--dimension", "eyes=" + strings.Repeat("x", 129), folder},
		"--workers must not be below 0":                {"--workers=-1", folder},
		"are for folders of motion files, and no path": {"--activity", "jump", s.file("m.ndjson", "")},
	} {
		s.run(append([]string{"import", "--org", org}, args...)...).fails(2, want)
	}
}

func TestATableNamesAthletesOfAManifestBeforeItsFolder(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	table := []byte("file,athlete\na.trc,Ada Berg\n")
	if err := os.WriteFile(filepath.Join(folder, "kinebase.csv"), table, 0o600); err != nil {
		t.Fatal(err)
	}
	people := s.file("a.ndjson", `{"type":"athlete","first_name":"Ada","last_name":"Berg"}`)
	var got summary
	s.run("import", "--org", org, "--json", people, folder).into(&got)
	if got != (summary{Athletes: 1, Captures: 3, Warnings: 2}) {
		t.Errorf("printed %+v", got)
	}
}

// Whoever names a file must not move the cursor of who imports it, nor the columns.
func TestAReportHoldsNothingThatActsOnATerminal(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a\x1b[2J\tb\u202ec\xff\\é 😀.c3d"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.run("import", "--org", org, "--report", "-", folder).ok()
	if want := filepath.Join(folder, `a\x1b[2J\tb\xe2\x80\xaec\xff\\é 😀.c3d`) +
		"\t"; !strings.Contains(r.out, "\n"+want) {
		t.Errorf("the report is %q, want a line that begins with %q", r.out, want)
	}
}

func TestAReportThatCannotBeWrittenStopsTheImportBeforeItBegins(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	s.run("import", "--org", org, "--report", filepath.Join(folder, "missing", "r.tsv"), folder).fails(1,
		"the report cannot be written")
	s.run("import", "--org", org, "--report", "-", "--json", folder).fails(2, "standard output")
	manifest := s.file("m.ndjson", "{}\n")
	s.run("import", "--org", org, "--report", manifest, manifest).fails(2, "must not be what is imported")
	if text, err := os.ReadFile(manifest); err != nil || string(text) != "{}\n" {
		t.Errorf("the manifest holds %q now (%v)", text, err)
	}
}

func TestADamagedFileIsToldOnALineOfItsOwn(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	for flag, says := range map[string]string{"--dry-run": "would be stored", "--dry-run=false": "stored"} {
		r := s.run("import", "--org", org, flag, folder).ok()
		if want := filepath.Join(folder, "b.c3d") + ": " + says +
			" with status error: The file is empty (0 bytes)."; !strings.Contains(r.err, want) {
			t.Errorf("%s does not say %q:\n%s", r.command, want, r.err)
		}
		if !strings.Contains(r.out, "3 captures, 1 of them with status error, and") {
			t.Errorf("printed %s", r.out)
		}
	}
}

func TestARefusalDoesNotSayNamesTwice(t *testing.T) {
	s := newShell(t)
	path := s.file("m.ndjson",
		`{"type":"athlete","first_name":"Ann","Weight":7,"custom_attributes":{"jersey":7,"id":"x"}}
{"type":"capture","status":"completed","dimensions":{"bat":"x"}}
{"first_name":"Ann"}
`)
	r := s.run("import", "--org", s.organization("A"), path)
	for _, want := range []string{
		path + ":1: Weight: is not a field of an athlete: it is written weight\n",
		path + ":1: custom_attributes.jersey: the value of jersey must be a string, not a number\n",
		path + ":2: dimensions.bat: is not a movement dimension\n",
		path + ":3: type: is required: athlete, capture or export_job\n",
	} {
		if !strings.Contains(r.err, want) {
			t.Errorf("it does not say %q:\n%s", want, r.err)
		}
	}
}

func TestAnImportThatIsStoppedSaysThatItCanBeRunAgain(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	for said, more := range map[string][]string{"run it again: what went in stays": nil,
		"nothing was written": {"--dry-run"}} {
		silent, hold := io.Pipe()
		defer hold.Close() // lets the blocked read end
		ctx, stop := context.WithCancel(t.Context())
		var out, err bytes.Buffer
		w := &cli.World{In: reading{silent, stop}, Out: &out, Err: &err,
			Env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok }}
		if code := cli.Main(ctx, append([]string{"import", "--org", org, "-"}, more...), w); code != 1 ||
			!strings.Contains(err.String(), said) {
			t.Errorf("%v ended with %d and said %s", more, code, err.String())
		}
	}
}

func TestAnImportThatChangesNothingButTheNamesOfPointsSaysSo(t *testing.T) {
	s := newShell(t)
	org, folder := s.organization("A"), trials(t)
	s.run("import", "--org", org, folder).ok()
	if err := os.WriteFile(filepath.Join(folder, "kinebase.csv"), []byte("landmark,points\nleft_knee,LK\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		said, first string
		more        []string
	}{
		{"Names of points would change.\n", "Would import 0 athletes", []string{"--dry-run"}},
		{"Names of points have changed, and recordings are measured by them.\n", "Imported 0 athletes", nil},
	} {
		r := s.run(append([]string{"import", "--org", org, folder}, c.more...)...).ok()
		if !strings.Contains(r.out, c.said) || !strings.HasPrefix(r.out, c.first) {
			t.Errorf("%v: said %s", c.more, r.out)
		}
	}
	if r := s.run("import", "--org", org, folder).ok(); strings.Contains(r.out, "Names of points") ||
		!strings.HasPrefix(r.out, "Nothing has changed:") {
		t.Errorf("the second time it says %s", r.out)
	}
}

// reading tells when it is read from.
type reading struct {
	io.Reader
	begun func()
}

func (r reading) Read(p []byte) (int, error) {
	r.begun()
	return r.Reader.Read(p)
}

func TestTheHelpOfImportNamesTheKindsThatAreRead(t *testing.T) {
	help := newShell(t).run("import", "--help").ok().out
	for _, kind := range motion.Kinds() {
		if kind.Readable() != strings.Contains(help, kind.String()) {
			t.Errorf("%s is read: %v, but the help is\n%s", kind, kind.Readable(), help)
		}
	}
}

func TestAnImportNeedsAnOrganizationThatExists(t *testing.T) {
	s := newShell(t)
	path := s.file("m.ndjson", "")
	s.run("import", "--org", "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f", path).fails(1, "there is no organization")
	s.run("import", "--org", "lab", path).fails(2, "--org must be a UUID")
}
