package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// firstMinutes is the heading whose blocks are run.
const firstMinutes = "## First five minutes"

// block is a piece of the README that a reader is to type.
type block struct {
	language, text string
	line           int
}

var fence = regexp.MustCompile("^```([a-z]*)$")

// blocks finds the fenced blocks below the heading.
func blocks(t *testing.T, readme string) (found []block) {
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
			inside = line == firstMinutes
		case inside && mark != nil:
			open = &block{language: mark[1], line: n + 1}
		}
	}
	if open != nil {
		t.Fatalf("README.md:%d: the block has no end", open.line)
	}
	return found
}

// TestTheFirstFiveMinutesWorkAsPrinted runs the shell and Python blocks of the
// README against a demo, each as it stands there.
func TestTheFirstFiveMinutesWorkAsPrinted(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string][]string{"sh": {"sh", "-euc"}, "python": {"python3", "-c"}}
	ran := map[string]int{}
	url, token := demo(t)
	for _, b := range blocks(t, string(readme)) {
		program := programs[b.language]
		if program == nil {
			continue // what is not meant to be run has another language or none
		}
		for _, tool := range []string{program[0], "curl", "python3"} {
			if _, err := exec.LookPath(tool); err != nil {
				testkit.Missing(t, "no %s for the README's examples; to run this test: apt-get install curl python3-minimal", tool)
			}
		}
		ran[b.language]++
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, program[0], append(program[1:], b.text)...)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "KINEBASE_URL="+url, "KINEBASE_TOKEN="+token)
		var failure strings.Builder
		cmd.Stderr = &failure
		out, err := cmd.Output()
		cancel()
		switch {
		case err != nil:
			t.Errorf("README.md:%d: ended with %v:\n%s%s", b.line, err, out, &failure)
		case len(strings.TrimSpace(string(out))) == 0:
			t.Errorf("README.md:%d: prints nothing", b.line)
		case failure.Len() > 0:
			t.Errorf("README.md:%d: complains: %s", b.line, &failure)
		}
	}
	for language := range programs {
		if ran[language] == 0 {
			t.Errorf("README.md has no block of %s below %q", language, firstMinutes)
		}
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
	got := blocks(t, "# A\n```sh\nno\n```\n"+firstMinutes+"\ntext\n```sh\na\n\nb\n```\n```\nc\n```\n### Deeper\n```python\nd\n```\n## After\n```sh\nno\n```\n")
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
