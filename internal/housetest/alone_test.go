package housetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// concurrency is what a file does that may run beside something else: it starts a goroutine,
// has a test run beside others, or imports what does so for it.
func concurrency(file *ast.File) (found []string) {
	for _, i := range file.Imports {
		switch path := strings.Trim(i.Path.Value, `"`); path {
		case "golang.org/x/sync/errgroup", "testing/synctest", "net", "net/http", "os/exec", "database/sql":
			found = append(found, "imports "+path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, "has a go statement")
		case *ast.SelectorExpr:
			switch n.Sel.Name {
			case "Go", "Parallel", "RunParallel", "AfterFunc":
				found = append(found, "calls "+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// The race detector is left out of the tests of packages in which nothing runs beside
// anything else, and of no others.
func TestWhatIsTestedWithoutTheRaceDetectorStartsNoGoroutine(t *testing.T) {
	makefile, err := run("cat", "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^alone = (.+)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile names no packages that are tested without the race detector")
	}
	out, err := run("go", append([]string{"list"}, strings.Fields(string(line[1]))...)...)
	if err != nil {
		t.Fatal(err)
	}
	alone := strings.Fields(string(out))
	seen := 0
	for _, p := range packages(t) {
		if !slices.Contains(alone, p.ImportPath) {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil,
				parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range concurrency(file) {
				t.Errorf("%s/%s %s, so that the race detector has something to watch: take the package out of alone "+
					"in the Makefile", p.name, name, what)
			}
			seen++
		}
	}
	if seen < 50 {
		t.Errorf("only %d files were looked at", seen)
	}
}

// Without inlining, the race detector sees what the package sync orders, but what is called of
// sync/atomic is part of who calls it.
func TestLibrariesWithoutTheRaceDetectorStartNoGoroutineAndAreNotOrderedByAtomics(t *testing.T) {
	makefile, err := run("cat", "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ordered = (.+)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile names no libraries that are built without the race detector and without inlining")
	}
	for _, name := range strings.Fields(string(line[1])) {
		listed, err := run("go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, name)
		if err != nil {
			t.Fatal(err)
		}
		files := strings.Fields(string(listed))
		if len(files) == 0 {
			t.Errorf("%s has no files", name)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s starts a goroutine: take %s out of ordered in the Makefile", file, name)
				}
				return true
			})
			if slices.ContainsFunc(parsed.Imports,
				func(i *ast.ImportSpec) bool { return i.Path.Value == `"sync/atomic"` }) {
				t.Errorf("%s imports sync/atomic: take %s out of ordered in the Makefile", file, name)
			}
		}
	}
}

func TestTheRaceDetectorIsLeftOutOfNothingThatRunsBesideSomething(t *testing.T) {
	for text, want := range map[string]int{
		"func f() { go f() }": 1, "func f() { defer func() { go f() }() }": 1,
		"func f(t interface{ Parallel() }) { t.Parallel() }": 1, "func f() { var all sync.WaitGroup; all.Go(f) }": 1,
		`import "net/http"`: 1, `import "sync"`: 0, "func f() { f() }": 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := concurrency(file); len(got) != want {
			t.Errorf("%s: got %v, want %d findings", text, got, want)
		}
	}
}
