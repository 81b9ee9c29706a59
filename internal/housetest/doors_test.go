package housetest

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		want := "Package " + p.Name + " "
		if p.Name == "main" {
			want = "" // a command says what it does, in any words
		}
		said := false
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file),
				nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if parsed.Doc != nil && strings.HasPrefix(parsed.Doc.Text(), want) {
				said = true
			}
		}
		if !said {
			t.Errorf("%s has no comment that begins with %q", p.name, want)
		}
	}
}

func TestNoRoomIsAJunkRoom(t *testing.T) {
	junk := []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "shared", "lib", "stuff", "types",
		"models"}
	for _, p := range packages(t) {
		for _, part := range strings.Split(p.name, "/") {
			if slices.Contains(junk, part) {
				t.Errorf("%s: the name %s says nothing of what is inside; name the idea", p.name, part)
			}
		}
	}
}

func TestNoFileOutgrowsItsRoom(t *testing.T) {
	const most = 500
	for _, p := range packages(t) {
		for _, file := range p.GoFiles {
			if strings.HasSuffix(file, "_gen.go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n > most {
				t.Errorf("%s/%s has %d lines: it holds more than one idea", p.name, file, n)
			}
		}
	}
}

// A test that sleeps is too short for a slow machine and too long for every
// other. In a synctest bubble the clock is the test's own, and nobody waits.
func TestNoTestSleeps(t *testing.T) {
	sleep := []byte("time." + "Sleep(")
	for _, p := range packages(t) {
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, sleep) && !bytes.Contains(text, []byte(`"testing/synctest"`)) {
				t.Errorf("%s/%s sleeps: wait for a signal, or for a condition with a deadline", p.name, file)
			}
		}
	}
}

// foreign is what belongs to a place where Kinebase is worked on and means nothing to
// who reads it, by a word in small letters that is part of each match, for a search for
// words is far quicker than one for patterns. Both are written so that they do not match
// themselves.
var foreign = map[string]*regexp.Regexp{
	// Paths of somebody's machine, and files beside the repository.
	"work" + "/":   regexp.MustCompile(`(?:^|[^\w./-])/wor[k]/`),
	"root" + "/":   regexp.MustCompile(`(?:^|[^\w./-])/roo[t]/`),
	"shar" + "ed":  regexp.MustCompile(`\.\.[/]shared`),
	"age" + "nt":   regexp.MustCompile(`(?i)sub[-]?agent`),
	"workp" + "la": regexp.MustCompile(`(?i)this work[p]lace`),
	// Who worked on it, and numbers that mean something elsewhere.
	"sess" + "ion": regexp.MustCompile(`(?i)[d]eveloper session`),
	"clos" + "ing": regexp.MustCompile(`(?i)closing[ ]note`),
	"iss" + "ue ":  regexp.MustCompile(`(?i)\bissu[e] \d+\b`),
	// Where packages came from.
	"gopr" + "oxy":   regexp.MustCompile(`GO[P]ROXY=https?:`),
	"index" + "-url": regexp.MustCompile(`--index[-]url`),
	"regi" + "stry":  regexp.MustCompile(`--regist[r]y`),
	"resol" + "ved":  regexp.MustCompile(`"resolve[d]": "https?:`),
	// The two ends of a merge that nobody finished.
	"<<<<" + "<<< ": regexp.MustCompile(`^<{7} `),
	">>>>" + ">>> ": regexp.MustCompile(`^>{7} `),
}

// suspicious gives the patterns that may match a text.
func suspicious(text string) (patterns []*regexp.Regexp) {
	small := strings.ToLower(text)
	for word, pattern := range foreign {
		if strings.Contains(small, word) {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// stranger gives what means nothing in a line; "" for nothing.
func stranger(line string, patterns []*regexp.Regexp) string {
	for _, pattern := range patterns {
		if found := pattern.FindString(line); found != "" {
			return found
		}
	}
	return ""
}

// atHome are the files that may name their surroundings.
var atHome = []string{".ci/run"}

func TestNothingOfAMachineStandsInTheProject(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", ".git")); err != nil {
		t.Skip("not a git checkout, so there is no list of the project's files")
	}
	listed, err := run("git", "ls-files", "-z")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Split(strings.TrimRight(string(listed), "\x00"), "\x00")
	if !slices.Contains(files, "go.mod") {
		t.Fatal("git does not list go.mod, so nothing here is being tested")
	}
	for _, file := range files {
		if slices.Contains(atHome, file) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue // not text
		}
		patterns := suspicious(string(text))
		if len(patterns) == 0 && !bytes.Contains(text, []byte(here+"/")) {
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			found := stranger(line, patterns)
			if strings.Contains(line, here+"/") {
				found = here
			}
			if found != "" {
				t.Errorf("%s:%d holds %q, which means nothing to its readers", file, i+1, found)
			}
		}
	}
}

func TestTheBanOnForeignWordsSeesThem(t *testing.T) {
	for _, line := range []string{
		"see /" + "work/main", "cd /" + "root/kinebase", "read .." + "/shared/motion", "as is" + "sue 12 says",
		"GO" + "PROXY=https://x",
		"a Sub" + "-Agent", "in This Work" + "place", "a Develo" + "per session", "the Clos" + "ing note",
		"--ind" + "ex-url=x", "--regis" + "try x", `"resol` + `ved": "https://x"`,
		"<<<<" + "<<< HEAD", ">>>>" + ">>> 0123abc (Why)",
	} {
		if stranger(line, suspicious(line)) == "" {
			t.Errorf("%q passes", line)
		}
	}
	for _, line := range []string{
		"a framework/adapter", "https://example.org/wo" + "rk/", "an issue with 12 files", "/var/lib/kinebase",
		"client/wo" + "rk/x",
	} {
		if found := stranger(line, suspicious(line)); found != "" {
			t.Errorf("%q is refused for %q", line, found)
		}
	}
}
