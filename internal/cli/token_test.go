package cli_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
)

type listed struct {
	ID           string   `json:"id"`
	Organization string   `json:"organization"`
	Name         string   `json:"name"`
	Scopes       []string `json:"scopes"`
	CreatedAt    string   `json:"created_at"`
	ExpiresAt    *string  `json:"expires_at"`
	LastUsedAt   *string  `json:"last_used_at"`
	RevokedAt    *string  `json:"revoked_at"`
}

// tokens lists those of the organization, or all.
func (s *shell) tokens(more ...string) []listed {
	s.t.Helper()
	var items []listed
	s.run(append([]string{"token", "list", "--json"}, more...)...).into(&items)
	return items
}

func TestATokenIsShownOnce(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	id, secret := s.token(org, "--role", "viewer")
	if _, ok := organization.ParseSecret(secret); !ok {
		t.Errorf("%q has not the form of a token", secret)
	}
	if out := s.run("token", "list", "--json").ok().out; strings.Contains(out, secret) || !strings.Contains(out, id) {
		t.Errorf("the list shows the secret, or not the token: %s", out)
	}
	human := s.run("token", "create", "--org", org, "--name", "laptop", "--role", "admin").ok().out
	first, _, _ := strings.Cut(human, "\n")
	if _, ok := organization.ParseSecret(first); !ok || !strings.Contains(human, "once") {
		t.Errorf("for people it prints:\n%s", human)
	}
}

func TestATokenMayDoWhatItsRoleOrItsScopesSay(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	s.token(org, "--role", "viewer")
	s.token(org, "--role", "editor")
	s.token(org, "--role", "admin")
	s.token(org, "--scopes", "exports:read,athletes:read,exports:read")
	var got []string
	for _, item := range s.tokens() {
		got = append(got, strings.Join(item.Scopes, ","))
	}
	want := []string{
		"captures:read,athletes:read,exports:read",
		"captures:read,captures:write,athletes:read,athletes:write,exports:read,exports:write",
		"captures:read,captures:write,athletes:read,athletes:write,exports:read,exports:write,admin",
		"athletes:read,exports:read",
	}
	if !slices.Equal(got, want) {
		t.Errorf("scopes are\n%q, want\n%q", got, want)
	}
}

func TestATokenLivesAsLongAsItIsTold(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	for life, want := range map[string]time.Duration{"": 90 * 24 * time.Hour, "1s": time.Second,
		"2w": 14 * 24 * time.Hour, "never": 0} {
		args := []string{"--role", "viewer"}
		if life != "" {
			args = append(args, "--expires", life)
		}
		id, _ := s.token(org, args...)
		items := s.tokens()
		item := items[slices.IndexFunc(items, func(l listed) bool { return l.ID == id })]
		if want == 0 {
			if item.ExpiresAt != nil {
				t.Errorf("--expires %s: it expires at %s", life, *item.ExpiresAt)
			}
			continue
		}
		created, err := time.Parse(time.RFC3339, item.CreatedAt)
		if err != nil || item.ExpiresAt == nil {
			t.Fatalf("--expires %s: %+v", life, item)
		}
		if expires, err := time.Parse(time.RFC3339, *item.ExpiresAt); err != nil || expires.Sub(created) != want {
			t.Errorf("--expires %s: it lives for %v, want %v", life, expires.Sub(created), want)
		}
	}
}

func TestATokenThatBreaksARuleIsNotMade(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	create := func(args ...string) result { return s.run(append([]string{"token", "create"}, args...)...) }
	create("--org", org, "--name", "t").fails(2, "--role")
	create("--org", org, "--name", "t", "--role", "viewer", "--scopes", "admin").fails(2, "--scopes")
	create("--org", org, "--name", "t", "--role", "boss").fails(2,
		`--role must be one of viewer, editor, admin, not "boss"`)
	create("--org", org, "--name", "t", "--scopes", "captures:delete").fails(2, "captures:delete")
	create("--org", org, "--role", "viewer").fails(2, "--name")
	create("--name", "t", "--role", "viewer").fails(2, "--org")
	create("--org", "A", "--name", "t", "--role", "viewer").fails(2, "--org must be a UUID")
	create("--org", org, "--name", " ", "--role", "viewer").fails(2, "name must not be empty")
	create("--org", org, "--name", "t", "--role", "viewer", "--expires", "soon").fails(2, "never or a duration")
	create("--org", org, "--name", "t", "--role", "viewer", "--expires", "0s").fails(2, "at least a second")
	create("--org", organization.NewUUID(), "--name", "t", "--role", "viewer").fails(1, "kinebase org list")
	if items := s.tokens(); len(items) != 0 {
		t.Errorf("tokens were made all the same: %v", items)
	}
}

func TestTokensOfOneOrganizationCanBeListedAlone(t *testing.T) {
	s := newShell(t)
	a, b := s.organization("A"), s.organization("B")
	s.token(a, "--role", "viewer")
	id, _ := s.token(b, "--role", "viewer")
	if items := s.tokens(); len(items) != 2 {
		t.Errorf("%d in all, want 2", len(items))
	}
	if items := s.tokens("--org", b); len(items) != 1 || items[0].ID != id || items[0].Organization != b {
		t.Errorf("of B: %v", items)
	}
	s.run("token", "list", "--org", organization.NewUUID()).fails(1, "kinebase org list")
}

func TestARevocationStaysAsItWas(t *testing.T) {
	s := newShell(t)
	id, _ := s.token(s.organization("A"), "--role", "viewer")
	var first, second struct {
		ID        string
		RevokedAt string `json:"revoked_at"`
	}
	s.run("token", "revoke", id, "--json").into(&first)
	s.run("token", "revoke", strings.ToUpper(id), "--json").into(&second)
	if first.ID != id || first != second {
		t.Errorf("revoked first %v, then %v", first, second)
	}
	if items := s.tokens(); items[0].RevokedAt == nil || *items[0].RevokedAt != first.RevokedAt {
		t.Errorf("the list says %v, want %s", items[0].RevokedAt, first.RevokedAt)
	}
	s.run("token", "rotate", id).fails(1, "revoked")
	s.run("token", "revoke", organization.NewUUID()).fails(1, "kinebase token list")
	s.run("token", "revoke", "it").fails(2, "UUID")
}

func TestARotationGivesTheSameTokenAnotherSecret(t *testing.T) {
	s := newShell(t)
	id, before := s.token(s.organization("A"), "--role", "editor")
	var after struct{ ID, Token string }
	s.run("token", "rotate", id, "--json").into(&after)
	if after.ID != id || after.Token == before {
		t.Errorf("the token %s with %s became %v", id, before, after)
	}
	if items := s.tokens(); len(items) != 1 || items[0].Name != "t" || len(items[0].Scopes) != 6 {
		t.Errorf("the list shows %+v", items)
	}
}
