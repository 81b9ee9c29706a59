package housetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/kinebase/kinebase"

// pkg is what go list says of one package of the module, with its name inside
// the module: "internal/store", and "." for the module's root.
type pkg struct {
	name         string
	ImportPath   string
	Dir          string
	Name         string // of the package clause
	Imports      []string
	TestImports  []string
	XTestImports []string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
}

// house lists every package of the module, once.
var house = sync.OnceValues(func() ([]pkg, error) {
	// -e: a package that does not compile is the compiler's to report.
	out, err := run("go", "list", "-e",
		"-json=ImportPath,Dir,Name,Imports,TestImports,XTestImports,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		p.name = inside(p.ImportPath)
		all = append(all, p)
	}
})

// run gives what a command prints, run in the module's root.
func run(name string, args ...string) ([]byte, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, errors.New(strings.Join(cmd.Args, " ") + ": " + string(exit.Stderr))
	}
	return out, err
}

func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := house()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 3 {
		t.Fatalf("go list found %d packages, so nothing here is being tested", len(all))
	}
	return all
}

// inside gives a package's name inside the module, "" for one from outside.
func inside(importPath string) string {
	if importPath == module {
		return "."
	}
	name, ours := strings.CutPrefix(importPath, module+"/")
	if !ours {
		return ""
	}
	return name
}

// below says whether name is the room or lies in it.
func below(room, name string) bool { return name == room || strings.HasPrefix(name, room+"/") }

// machine gives the machine that a package belongs to: internal/store for
// internal/store/storetest.
func machine(name string) string {
	if !below("internal", name) {
		return ""
	}
	return path.Join("internal", strings.SplitN(name, "/", 3)[1])
}
