package caller_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// tokens knows one token.
type tokens struct {
	organization.TokenStore
	secret organization.Secret
	token  organization.Token
	used   int
}

func (t *tokens) Authenticate(_ context.Context, h organization.SecretHash) (organization.Token, error) {
	if h != t.secret.Hash() {
		return organization.Token{}, fault.New(fault.NotFound, "there is no such token")
	}
	return t.token, nil
}

func (t *tokens) TokenUsed(organization.Scope, time.Time) { t.used++ }

// gate lets a number of failures pass and tells whose requests it counted.
type gate struct {
	failures int
	counted  []string
}

func (g *gate) Check(_ context.Context, bucket, org string) caller.Verdict {
	g.counted = append(g.counted, bucket+" "+org)
	return caller.Verdict{Policy: "p"}
}

func (g *gate) Failed(_ context.Context, from netip.Addr) error {
	if g.failures--; g.failures < 0 {
		return fault.New(fault.TooManyRequests, "too many from %s", from)
	}
	return nil
}

func TestATokenComesInWithItsOrganizationPermissionsNameAndRate(t *testing.T) {
	now := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	token, secret, err := organization.NewToken(organization.NewID(), "laptop",
		organization.Permissions{organization.CapturesRead}, time.Hour, now)
	if err != nil {
		t.Fatal(err)
	}
	known, rates := &tokens{secret: secret, token: token}, &gate{failures: 3}
	d := caller.Door{Tokens: known, Gate: rates}
	from := netip.MustParseAddr("192.0.2.1")
	c, err := d.Identify(t.Context(), caller.Shown{Kind: caller.Bearer, Text: string(secret)}, from, now)
	if err != nil {
		t.Fatal(err)
	}
	if c.Scope() != token.Scope() ||
		c.Actor() != (audit.Actor{Kind: audit.Token, ID: token.ID.String(), Name: "laptop"}) ||
		!c.Permissions.Has(organization.CapturesRead) ||
		len(c.Permissions) != 1 || c.ExpiresAt != token.ExpiresAt || c.Secret != secret || known.used != 1 {
		t.Errorf("the caller is %+v", c)
	}
	if d.Count(t.Context(), c).Policy != "p" || len(rates.counted) != 1 || rates.counted[0] != token.ID.String()+" "+
		token.Organization.String() {
		t.Errorf("counted were %v", rates.counted)
	}

	for i, shown := range []caller.Shown{{}, {Kind: caller.Bearer, Text: string(secret[:len(secret)-1]) + "!"},
		{Kind: caller.Bearer, Text: strings.Repeat("a", 8000)}, {Kind: caller.Bearer}} {
		want := fault.Unauthorized
		if i == 3 {
			want = fault.TooManyRequests
		}
		if _, err := d.Identify(t.Context(), shown, from, now); !fault.Is(err, want) {
			t.Errorf("%+.40v is %v, want %s", shown, err, want)
		}
	}
	if _, err := (&caller.Door{Tokens: known}).Identify(t.Context(),
		caller.Shown{Kind: caller.Bearer, Text: string(secret)}, from, now.Add(time.Hour)); !fault.Is(err,
		fault.Unauthorized) {
		t.Errorf("after its end it is %v", err)
	}
	if known.used != 1 {
		t.Errorf("what was turned away counts as use: %d", known.used)
	}
}
