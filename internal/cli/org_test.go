package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
)

func TestAnOrganizationIsCreatedInAStoreThatDidNotExist(t *testing.T) {
	s := newShell(t)
	var made map[string]string
	s.run("org", "create", "  Harbour Lab ", "--json").into(&made)
	if _, ok := organization.ParseUUID(made["id"]); !ok || made["name"] != "Harbour Lab" || len(made) != 2 {
		t.Errorf("printed %v, want an id and the trimmed name", made)
	}
}

func TestAnOrganizationGetsTheIdThatItIsTold(t *testing.T) {
	s := newShell(t)
	const id = "0190F0E5-7B1C-7CC3-98C4-DC0C0C07398F"
	var made struct{ ID, Name string }
	s.run("org", "create", "A", "--id", id, "--json").into(&made)
	if made.ID != strings.ToLower(id) {
		t.Errorf("the id is %s, want %s in lower case", made.ID, id)
	}
	s.run("org", "create", "B", "--id", id).fails(1, "")
	s.run("org", "create", "B", "--id", "{"+id+"}").fails(2, "--id must be a UUID")
}

func TestNobodyHasTheUUIDOfZeros(t *testing.T) {
	s := newShell(t)
	const zeros = "00000000-0000-0000-0000-000000000000"
	s.run("org", "create", "A", "--id", zeros).fails(2, "--id must not be the UUID of zeros")
	s.run("token", "list", "--org", zeros).fails(2, "--org must not be the UUID of zeros")
}

func TestTwoOrganizationsMayHaveOneNameAndTheIdsAreTold(t *testing.T) {
	s := newShell(t)
	a := s.organization("Lab")
	other := s.organization("Other")
	if out := s.run("org", "create", " Lab").ok().out; !strings.Contains(out, "Others have this name too, which is allowed: "+a+"\n") || strings.Contains(out, other) {
		t.Errorf("printed %s", out)
	}
	if out := s.run("org", "create", "Third").ok().out; strings.Contains(out, "allowed") {
		t.Errorf("printed %s", out)
	}
}

func TestOrganizationsAreListedOldestFirst(t *testing.T) {
	s := newShell(t)
	if got := s.run("org", "list").ok().out; !strings.Contains(got, "kinebase org create NAME") {
		t.Errorf("an empty list does not say what to do: %s", got)
	}
	var items []struct {
		ID, Name  string
		CreatedAt string `json:"created_at"`
	}
	s.run("org", "list", "--json").into(&items)
	if items == nil || len(items) != 0 {
		t.Errorf("an empty list is %v, want an empty array", items)
	}
	a, b := s.organization("A"), s.organization("B")
	s.run("org", "list", "--json").into(&items)
	if len(items) != 2 || items[0].ID != a || items[1].ID != b {
		t.Fatalf("listed %v, want A and B", items)
	}
	if at, err := time.Parse("2006-01-02T15:04:05.000Z", items[0].CreatedAt); err != nil || time.Since(at) > time.Hour {
		t.Errorf("created at %q", items[0].CreatedAt)
	}
	if got := s.run("org", "list").ok().out; !strings.Contains(got, a) || !strings.Contains(got, "NAME") {
		t.Errorf("the table misses something:\n%s", got)
	}
}

func TestAnOrganizationNeedsAName(t *testing.T) {
	s := newShell(t)
	s.run("org", "create").fails(2, "the argument <name> is missing")
	s.run("org", "create", " ").fails(2, "name must not be empty")
	s.run("org", "create", "a\x1b[31m").fails(2, "control characters")
}

func TestQuietPrintsWhatTheNextCommandNames(t *testing.T) {
	s := newShell(t)
	org := strings.TrimSpace(s.run("org", "create", "A", "--quiet").ok().out)
	if _, ok := organization.ParseUUID(org); !ok {
		t.Fatalf("org create printed %q, want an id alone", org)
	}
	s.organization("B")
	if other := strings.TrimSpace(s.run("org", "create", "B", "-q").ok().out); strings.Contains(other, "\n") {
		t.Errorf("of a name that is there already it printed %q", other)
	}
	secret := strings.TrimSpace(s.run("token", "create", "--org", org, "--name", "t", "--role", "viewer", "--quiet").ok().out)
	if _, ok := organization.ParseSecret(secret); !ok {
		t.Errorf("token create printed %q, want a token alone", secret)
	}
	again := strings.TrimSpace(s.run("token", "rotate", s.tokens()[0].ID, "-q").ok().out)
	if _, ok := organization.ParseSecret(again); !ok || again == secret {
		t.Errorf("token rotate printed %q after %q, want a new token alone", again, secret)
	}
	s.run("org", "create", "C", "--quiet", "--json").fails(2, "--quiet and --json can't be used together")
	for verb, what := range map[string]string{"org create": "the id", "token create": "the token", "token rotate": "the token"} {
		if help := s.run(append(strings.Fields(verb), "--help")...).ok().out; !strings.Contains(help, "Print nothing but "+what+", for shell") {
			t.Errorf("the help of %s does not say what --quiet prints:\n%s", verb, help)
		}
	}
}
