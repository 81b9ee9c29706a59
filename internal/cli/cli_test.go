package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/cli"
	"github.com/kinebase/kinebase/internal/testkit"
)

func TestACommandThatIsNotUnderstoodEndsWithTwoAndPointsToHelp(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct {
		args []string
		says string
		help string
	}{
		{[]string{"dance"}, "no such command: dance", "kinebase --help"},
		{[]string{"sreve"}, `did you mean "serve"?`, "kinebase --help"},
		{[]string{"help", "dance"}, "no such command: dance", "kinebase --help"},
		{[]string{"org", "dance"}, "no such command: org dance", "kinebase org --help"},
		{[]string{"org"}, `a command is missing: one of "create", "list"`, "kinebase org --help"},
		{[]string{"serve", "it"}, "serve takes no further argument: it", "kinebase serve --help"},
		{[]string{"token", "revoke"}, "the argument <id> is missing", "kinebase token revoke --help"},
		{[]string{"import", "--org", "x"}, "the argument <path> is missing", "kinebase import --help"},
		{[]string{"token", "list", "--org"}, "--org needs a value", "kinebase token list --help"},
		{[]string{"token", "create", "--expires", "-3d"}, "one that begins with a dash is written --expires=-3d",
			"kinebase token create --help"},
		{[]string{"demo", "--seed", "x"}, `--seed must be a whole number, not "x"`, "kinebase demo --help"},
		{[]string{"healthcheck", "--timeout", "x"}, "--timeout must be a duration such as 5s or 2m",
			"kinebase healthcheck --help"},
		{[]string{"org", "create", "A", "--colour", "red"}, "--colour", "kinebase org create --help"},
		{[]string{"token", "create", "--role", "viewer"}, "--name", "kinebase token create --help"},
	} {
		r := s.run(c.args...)
		r.fails(2, c.says)
		if !strings.Contains(r.err, c.help) {
			t.Errorf("%s does not point to %s:\n%s", r.command, c.help, r.err)
		}
	}
}

func TestNoCommandAtAllIsAnsweredWithAllCommands(t *testing.T) {
	r := newShell(t).run()
	if r.code != 2 || r.out != "" || !strings.Contains(r.err, "serve") || !strings.Contains(r.err, "token create") {
		t.Errorf("it ended with %d, printed %q and said:\n%s", r.code, r.out, r.err)
	}
}

func TestADatabaseThatCannotBeUsedIsExplainedInWords(t *testing.T) {
	s := newShell(t)
	s.run("org", "list", "--database-url", "postgres://kine:hunter2@127.0.0.1:1/x").fails(1,
		"the database cannot be used: 127.0.0.1:1: connection refused")
	s.run("org", "list", "--database-url", "postgres://kine@nowhere.invalid/x").fails(1,
		"the database cannot be used: there is no host named nowhere.invalid")
	good := testkit.Postgres(t).Database(t)
	missing := strings.Replace(good, "/test_", "/no_", 1)
	s.run("org", "list", "--database-url", missing).fails(1, "does not exist")
}

func TestEveryVerbHasHelp(t *testing.T) {
	s := newShell(t)
	for _, verb := range []string{
		"", "serve", "demo", "import", "migrate", "org", "org create", "org list", "token", "token create",
		"token list", "token revoke", "token rotate", "healthcheck", "version",
	} {
		r := s.run(append(strings.Fields(verb), "--help")...).ok()
		if !strings.Contains(r.out, "Usage: kinebase") || r.err != "" {
			t.Errorf("%s prints %q and %q", r.command, r.out, r.err)
		}
	}
	if _, err := os.Stat(s.env["KINEBASE_DATA"]); !os.IsNotExist(err) {
		t.Error("asking for help made a store")
	}
}

func TestHelpIsAVerbToo(t *testing.T) {
	s := newShell(t)
	for _, verb := range []string{"", "import", "token create"} {
		words := strings.Fields(verb)
		asked, flagged := s.run(append([]string{"help"}, words...)...).ok(), s.run(append(words, "--help")...).ok()
		if asked.out != flagged.out || asked.out == "" {
			t.Errorf("%s prints\n%s", asked.command, asked.out)
		}
	}
}

func TestAMisspelledVariableIsNamedOnce(t *testing.T) {
	s := newShell(t)
	environ := []string{"HOME=/", "KINEBASE_DATABSE_URL=postgres://kine:hunter2@db/x", "KINEBASE_TOKEN=kb_x"}
	for _, args := range [][]string{{"org", "list"}, {"serve", "--listen", "127.0.0.1:0"}} {
		var out, err bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		w := &cli.World{Out: &out, Err: &err, Env: func(name string) (string, bool) {
			v, ok := s.env[name]
			return v,
				ok
		}, Environ: func() []string { return environ }}
		if args[0] == "serve" {
			stop() // it has said it by then
		}
		cli.Main(ctx, args, w)
		stop()
		if strings.Count(err.String(), "KINEBASE_DATABSE_URL is no setting") != 1 ||
			strings.Contains(err.String(), "hunter2") || strings.Contains(err.String(), "KINEBASE_TOKEN") {
			t.Errorf("%v says %s", args, err.String())
		}
	}
}

func TestAServerThatCannotStartSaysSoInItsLogToo(t *testing.T) {
	s := newShell(t)
	s.env["KINEBASE_START_WAIT"] = "0s"
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for name, args := range map[string][]string{
		"KINEBASE_LISTEN": {"--listen", taken.Addr().String()},
		"cannot be used":  {"--listen", "127.0.0.1:0", "--database-url", "postgres://kine@127.0.0.1:1/x"},
		"should be":       {"--listen", "127.0.0.1:0", "--data", s.file("file", "")},
		"is not a databas": {"--listen", "127.0.0.1:0", "--data",
			filepath.Dir(s.file("kinebase.db", strings.Repeat("no database ", 100)))},
	} {
		r := s.run(append([]string{"serve"}, args...)...)
		lines := strings.Split(strings.TrimSpace(r.err), "\n")
		if r.code != 1 || len(lines) < 2 {
			t.Fatalf("%s ended with %d: %s", r.command, r.code, r.err)
		}
		var logged struct{ Level, Msg, Error string }
		if err := json.Unmarshal([]byte(lines[len(lines)-2]), &logged); err != nil || logged.Level != "ERROR" ||
			!strings.Contains(logged.Error, name) {
			t.Errorf("%s logged %s, want %s in it", r.command, lines[len(lines)-2], name)
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "kinebase: ") || !strings.Contains(last, name) {
			t.Errorf("%s says %s", r.command, last)
		}
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	s := newShell(t)
	if got := s.run("version").ok().out; !strings.HasPrefix(got, "kinebase ") {
		t.Errorf("printed %q", got)
	}
	var v struct{ Version, Go, Platform string }
	s.run("version", "--json").into(&v)
	if v.Version == "" || !strings.HasPrefix(v.Go, "go") || !strings.Contains(v.Platform, "/") {
		t.Errorf("printed %+v", v)
	}
	if got := s.run("--version").ok().out; strings.TrimSpace(got) != v.Version {
		t.Errorf("--version printed %q, want %q", got, v.Version)
	}
}

func TestEveryWrongSettingIsNamedInOneLine(t *testing.T) {
	s := newShell(t)
	s.env["KINEBASE_LOG_LEVEL"] = "loud"
	s.env["KINEBASE_RATE_LIMIT"] = "fast"
	r := s.run("serve", "--listen", "nowhere")
	r.fails(2, "--listen must be")
	for _, name := range []string{"KINEBASE_LOG_LEVEL", "KINEBASE_RATE_LIMIT"} {
		if !strings.Contains(r.err, name) {
			t.Errorf("%s is not named:\n%s", name, r.err)
		}
	}
}

func TestAPasswordIsNotRepeatedInAnError(t *testing.T) {
	s := newShell(t)
	for _, url := range []string{"postgres://kine:hunter2@127.0.0.1:1/x", "postgres://kine:hunter2@127.0.0.1:port/x",
		"mysql://kine:hunter2@h/x"} {
		r := s.run("org", "list", "--database-url", url)
		if r.code == 0 || r.err == "" || strings.Contains(r.err, "hunter2") {
			t.Errorf("with %s it ended with %d and said: %s", url, r.code, r.err)
		}
	}
}

func TestAFolderThatCannotBeMadeIsNamed(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("org", "list", "--data", filepath.Join(file, "data")).fails(1, file)
}

func TestMigrateMakesTheStoreAndChangesNothingTheSecondTime(t *testing.T) {
	s := newShell(t)
	var done struct{ Migrated bool }
	s.run("migrate", "--json").into(&done)
	if !done.Migrated {
		t.Error("not migrated")
	}
	org := s.organization("A")
	s.run("migrate").ok()
	if got := s.run("org", "list").ok().out; !strings.Contains(got, org) {
		t.Errorf("after the second migration the organization is gone:\n%s", got)
	}
}

func TestOneRoleMigratesAndAnotherServes(t *testing.T) {
	server := testkit.Postgres(t)
	owner := server.Database(t)
	s := newShell(t)
	s.env["KINEBASE_DATABASE_URL"] = server.Serving(t, owner)
	if r := s.run("org", "create", "A"); r.code == 0 || !strings.Contains(r.err, "KINEBASE_MIGRATE_DATABASE_URL") {
		t.Errorf("before: ended with %d, %s", r.code, r.err)
	}
	s.env["KINEBASE_MIGRATE_DATABASE_URL"] = owner
	s.run("migrate").ok()
	s.run("migrate").ok()
	delete(s.env, "KINEBASE_MIGRATE_DATABASE_URL")
	s.run("org", "create", "A").ok()
	s.run("migrate").ok() // there is nothing to do
	s.env["KINEBASE_MIGRATE_DATABASE_URL"] = server.Serving(t, owner)
	if r := s.run("migrate"); r.code == 0 || !strings.Contains(r.err, "belong to the database role") {
		t.Errorf("with the URLs the wrong way round: ended with %d, %s", r.code, r.err)
	}
	delete(s.env, "KINEBASE_DATABASE_URL")
	if r := s.run("migrate"); r.code == 0 || !strings.Contains(r.err, "KINEBASE_DATABASE_URL is not") {
		t.Errorf("without the role that serves: ended with %d, %s", r.code, r.err)
	}
	s.run("migrate", "--data", t.TempDir()).ok()
}

func TestACommandThatIsStoppedSaysSo(t *testing.T) {
	s := newShell(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s.runWith(ctx, "org", "list").fails(1, "stopped")
}
