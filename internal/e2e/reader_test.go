package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// reader is somebody who types what the pages say, block by block, into one shell in a
// folder. The shell ends at the first command that fails, unlike a person's.
type reader struct {
	testing.TB
	folder    string
	env       []string
	example   *strings.Replacer // values of the pages that stand for the reader's own
	superuser string            // the URL of a superuser of PostgreSQL
	library   string            // that has the R client, once a block needs it

	bash  *exec.Cmd
	in    io.Writer
	told  chan string   // a word for each block that ended well
	ended chan struct{} // closed when the shell has ended

	typed    int
	last     string // what the last block of the shell has printed
	services []*service
}

// limit is how long a block may take: far longer than it does on a slow machine.
const limit = 4 * time.Minute

// newReader opens a shell. The environment is complete; nothing of the test's own gets in.
func newReader(t testing.TB, folder string, env []string, example *strings.Replacer) *reader {
	t.Helper()
	r := &reader{TB: t, folder: folder, env: env, example: example, told: make(chan string), ended: make(chan struct{})}
	r.bash = exec.Command("bash", "--noprofile", "--norc", "-euo", "pipefail")
	r.bash.Dir, r.bash.Env = folder, env
	r.bash.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	in, err := r.bash.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.bash.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.in = in
	if err := r.bash.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.ended)
		defer close(r.told)
		words := json.NewDecoder(out)
		for {
			var word string
			if words.Decode(&word) != nil {
				break
			}
			r.told <- word
		}
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-r.bash.Process.Pid, syscall.SIGKILL) // an error means that all have ended
		for range r.told {                                     // nobody waits for these any more
		}
		<-r.ended
		_ = r.bash.Wait()
	})
	return r
}

// read types blocks, one after the other.
func (r *reader) read(all []block) {
	r.Helper()
	for _, b := range all {
		if r.Failed() {
			return // what follows would fail for what came before
		}
		if act := kinds[b.kind]; act != nil {
			act(r, block{b.kind, r.example.Replace(b.text), b.at})
		}
	}
	for _, s := range r.services {
		s.stop()
	}
	r.services = nil
}

// shell types a block into the shell and waits until it is done.
func (r *reader) shell(b block) {
	r.Helper()
	r.typed++
	file := filepath.Join(r.variable("TMPDIR"), fmt.Sprintf("typed-%d", r.typed))
	if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
		r.Fatal(err)
	}
	// As if typed: variables, functions and the folder stay for the next block.
	if _, err := fmt.Fprintf(r.in, ". %s >%[1]s.out 2>%[1]s.err </dev/null\necho '\"done\"'\n", file); err != nil {
		r.Errorf("%s: the shell has ended: %v", b.at, err)
		return
	}
	select {
	case _, ok := <-r.told:
		r.last = contents(r.TB, file+".out")
		if !ok {
			r.Errorf("%s: a command failed:\n%s\nIt printed:\n%s%s", b.at, b.text, r.last, contents(r.TB, file+".err"))
		} else if complaint := complains.FindString(contents(r.TB, file+".err")); complaint != "" {
			r.Errorf("%s: complains: %s", b.at, complaint)
		}
	case <-time.After(limit):
		r.Errorf("%s: does not come to an end:\n%s\nIt printed:\n%s%s", b.at, b.text, contents(r.TB, file+".out"),
			contents(r.TB, file+".err"))
		_ = syscall.Kill(-r.bash.Process.Pid, syscall.SIGKILL)
	}
}

// complains is what a program says on standard error where the pages should not lead to it; an
// example that exports nothing shows nothing.
var complains = regexp.MustCompile(
	`(?m)^(curl: .*|.*command not found.*|kinebase: .*|.*Warning: .*|Exported 0 rows .*)$`)

func contents(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// variable gives a variable of the reader's.
func (r *reader) variable(name string) string {
	for _, line := range r.env {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

func (r *reader) python(b block) { r.through(b, "python3 -") }

// through types a block as what a program reads.
func (r *reader) through(b block, program string) {
	const end = "end_of_the_block"
	r.shell(block{b.kind, program + " <<'" + end + "'\n" + b.text + end + "\n", b.at})
}

// fileName is the first line of a block that is a file.
var fileName = regexp.MustCompile(`^(?:#|//) ([a-z]+\.(?:py|mjs))\n`)

// save writes a file that the block's first line names.
func (r *reader) save(b block) {
	r.Helper()
	first := fileName.FindStringSubmatch(b.text)
	if first == nil {
		r.Errorf("%s: the first line is no remark with a file's name", b.at)
		return
	}
	r.through(b, "cat >"+first[1])
}

// readers is Python with the readers of Parquet that are not ours.
func (r *reader) readers() string {
	folder := absolute(r.TB, "..", "..", ".tools", "readers")
	if _, err := os.Stat(filepath.Join(folder, "installed")); err != nil {
		need.Missing(r.TB, "no DuckDB and pandas to read Parquet with; to run this test: make "+
			".tools/readers/installed")
	}
	return filepath.Join(folder, "bin", "python")
}

func (r *reader) pandas(b block) {
	r.through(b, "PYTHONPATH="+absolute(r.TB, "..", "..", "clients", "python", "src")+" "+r.readers()+" -")
}

func (r *reader) duckdb(b block) {
	r.through(b, r.readers()+" -c 'import duckdb, sys; duckdb.sql(sys.stdin.read()).show()'")
}

func (r *reader) r(b block) {
	if r.library == "" {
		r.library = rClient(r.TB)
	}
	r.through(b, "R_LIBS="+r.library+" Rscript -")
}

// parses takes a program that wants what Debian's R does not have.
func (r *reader) parses(b block) {
	r.through(b, `Rscript -e 'invisible(parse(file("stdin")))'`)
}

// compiles takes a program that wants what no test has.
func (r *reader) compiles(b block) {
	r.through(b, `python3 -c 'import sys; compile(sys.stdin.read(), "block", "exec")'`)
}

func (r *reader) isJSON(b block) {
	for d := json.NewDecoder(strings.NewReader(b.text)); ; {
		var value any
		if err := d.Decode(&value); err == io.EOF {
			return
		} else if err != nil {
			r.Errorf("%s: is no JSON: %v", b.at, err)
			return
		}
	}
}

// output holds what the last block has printed against what the page shows.
func (r *reader) output(b block) {
	shown := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(b.text)), "…", ".*")
	if !regexp.MustCompile(`(?s)^` + shown + `$`).MatchString(strings.TrimSpace(r.last)) {
		r.Errorf("%s: shows\n%s\nand printed was\n%s", b.at, b.text, r.last)
	}
}

// admin checks a block that is not typed: the shell understands it, and kinebase knows
// the commands and flags in it.
func (r *reader) admin(b block) {
	r.Helper()
	check := exec.CommandContext(r.Context(), "bash", "-n")
	check.Stdin = strings.NewReader(b.text)
	if out, err := check.CombinedOutput(); err != nil {
		r.Errorf("%s: the shell does not understand it: %s", b.at, out)
	}
	for _, command := range regexp.MustCompile(`[\n|&;]+`).Split(b.text, -1) {
		words := strings.Fields(command)
		for len(words) > 0 && (words[0] != "kinebase" ||
			len(words) > 1 && (words[1] == "kinebase" || words[1] == "--")) {
			words = words[1:]
		}
		verb := regexp.MustCompile(`^kinebase [a-z]+( [a-z]+)?`).FindString(strings.Join(words, " "))
		if verb == "" {
			continue
		}
		cmd := exec.CommandContext(r.Context(), filepath.Join(r.folder, "bin", "kinebase"),
			append(strings.Fields(verb)[1:], "--help")...)
		help, err := cmd.CombinedOutput()
		if err != nil {
			r.Errorf("%s: %s: %v", b.at, verb, err)
		}
		for _, word := range words {
			word = strings.TrimRight(word, ")")
			if strings.HasPrefix(word, "--") && !bytes.Contains(help, []byte(word)) {
				r.Errorf("%s: %s has no %s", b.at, verb, word)
			}
		}
	}
}

// postgres gives statements to PostgreSQL, one by one, as a superuser. The names in them
// are free before.
func (r *reader) postgres(b block) {
	r.Helper()
	address := r.superuser
	if !strings.Contains(b.text, "CREATE DATABASE") {
		address = strings.Replace(address, "/postgres?", "/kinebase?", 1)
	}
	db, err := pgx.Connect(r.Context(), address)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = db.Close(context.Background()) }()
	statements := strings.Split(b.text, ";\n")
	if strings.Contains(b.text, "CREATE DATABASE kinebase") {
		statements = append([]string{"DROP DATABASE IF EXISTS kinebase WITH (FORCE)", "DROP ROLE IF EXISTS kinebase"},
			statements...)
	}
	for _, statement := range statements {
		if _, err := db.Exec(r.Context(), statement); err != nil {
			r.Errorf("%s: %s: %v", b.at, statement, err)
		}
	}
}
