package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a fenced block of a page.
type block struct {
	kind string // the words behind the fence
	text string
	at   string // page:line
}

// kinds are the kinds of blocks that a page may have, and what becomes of each.
// CONTRIBUTING.md tells writers the same.
var kinds = map[string]func(*reader, block){
	"sh":            (*reader).shell,   // typed into the shell of the page
	"sh service":    (*reader).service, // typed into another shell; runs until it is stopped
	"sh admin":      (*reader).admin,   // needs root or a place that no test has: its form and its flags are checked
	"sh suite":      nil,               // the tests, which do not run themselves
	"text output":   (*reader).output,  // what the block before has printed; … is anything
	"text":          nil,
	"python":        (*reader).python, // typed into Python, with the variables of the shell
	"python save":   (*reader).save,   // a file; the first line is a remark with its name
	"js save":       (*reader).save,
	"python pandas": (*reader).pandas, // the same as python, with the readers of Parquet
	"python spark":  (*reader).compiles,
	"sql duckdb":    (*reader).duckdb,
	"sql postgres":  (*reader).postgres, // as a superuser
	"r":             (*reader).r,        // typed into R, with the variables of the shell and the R client
	"r arrow":       (*reader).parses,
	"json":          (*reader).isJSON,
	"ini":           nil,
}

// paged are the pages in the order in which they are read.
func paged(t *testing.T) []string {
	t.Helper()
	rest, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(rest) < 5 {
		t.Fatalf("docs has %q, %v", rest, err)
	}
	all := []string{"README.md"}
	for _, page := range rest {
		all = append(all, "docs/"+filepath.Base(page))
	}
	return all
}

var (
	fence    = regexp.MustCompile("^ *```(.*)$")
	indented = regexp.MustCompile(`^(    |\t)`)
)

// blocks finds the blocks of a page below a heading, or all for "". What it gives as
// faults is what would escape: a block without an end, or one that is told from text by
// nothing but its indentation.
func blocks(name, page, heading string) (found []block, faults []string) {
	inside, open, before := heading == "", (*block)(nil), ""
	for n, line := range strings.Split(page, "\n") {
		at := fmt.Sprintf("%s:%d", name, n+1)
		mark := fence.FindStringSubmatch(line)
		switch {
		case open != nil && mark != nil:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "## "):
			inside = heading == "" || line == heading
		case inside && mark != nil:
			open = &block{kind: mark[1], at: at}
		case indented.MatchString(line) && before == "":
			faults = append(faults, at+": an indented block: put it between fences, with its kind")
		}
		before = strings.TrimSpace(line)
	}
	if open != nil {
		faults = append(faults, open.at+": the block has no end")
	}
	for _, b := range found {
		if _, known := kinds[b.kind]; !known {
			faults = append(faults, fmt.Sprintf("%s: the kind of the block, %q, is none of those that "+
				"CONTRIBUTING.md lists", b.at, b.kind))
		}
	}
	return found, faults
}

// page gives the blocks of a page, or of a part of it.
func page(t *testing.T, name, heading string) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	found, faults := blocks(name, string(text), heading)
	for _, fault := range faults {
		t.Error(fault)
	}
	return found
}

func TestNoBlockOfThePagesEscapes(t *testing.T) {
	count := map[string]int{}
	for _, name := range paged(t) {
		for _, b := range page(t, name, "") {
			count[b.kind]++
		}
	}
	for kind := range kinds {
		if count[kind] == 0 {
			t.Errorf("no page has a block of the kind %q: take it out of the list", kind)
		}
	}
	guide, err := os.ReadFile(filepath.Join("..", "..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	for kind := range kinds {
		if !regexp.MustCompile("(?m)^\\| .*`" + kind + "`.* \\|").Match(guide) {
			t.Errorf("CONTRIBUTING.md does not list the kind %q", kind)
		}
	}
}

func TestTheBlocksOfAPageAreFound(t *testing.T) {
	text := "# A\n```sh\nno\n```\n## One\ntext\n```sh service\na\n\nb\n```\n- in a list:\n  ```text\n  c\n  ```\n### " +
		"Deeper\n```python\nd\n```\n## After\n```sh\nno\n```\n"
	got, faults := blocks("p", text, "## One")
	want := []block{{"sh service", "a\n\nb\n", "p:7"}, {"text", "  c\n", "p:13"}, {"python", "d\n", "p:17"}}
	if !slices.Equal(got, want) || len(faults) > 0 {
		t.Errorf("found %+v and %q, want %+v", got, faults, want)
	}
	for text, fault := range map[string]string{
		"```bash\na\n```\n":           `p:1: the kind of the block, "bash"`,
		"```\na\n```\n":               `p:1: the kind of the block, ""`,
		"text\n\n    make demo\n":     "p:3: an indented block",
		"text\n\n\tmake demo\n":       "p:3: an indented block",
		"# A\n\n```sh\nwithout end\n": "p:3: the block has no end",
	} {
		if _, faults := blocks("p", text, ""); len(faults) != 1 || !strings.HasPrefix(faults[0], fault) {
			t.Errorf("%q has the faults %q, want one: %s", text, faults, fault)
		}
	}
}
