package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/cli"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/testkit"
)

// TestMain makes the test program its own reader of motion files, as kinebase is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == process.Verb {
		os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Outside()))
	}
	testkit.Main(m)
}

// shell types commands into one environment.
type shell struct {
	t   *testing.T
	env map[string]string
}

// newShell is a shell with a store of its own that is not made yet.
func newShell(t *testing.T) *shell {
	return &shell{t, map[string]string{"HOME": t.TempDir(), "KINEBASE_DATA": filepath.Join(t.TempDir(), "data")}}
}

// result is what a command left behind.
type result struct {
	t        *testing.T
	command  string
	code     int
	out, err string
}

// run types a command.
func (s *shell) run(args ...string) result {
	s.t.Helper()
	return s.runWith(s.t.Context(), args...)
}

func (s *shell) runWith(ctx context.Context, args ...string) result {
	s.t.Helper()
	var out, err bytes.Buffer
	code := cli.Main(ctx, args, &cli.World{
		In: strings.NewReader(""), Out: &out, Err: &err,
		Env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok },
	})
	return result{s.t, "kinebase " + strings.Join(args, " "), code, out.String(), err.String()}
}

// ok ends the test when the command failed.
func (r result) ok() result {
	r.t.Helper()
	if r.code != 0 {
		r.t.Fatalf("%s ended with %d:\n%s", r.command, r.code, r.err)
	}
	return r
}

// fails ends the test unless the command ended with the code and one line on
// standard error that says something.
func (r result) fails(code int, saying string) {
	r.t.Helper()
	if r.code != code {
		r.t.Fatalf("%s ended with %d, want %d:\n%s%s", r.command, r.code, code, r.out, r.err)
	}
	line, rest, _ := strings.Cut(r.err, "\n")
	if !strings.HasPrefix(line, "kinebase: ") || !strings.Contains(line, saying) {
		r.t.Errorf("%s says %q, want a line with %q", r.command, line, saying)
	}
	if code == 1 && rest != "" {
		r.t.Errorf("%s says more than a line:\n%s", r.command, r.err)
	}
	if r.out != "" {
		r.t.Errorf("%s failed and yet printed %q", r.command, r.out)
	}
}

// into decodes what the command printed as JSON.
func (r result) into(v any) {
	r.t.Helper()
	r.ok()
	d := json.NewDecoder(strings.NewReader(r.out))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		r.t.Fatalf("%s printed what it should not: %v\n%s", r.command, err, r.out)
	}
	if d.More() {
		r.t.Fatalf("%s printed more than one value:\n%s", r.command, r.out)
	}
}

// organization creates one and gives its id.
func (s *shell) organization(name string) string {
	s.t.Helper()
	var made struct{ ID, Name string }
	s.run("org", "create", name, "--json").into(&made)
	return made.ID
}

// token creates one and gives its id and its secret.
func (s *shell) token(org string, more ...string) (id, secret string) {
	s.t.Helper()
	var made struct{ ID, Token string }
	s.run(append([]string{"token", "create", "--org", org, "--name", "t", "--json"}, more...)...).into(&made)
	return made.ID, made.Token
}
