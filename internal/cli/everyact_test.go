package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/audit"
)

// changeNothing are the commands that change nothing of an organization by themselves: they print, work for the
// whole store, or ask a server, which writes its own entries.
var changeNothing = []string{"serve", "demo", "export", "mcp", "org list", "org usage", "token list",
	"webhook list", "webhook deliveries", "backup", "restore", "audit", "doctor", "migrate", "healthcheck", "version"}

func TestEveryCommandThatChangesSomethingIsInTheAuditLog(t *testing.T) {
	s := newShell(t)
	org := s.organization("Lab")
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "trial.csv"), []byte(stands(600)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("import", "--org", org, "--activity", "jump", "--movement", "countermovement", folder).ok()
	s.age(org)
	s.run("measure", "--org", org).ok()
	s.run("org", "rename", org, "Institute").ok()
	s.run("org", "quota", org, "--captures", "9").ok()
	s.run("org", "suspend", org).ok()
	s.run("org", "suspend", org, "--lift").ok()
	id, _ := s.token(org, "--role", "viewer")
	s.run("token", "rotate", id).ok()
	s.run("token", "revoke", id).ok()
	var hook struct{ ID string }
	if err := json.Unmarshal([]byte(s.run("webhook", "create", "--org", org, "--json",
		"https://receiver.example.org").ok().out), &hook); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"test", "rotate", "delete"} {
		s.run("webhook", verb, "--org", org, hook.ID).ok()
	}
	noted := entriesOf(t, s, org)
	s.run("org", "delete", org, "--name", "Institute").ok()
	noted = append(noted, entriesOf(t, s, org)...)

	leaves := regexp.MustCompile(`(?m)^  ([a-z]+(?: [a-z]+)?)\b`).FindAllStringSubmatch(s.run("--help").ok().out, -1)
	looked := 0
	for _, leaf := range leaves {
		if looked++; slices.Contains(changeNothing, leaf[1]) == slices.Contains(noted, leaf[1]) {
			t.Errorf("kinebase %s: the audit log has %q", leaf[1], noted)
		}
	}
	if looked < 25 || !slices.Contains(noted, "org suspend --lift") {
		t.Errorf("only %d commands were looked at, and the log has %q", looked, noted)
	}
}

// entriesOf gives the commands that the audit log of an organization has.
func entriesOf(t *testing.T, s *shell, org string) (actions []string) {
	t.Helper()
	for line := range strings.Lines(s.run("audit", "--org", org, "--json").ok().out) {
		var e audit.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Actor.Kind != audit.Command || !strings.HasPrefix(e.Actor.ID, "uid ") || e.Object.Kind == "" {
			t.Errorf("an entry is %+v", e)
		}
		actions = append(actions, e.Action)
	}
	return actions
}
