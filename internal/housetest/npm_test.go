package housetest

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// web reads a file of the console's front end into v.
func web(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "web", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("web/%s: %v", name, err)
	}
}

func TestEveryPackageOfTheConsoleIsPinnedAndHasItsReason(t *testing.T) {
	var p struct{ Dependencies, DevDependencies map[string]string }
	web(t, "package.json", &p)
	reasons, err := os.ReadFile(filepath.Join("..", "..", "docs", "adr", "0018-console.md"))
	if err != nil {
		t.Fatal(err)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	for _, list := range []map[string]string{p.Dependencies, p.DevDependencies} {
		if len(list) == 0 {
			t.Fatal("web/package.json has a list that is empty, so nothing was tested")
		}
		for name, version := range list {
			if !exact.MatchString(version) && !own(t, version) {
				t.Errorf("web/package.json wants %s %s: name one version", name, version)
			}
			if !strings.Contains(string(reasons), "`"+name+"`") {
				t.Errorf("docs/adr/0018-console.md does not say what %s is for", name)
			}
		}
	}
}

// own says whether a version names a package of ours, beside the tests, which stands for a public one that is not free.
func own(t *testing.T, version string) bool {
	t.Helper()
	folder, ok := strings.CutPrefix(version, "file:")
	if !ok || !strings.HasPrefix(folder, "tests/") {
		return false
	}
	var p struct{ License string }
	web(t, filepath.Join(folder, "package.json"), &p)
	return p.License == "Apache-2.0"
}

// Free licences of which a copy in the program asks nothing but to be named.
var free = map[string]bool{"MIT": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "Apache-2.0": true, "MPL-2.0": true}

// ofTools are further licences of packages that build and test, of which nothing
// comes into the program.
var ofTools = map[string]bool{"ISC": true, "0BSD": true, "Python-2.0": true, "(MIT OR CC0-1.0)": true,
	"MIT OR Apache-2.0": true}

func TestThePackagesOfTheConsoleAreFreeAndAreWhatWasChecked(t *testing.T) {
	var lock struct {
		Packages map[string]struct {
			Version, License, Integrity, Resolved string
			Dev, Link, HasInstallScript           bool
		}
	}
	web(t, "package-lock.json", &lock)
	if len(lock.Packages) < 10 {
		t.Fatalf("web/package-lock.json has %d packages, so nothing was tested", len(lock.Packages))
	}
	shipped := 0
	for name, p := range lock.Packages {
		if name == "" {
			continue // the console itself
		}
		if ours := "file:" + cmp.Or(p.Resolved, name); own(t, ours) { // it is not fetched from anywhere
			continue
		}
		if !p.Dev {
			shipped++
		}
		if !free[p.License] && !(p.Dev && ofTools[p.License]) {
			t.Errorf("%s has the licence %q", name, p.License)
		}
		if p.Integrity == "" || p.Link {
			t.Errorf("%s has no checksum", name)
		}
		if p.Resolved != "" {
			t.Errorf("%s says where it was fetched from: web/.npmrc is to keep that out", name)
		}
	}
	if shipped == 0 {
		t.Error("no package comes into the program, so nothing was tested")
	}
}

// TestOnePlaceNamesTheVersionsOfNode: programs read them in web/package.json, people in docs/console.md.
func TestOnePlaceNamesTheVersionsOfNode(t *testing.T) {
	var p struct{ Engines struct{ Node string } }
	web(t, "package.json", &p)
	guide := document(t, "docs/console.md")
	for _, part := range strings.Split(p.Engines.Node, " || ") {
		version := regexp.MustCompile(`^(?:\^|>=)((\d+)\.\d+)\.0$`).FindStringSubmatch(part)
		if version == nil {
			t.Fatalf("web/package.json: engines: scripts/node does not understand %q", part)
		}
		told := version[2] + " (from " + version[1] + ")"
		if strings.HasPrefix(part, ">=") {
			told = version[2] + " and later"
		}
		if !strings.Contains(guide, told) {
			t.Errorf("web/package.json wants Node.js %s, and docs/console.md does not say %q", part, told)
		}
	}
	naming := regexp.MustCompile(`(?i)node(?:\.?js)?[ ][>=v]*\d+`)
	files, err := run("git", "ls-files", "-z", "*.md", "Makefile", "scripts", "web/dist/placeholder.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(strings.Trim(string(files), "\x00"), "\x00") {
		switch name {
		case "docs/console.md", "docs/adr/0019-nodejs.md", "CHANGELOG.md":
			continue // the place for people, the reasons, and what was true once
		}
		if found := naming.FindString(document(t, name)); found != "" {
			t.Errorf("%s names a version, %q: only docs/console.md and web/package.json do", name, found)
		}
	}
}

// document gives the text of a file of the project.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
