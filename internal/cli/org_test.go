package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
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

func TestANameIsOneOrganizationsAlone(t *testing.T) {
	s := newShell(t)
	a := s.organization("Lab")
	s.run("org", "create", " Lab").fails(1, "already")
	s.run("org", "rename", a, "Institute").ok()
	s.organization("Lab")
	s.run("org", "rename", a, "Lab").fails(1, "already")
}

func TestAnOrganizationIsSuspendedLimitedAndDeleted(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		s := newShell(t)
		delete(s.env, "KINEBASE_DATA")
		if s.env["KINEBASE_DATA"] = a.Place["data"]; a.Place["data"] == "" {
			delete(s.env, "KINEBASE_DATA")
			s.env["KINEBASE_DATABASE_URL"] = a.Place["database-url"]
		}
		org, other := a.Organization(), a.Organization()
		token, foreign := a.Token(org), a.Token(other)
		name := called(t, a, org)

		s.run("org", "suspend", org).ok()
		a.Until("its tokens are refused", func() bool { return a.Get("/captures", token).Status == 403 })
		a.Get("/captures", foreign).Want(200)
		s.run("org", "suspend", org, "--lift").ok()
		a.Until("its tokens are taken", func() bool { return a.Get("/captures", token).Status == 200 })

		reserve := func(who string) int { return a.Post("/captures", who, `{"file_name":"a.trc"}`).Status }
		s.run("org", "quota", org, "--captures", "2").ok()
		for i, want := range []int{200, 200, 409} {
			if got := reserve(token); got != want {
				t.Errorf("reservation %d is answered %d, not %d", i+1, got, want)
			}
		}
		if got := reserve(foreign); got != 200 {
			t.Errorf("the other organization is answered %d", got)
		}
		s.run("org", "quota", org, "--captures", "default", "--files", "1").ok()
		if got := reserve(token); got != 200 {
			t.Errorf("without a number of captures it is answered %d", got)
		}
		s.run("org", "quota", org, "--files", "1GiB", "--exports", "4KiB").ok()
		a.Post("/data/export", token, `{}`).Want(200)
		s.run("org", "quota", org, "--exports", "1").ok()
		a.Post("/data/export", token, `{}`).Want(409)
		metrics := string(a.Page("/metrics").Want(200).Body)
		for _, quota := range []string{"capture_quota", "export_storage"} {
			if !strings.Contains(metrics, "\nkinebase_"+quota+"_refusals_total 1\n") {
				t.Errorf("the metrics do not tell of the refusal by %s", quota)
			}
		}
		s.run("org", "quota", org, "--exports", "none").fails(2, "--exports")
		var usage organization.Usage
		s.run("org", "usage", org, "--json").into(&usage)
		if usage.Captures != 3 || *usage.Quota.FileBytes != 1<<30 || *usage.Quota.ExportBytes != 1 ||
			usage.Quota.Captures != nil {
			t.Errorf("the usage is %+v", usage)
		}

		s.run("org", "delete", org, "--name", "another").fails(2, "nothing was erased")
		s.run("org", "delete", org, "--name", name).ok()
		a.Until("its tokens are unknown", func() bool { return a.Get("/captures", token).Status == 401 })
		a.Get("/captures", foreign).Want(200)
		s.run("org", "usage", org).fails(1, "no organization")
		var left audit.Entry
		s.run("audit", "--org", org, "--json").into(&left) // one line
		if left.Action != audit.OrgDelete || left.Object.ID != org || left.Actor.Kind != audit.Command ||
			!strings.HasPrefix(left.Actor.ID, "uid ") {
			t.Errorf("of it there is left %+v", left)
		}
		s.run("audit", "--org", organization.NewUUID()).fails(1, "no organization")
	})
}

func TestOrganizationsAreListedOldestFirst(t *testing.T) {
	s := newShell(t)
	if got := s.run("org", "list").ok().out; !strings.Contains(got, "kinebase org create NAME") {
		t.Errorf("an empty list does not say what to do: %s", got)
	}
	var items []struct {
		ID, Name  string
		CreatedAt string  `json:"created_at"`
		Suspended *string `json:"suspended_at"`
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
	secret := strings.TrimSpace(s.run("token", "create", "--org", org, "--name", "t", "--role", "viewer",
		"--quiet").ok().out)
	if _, ok := organization.ParseSecret(secret); !ok {
		t.Errorf("token create printed %q, want a token alone", secret)
	}
	again := strings.TrimSpace(s.run("token", "rotate", s.tokens()[0].ID, "-q").ok().out)
	if _, ok := organization.ParseSecret(again); !ok || again == secret {
		t.Errorf("token rotate printed %q after %q, want a new token alone", again, secret)
	}
	s.run("org", "create", "C", "--quiet", "--json").fails(2, "--quiet and --json can't be used together")
	for verb, what := range map[string]string{"org create": "the id", "token create": "the token",
		"token rotate": "the token"} {
		if help := s.run(append(strings.Fields(verb), "--help")...).ok().out; !strings.Contains(help,
			"Print nothing but "+what+", for shell") {
			t.Errorf("the help of %s does not say what --quiet prints:\n%s", verb, help)
		}
	}
}

// called gives an organization's name.
func called(t *testing.T, a *apptest.App, org string) string {
	t.Helper()
	o, err := a.Store.Organization(t.Context(), organization.In(org).Organization)
	if err != nil {
		t.Fatal(err)
	}
	return o.Name
}
