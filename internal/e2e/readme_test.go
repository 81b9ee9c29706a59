package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// The headings of the README whose blocks are run.
const (
	firstMinutes = "## First five minutes"
	sendAFile    = "## Send a motion file"
	bringAFolder = "## Bring a folder"
)

// block is a piece of the README that a reader is to type.
type block struct {
	language, text string
	line           int
}

var fence = regexp.MustCompile("^```([a-z]*)$")

// blocks finds the fenced blocks below a heading.
func blocks(t *testing.T, readme, heading string) (found []block) {
	t.Helper()
	inside, open := false, (*block)(nil)
	for n, line := range strings.Split(readme, "\n") {
		mark := fence.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case open != nil && mark != nil:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "## "):
			inside = line == heading
		case inside && mark != nil:
			open = &block{language: mark[1], line: n + 1}
		}
	}
	if open != nil {
		t.Fatalf("README.md:%d: the block has no end", open.line)
	}
	return found
}

// reading is somebody who types what the README says, in one folder.
type reading struct {
	*testing.T
	folder string
	env    []string // beside that of the test
	ran    map[string]int
}

// newReading begins with an empty folder.
func newReading(t *testing.T, env ...string) *reading {
	return &reading{T: t, folder: t.TempDir(), env: append(os.Environ(), env...), ran: map[string]int{}}
}

// follow runs the shell and Python blocks below a heading, each as it stands there.
func (r *reading) follow(heading string) {
	r.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		r.Fatal(err)
	}
	programs := map[string][]string{"sh": {"sh", "-euc"}, "python": {"python3", "-c"}}
	for _, b := range blocks(r.T, string(readme), heading) {
		program := programs[b.language]
		if program == nil {
			continue // what is not meant to be run has another language or none
		}
		for _, tool := range []string{program[0], "curl", "python3"} {
			if _, err := exec.LookPath(tool); err != nil {
				testkit.Missing(r.T, "no %s for the README's examples; to run this test: apt-get install curl python3-minimal", tool)
			}
		}
		r.ran[b.language]++
		ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, program[0], append(program[1:], b.text)...)
		cmd.Dir, cmd.Env = r.folder, r.env
		var failure strings.Builder
		cmd.Stderr = &failure
		out, err := cmd.Output()
		cancel()
		switch {
		case err != nil:
			r.Errorf("README.md:%d: ended with %v:\n%s%s", b.line, err, out, &failure)
		case len(strings.TrimSpace(string(out))) == 0:
			r.Errorf("README.md:%d: prints nothing", b.line)
		case failure.Len() > 0:
			r.Errorf("README.md:%d: complains: %s", b.line, &failure)
		}
	}
}

// has says that blocks in these languages were run.
func (r *reading) has(languages ...string) {
	r.Helper()
	for _, language := range languages {
		if r.ran[language] == 0 {
			r.Errorf("README.md has no block of %s where it should", language)
		}
	}
}

func TestTheFirstFiveMinutesWorkAsPrinted(t *testing.T) {
	url, token := demo(t)
	r := newReading(t, "KINEBASE_URL="+url, "KINEBASE_TOKEN="+token)
	r.follow(firstMinutes)
	r.has("sh", "python")
	again := newReading(t, "KINEBASE_URL="+url, "KINEBASE_TOKEN="+token)
	again.follow(sendAFile) // among the captures of the demo
	again.has("sh", "python")
}

// TestAFileIsSentAsPrintedToADiskAndToABucket has the same lines do for both.
func TestAFileIsSentAsPrintedToADiskAndToABucket(t *testing.T) {
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			m, files := where.setUp(t)
			_, secret := m.token(m.organization())
			r := newReading(t, "KINEBASE_URL="+m.serve().url, "KINEBASE_TOKEN="+secret)
			r.follow(sendAFile)
			r.has("sh", "python")
			if there := files(); len(there) != 2 {
				t.Errorf("the file and its table should be kept, and there are %q", there)
			}
		})
	}
}

// TestAFolderIsBroughtAsPrinted makes the folder as the README says.
func TestAFolderIsBroughtAsPrinted(t *testing.T) {
	m := machineAt(t, apptest.SQLite.Place(t))
	org := m.organization()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	onPath := t.TempDir()
	if err := os.Symlink(file, filepath.Join(onPath, "kinebase")); err != nil {
		t.Fatal(err)
	}
	env := append(m.env, "ORG="+org, "HOME="+m.home, "PATH="+onPath+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := newReading(t, append(env, "KINEBASE_DATA="+m.args[slices.Index(m.args, "--data")+1])...)
	r.follow(bringAFolder)
	r.has("sh")
	report, err := os.ReadFile(filepath.Join(r.folder, "captures.tsv"))
	if err != nil || strings.Count(string(report), "\tcompleted\t") != 11 {
		t.Errorf("%v; the report says:\n%s", err, report)
	}
	var again summary
	if m.run(&again, "import", "--org", org, filepath.Join(r.folder, "monday")); again.Captures != 11 || again.Failed != 0 {
		t.Errorf("again: %+v", again)
	}
}

// demo serves a demo and gives what it prints.
func demo(t *testing.T) (url, token string) {
	t.Helper()
	m := machineAt(t, apptest.SQLite.Place(t))
	cmd := m.onStore("demo", "--listen", "127.0.0.1:0", "--json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s, _ := m.begin(cmd) // it prints once it is ready
	var made struct{ URL, Token string }
	if err := json.NewDecoder(out).Decode(&made); err != nil {
		t.Fatalf("the demo printed nothing that can be read: %v\n%s", err, tail(s.logs()))
	}
	return made.URL, made.Token
}

func TestTheBlocksOfTheFirstFiveMinutesAreFound(t *testing.T) {
	got := blocks(t, "# A\n```sh\nno\n```\n"+firstMinutes+"\ntext\n```sh\na\n\nb\n```\n```\nc\n```\n### Deeper\n```python\nd\n```\n## After\n```sh\nno\n```\n", firstMinutes)
	want := []block{{"sh", "a\n\nb\n", 7}, {"", "c\n", 12}, {"python", "d\n", 16}}
	if len(got) != len(want) {
		t.Fatalf("found %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// TestTheRecipeForASpreadsheetSurvivesEmptyCells runs the last block of
// docs/import.md on a table as spreadsheets write them, and imports what it prints.
func TestTheRecipeForASpreadsheetSurvivesEmptyCells(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "import.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(guide), "```python\n")
	recipe, _, found := strings.Cut(recipe, "```")
	if !found {
		t.Fatal("docs/import.md has no block of Python")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		testkit.Missing(t, "no python3 for the recipe of docs/import.md; to run this test: apt-get install python3-minimal")
	}
	m := machineAt(t, apptest.SQLite.Place(t))
	org := m.organization()
	const ada = "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"
	folder := t.TempDir()
	table := "\ufefftrial,athlete,time,fps\r\nS-1," + ada + ",2026-05-13T12:00:00Z,\"239,76\"\r\nS-2,,,\r\n,,,\r\nS-3, ,2026-05-14T08:00\r\n\r\nS-4,,2026-05-14T09:00:00Z,240,a remark\r\n"
	if err := os.WriteFile(filepath.Join(folder, "trials.csv"), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", recipe)
	cmd.Dir = folder
	var failure strings.Builder
	cmd.Stderr = &failure
	lines, err := cmd.Output()
	if err != nil {
		t.Fatalf("the recipe ended with %v: %s", err, &failure)
	}
	manifest := filepath.Join(folder, "m.ndjson")
	text := `{"type":"athlete","id":"` + ada + `","first_name":"Ada"}` + "\n" + string(lines)
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got summary
	if m.run(&got, "import", "--org", org, manifest); got != (summary{Athletes: 1, Captures: 4}) {
		t.Errorf("imported %+v of\n%s", got, text)
	}
}
