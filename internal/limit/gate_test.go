package limit

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
)

func TestATokenOverItsLimitIsRefusedAndCostsItsOrganizationNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		g := NewGate(l, slow(5), slow(8))
		for range 20 {
			g.Ask(t.Context(), "greedy", "org")
		}
		v := g.Ask(t.Context(), "greedy", "org")
		if v.Allowed || v.Policy != "token" {
			t.Errorf("a token over its limit gets %+v", v)
		}
		for i := range 3 {
			if v := g.Ask(t.Context(), "modest", "org"); !v.Allowed {
				t.Errorf("request %d of another token is refused: %+v", i+1, v)
			}
		}
	})
}

func TestAnOrganizationOverItsLimitIsRefusedAndCostsTheTokenNothing(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		g := NewGate(l, slow(5), slow(2))
		for range 2 {
			if v := g.Ask(t.Context(), "first", "org"); !v.Allowed {
				t.Fatalf("within both limits: %+v", v)
			}
		}
		for range 20 {
			if v := g.Ask(t.Context(), "second", "org"); v.Allowed || v.Policy != "organization" {
				t.Fatalf("an organization over its limit gets %+v", v)
			}
		}
		// The same token, were its organization not at its limit.
		alone, allowed := NewGate(l, slow(5), Rate{}), 0
		for range 10 {
			if alone.Ask(t.Context(), "second", "org").Allowed {
				allowed++
			}
		}
		if allowed < 4 { // see GiveBack for the one that may be missing
			t.Errorf("20 refusals for the organization's sake left %d of the token's 5 requests", allowed)
		}
	})
}

func TestTheTighterLimitIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(NewMemory(), Rate{PerSecond: 5, Burst: 10}, Rate{PerSecond: 10, Burst: 12})
		for i, want := range []string{
			`"token";r=9;t=1`, // 12 - 1 are left to the organization
			`"token";r=8;t=1`,
		} {
			if got := g.Ask(t.Context(), "a", "org").Field(); got != want {
				t.Errorf("request %d: %s, want %s", i+1, got, want)
			}
		}
		for range 3 {
			g.Ask(t.Context(), "b", "org")
		}
		if got, want := g.Ask(t.Context(), "c", "org").Field(), `"organization";r=6;t=1`; got != want {
			t.Errorf("a new token of a busy organization: %s, want %s", got, want)
		}
	})
}

func TestLimitsThatAreOffAreNeitherHeldNorTold(t *testing.T) {
	for name, c := range map[string]struct {
		token, organization Rate
		policy, field       string
	}{
		"both":         {Rate{}, Rate{}, "", ""},
		"organization": {slow(1), Rate{}, `"token";q=1;w=1`, `"token";r=0;t=1`},
		"token":        {Rate{}, slow(1), `"organization";q=1;w=1`, `"organization";r=0;t=1`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(NewMemory(), c.token, c.organization)
				if got := g.Policy(); got != c.policy {
					t.Errorf("the policy is %s, want %s", got, c.policy)
				}
				v := g.Ask(t.Context(), "t", "o")
				if !v.Allowed || v.Err() != nil || v.Field() != c.field {
					t.Errorf("the first request: %+v, %s", v, v.Field())
				}
				if v := g.Ask(t.Context(), "t", "o"); v.Allowed != (c.policy == "") {
					t.Errorf("the second request: %+v", v)
				}
			})
		})
	}
}

func TestTheDefaultPoliciesReadAsTheDraftWritesThem(t *testing.T) {
	got := NewGate(NewMemory(), DefaultToken, DefaultOrganization).Policy()
	if want := `"token";q=1000;w=2, "organization";q=4000;w=2`; got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
}

func TestARefusalSaysWhoseLimitAndWhenToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(NewMemory(), Rate{PerSecond: 1, Burst: 1}, slow(100))
		g.Ask(t.Context(), "t", "o")
		time.Sleep(600 * time.Millisecond) // of the bubble's clock; the other 400 are rounded up
		v := g.Ask(t.Context(), "t", "o")
		var f *fault.Error
		if !errors.As(v.Err(), &f) {
			t.Fatalf("the refusal is %v", v.Err())
		}
		if f.Code != fault.TooManyRequests || f.RetryAfter != time.Second {
			t.Errorf("the refusal is %s with a retry after %v", f.Code, f.RetryAfter)
		}
		if want := "This access token has spent the request limit: 1 a second, 1 at once. Try again in 1 second."; f.
			Message != want {
			t.Errorf("it says %q", f.Message)
		}
		if got, want := v.Field(), `"token";r=0;t=1`; got != want {
			t.Errorf("the field is %s, want %s", got, want)
		}
		time.Sleep(f.RetryAfter)
		if v := g.Ask(t.Context(), "t", "o"); !v.Allowed {
			t.Errorf("the caller waited as told, and gets %+v", v)
		}
	})
}

func TestARefusedOrganizationIsNamed(t *testing.T) {
	g := NewGate(NewMemory(), Rate{}, slow(1))
	g.Ask(t.Context(), "t", "o")
	if err := g.Ask(t.Context(), "u", "o").Err(); err == nil || !strings.Contains(err.Error(), "this organization") {
		t.Errorf("the refusal says %v", err)
	}
}
